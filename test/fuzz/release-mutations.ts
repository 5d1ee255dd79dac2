/** Release files with something wrong about them: in the XML, in its encoding, in the zips around it. */
import { gzipSync } from 'node:zlib';
import { generateRelease } from '../../scripts/release/generate-release.ts';
import { releaseDefaults } from '../../scripts/release/organisations.ts';
import { makeZip, type ZipFixtureEntry } from '../sources/release-file/zip-fixture.ts';
import { below, pick, type Random } from './seeded-random.ts';

/** A release file with up to eight changes, in any of its wrappings; some are left whole. */
export function mutatedRelease(random: Random): Buffer {
  let xml = pick(random, releases());
  for (let changes = below(random, pick(random, CHANGES_MAX)); changes > 0; changes--) {
    xml = pick(random, XML_CHANGES)(random, xml);
  }
  // Most changes add or drop a record, and RecordCount would hide what they do.
  if (random() < 0.8) xml = withCount(xml);
  const encoded = random() < 0.85 ? Buffer.from(xml) : pick(random, ENCODINGS)(xml);
  const bytes = random() < 0.85 ? encoded : damaged(random, encoded);
  const wrapped = pick(random, WRAPPINGS)(random, bytes);
  return random() < 0.85 ? wrapped : damaged(random, wrapped);
}

const CHANGES_MAX: readonly number[] = [2, 3, 4, 9];

let made: readonly string[] | undefined;

/** Two small releases, one in one line. */
function releases(): readonly string[] {
  if (made === undefined) {
    const text = [...generateRelease({ ...releaseDefaults, records: 14 })].join('');
    made = [text, text.replace(/>\s+</g, '><')];
  }
  return made;
}

type Change = (random: Random, xml: string) => string;

const XML_CHANGES: readonly Change[] = [
  // Drops, repeats, renames or swaps attributes, or gives one another value.
  (random, xml) => atMatch(random, xml, ATTRIBUTE, () => ''),
  (random, xml) => atMatch(random, xml, ATTRIBUTE, ([whole]) => whole + whole),
  (random, xml) => atMatch(random, xml, ATTRIBUTE, ([, name, value]) => ` x${name}="${value}"`),
  (random, xml) => atMatch(random, xml, ATTRIBUTES, ([, a, b, c, d]) => ` ${a}="${d}" ${c}="${b}"`),
  (random, xml) => atMatch(random, xml, ATTRIBUTE, ([, name]) => ` ${name}="${value(random)}"`),
  (random, xml) => atMatch(random, xml, ATTRIBUTE, ([, name]) => ` ${name}="${value(random)}"`),
  (random, xml) => atMatch(random, xml, MEANINGFUL, ([, name]) => ` ${name}="${value(random)}"`),
  // Another text.
  (random, xml) => atMatch(random, xml, TEXT, () => `>${value(random)}<`),
  (random, xml) => atMatch(random, xml, TEXT, ([whole]) => `>${value(random)}${whole.slice(1)}`),
  // Drops, repeats, moves or renames elements.
  (random, xml) => atMatch(random, xml, ELEMENT, () => ''),
  (random, xml) => atMatch(random, xml, ELEMENT, ([whole]) => whole.repeat(1 + below(random, 9))),
  (random, xml) => atMatch(random, xml, ORGANISATION, ([whole]) => whole + whole),
  (random, xml) => atMatch(random, xml, ORGANISATION, () => ''),
  (random, xml) => {
    const [moved] = matchNear(random, xml, ELEMENT) ?? [''];
    return atMatch(random, xml.replace(moved, ''), TAG, ([whole]) => whole + moved);
  },
  (random, xml) => atMatch(random, xml, TAG, ([whole]) => whole.replace(/\w+/, 'Other')),
  (random, xml) => atMatch(random, xml, TAG, () => ''),
  // Inserts what XML has, or has not.
  (random, xml) => atMatch(random, xml, TAG, ([whole]) => whole + pick(random, INSERTED)),
  (random, xml) => insertedAt(random, xml, pick(random, INSERTED)),
  (random, xml) => insertedAt(random, xml, pick(random, CHARACTERS)),
  (random, xml) => xml.slice(0, below(random, xml.length)),
];

const ATTRIBUTE = / (\w+)="([^"]*)"/;
const ATTRIBUTES = / (\w+)="([^"]*)" (\w+)="([^"]*)"/;
const MEANINGFUL =
  / (primaryRole|refOnly|orgRecordClass|extension|id|type|encoding|value|displayName)="[^"]*"/;
const TEXT = />([^<>]+)</;
const TAG = /<[^<>]+>/;
const ELEMENT = /<(\w+)(?: [^<>]*)?(?:\/>|>[^<>]*<\/\1>)/;
const ORGANISATION = /<Organisation [\s\S]*?<\/Organisation>/;

const VALUES: readonly string[] = [
  '',
  ' ',
  '0',
  '1',
  ' true ',
  'TRUE',
  'yes',
  'false',
  'Active',
  'Proposed',
  'Partial',
  'Full',
  'RC3',
  'rc1',
  'RO',
  'ro197',
  'RO999999',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '-1',
  '1e9',
  '99999999999999999999',
  'A1-B',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '&amp;&lt;&gt;&quot;&apos;',
  '&#x10FFFF;&#xE000;',
  '&#9;&#10;&#13;',
  '\u00a0\u2028\u202e\ufeff',
  'e\u0301\u0130\u1e9e\u{1f600}',
  '&#0;',
  '&#xFFFF;',
  '&#xD800;',
  '&#x110000;',
  '&bomb;',
  '<',
  'http://refdata.hscic.gov.uk/org/v3-0-0',
];

function value(random: Random): string {
  const one = pick(random, VALUES);
  return random() < 0.95 ? one : one.repeat(1 + below(random, 70_000 / (one.length + 1)));
}

const INSERTED: readonly string[] = [
  '<!DOCTYPE html>',
  '<!DOCTYPE x [<!ENTITY bomb "boom">]>',
  '<!-- a comment -- in it -->',
  '<!-- c -->',
  '<?xml version="1.0" encoding="ISO-8859-1"?>',
  '<?php echo 1 ?>',
  '<![CDATA[ <x> & ]]>',
  '<![CDATA[',
  ']]>',
  '<Organisation orgRecordClass="RC1"/>',
  '<Status value="Inactive"/>',
  '<Unknown><Deeper/></Unknown>',
  '<a>'.repeat(70) + '</a>'.repeat(70),
  '<a>'.repeat(3000),
  '<Role id="RO76" primaryRole="true"/>'.repeat(500),
  'x'.repeat(70_000),
  '</Organisation>',
  '</Organisations>',
  '<Manifest/>',
  '<CodeSystems/>',
];

const CHARACTERS: readonly string[] = [
  '\u0000',
  '\u0001',
  '\u001b[31m',
  '\u0085',
  '\ufffe',
  '\uffff',
  '&',
  '<',
  '>',
  '"',
  "'",
  '\r',
  '\ud800',
];

const ENCODINGS: readonly ((xml: string) => Buffer)[] = [
  (xml) => Buffer.from(xml.replace('THE', 'THÉ'), 'latin1'),
  (xml) => Buffer.from(xml, 'utf16le'),
  (xml) => Buffer.from(xml.replace('utf-8', 'windows-1252')),
  (xml) => Buffer.from(`\uFEFF\uFEFF${xml}`),
];

type Wrapping = (random: Random, xml: Buffer) => Buffer;

const FULL = 'HSCOrgRefData_Full_20260828.xml';

const WRAPPINGS: readonly Wrapping[] = [
  (_, xml) => xml,
  (_, xml) => gzipSync(xml, { level: 1 }),
  (random, xml) => makeZip([entryOf(random, FULL, xml)]),
  (random, xml) =>
    makeZip([
      entryOf(random, 'fullfile.zip', makeZip([entryOf(random, FULL, xml)])),
      ...(random() < 0.5 ? [entryOf(random, 'archive.zip', Buffer.from('none'))] : []),
    ]),
  (random, xml) =>
    makeZip([
      entryOf(random, 'fullfile.zip', damaged(random, makeZip([entryOf(random, FULL, xml)]))),
    ]),
];

/** An entry of a zip; one in ten lies about itself. */
function entryOf(random: Random, name: string, content: Buffer): ZipFixtureEntry {
  const entry = { name, content, isStored: random() < 0.3 };
  return random() < 0.9 ? entry : { ...entry, ...pick(random, LIES) };
}

const LIES: readonly Partial<ZipFixtureEntry>[] = [
  { size: 0 },
  { size: 10 },
  { size: 0xffff_ffff },
  { checksum: 7 },
  { method: 99 },
  { method: 0 },
  { isEncrypted: true },
  { name: '../../fullfile.zip' },
  { name: 'HSCOrgRefData_Archive_20260828.xml' },
  { name: 'word/document.xml' },
  { name: 'fullfile.zip' },
  { name: '' },
];

/** Flipped, dropped, repeated or cut-off bytes. */
function damaged(random: Random, bytes: Buffer): Buffer {
  const at = below(random, bytes.length + 1);
  switch (below(random, 5)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(random, 50))]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 50))]);
    default: {
      const changed = Buffer.from(bytes);
      for (let count = 1 + below(random, 4); count > 0 && changed.length > 0; count--) {
        changed[below(random, changed.length)] = below(random, 256);
      }
      return changed;
    }
  }
}

/** The number of records that there are now. */
function withCount(xml: string): string {
  const count = xml.split('<Organisation ').length - 1;
  return xml.replace(/<RecordCount value="[^"]*"/, `<RecordCount value="${count}"`);
}

/** The first match at or after a random place. */
function matchNear(random: Random, xml: string, pattern: RegExp): RegExpExecArray | undefined {
  const sticky = new RegExp(pattern, 'g');
  sticky.lastIndex = below(random, xml.length);
  return sticky.exec(xml) ?? undefined;
}

function atMatch(
  random: Random,
  xml: string,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string,
): string {
  const match = matchNear(random, xml, pattern);
  if (match === undefined) return xml;
  const [whole] = match;
  return xml.slice(0, match.index) + replacement(match) + xml.slice(match.index + whole.length);
}

function insertedAt(random: Random, xml: string, inserted: string): string {
  const at = below(random, xml.length + 1);
  return xml.slice(0, at) + inserted + xml.slice(at);
}
