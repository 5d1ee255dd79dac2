/** The official examples: both forms of each are the same resource, and either makes the other. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Definitions } from '../../../src/fhir/definitions/definitions.ts';
import { dstu2, stu3 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson, encodeJson } from '../../../src/fhir/format/json.ts';
import { type Decoded, isRawJSON, type Resource } from '../../../src/fhir/format/resource.ts';
import { decodeXml, encodeXml } from '../../../src/fhir/format/xml.ts';

for (const { definitions, folder } of [
  { definitions: dstu2, folder: 'dstu2' },
  { definitions: stu3, folder: 'stu3' },
]) {
  const fixtures = join(import.meta.dirname, 'fixtures', folder);
  const pairs = readdirSync(fixtures)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));

  describe(`the official ${definitions.version} examples`, () => {
    test('are here', () => assert.ok(pairs.length >= 6));

    for (const name of pairs) {
      const json = readFileSync(join(fixtures, `${name}.json`));
      const xml = readFileSync(join(fixtures, `${name}.xml`));

      test(`${name} is valid in both forms, and the same`, () => {
        const fromJson = accepted(decodeJson(json, definitions));
        const fromXml = accepted(decodeXml(xml, definitions));
        assert.deepEqual(comparable(fromJson), comparable(fromXml));
      });

      test(`${name} in JSON has nothing that was not published`, () => {
        const published: unknown = JSON.parse(json.toString(), keepNumberText);
        const read: unknown = JSON.parse(
          encodeJson(accepted(decodeJson(json, definitions))),
          keepNumberText,
        );
        assert.deepEqual(comparable(read), comparable(published));
      });

      test(`${name} goes to the other form and back unchanged`, () => {
        const fromJson = accepted(decodeJson(json, definitions));
        const there = accepted(decodeXml(xmlBytes(fromJson, definitions), definitions));
        assert.equal(encodeJson(there), encodeJson(fromJson));
        const fromXml = accepted(decodeXml(xml, definitions));
        const back = accepted(decodeJson(Buffer.from(encodeJson(fromXml)), definitions));
        assert.equal(encodeXml(back, definitions), encodeXml(fromXml, definitions));
      });
    }
  });
}

test('an OrderResponse with contained resources reads in order, and is written as it was', () => {
  const file = join(import.meta.dirname, 'fixtures/dstu2/order-response-brief.xml');
  const resource = accepted(decodeXml(readFileSync(file), dstu2));
  assert.deepEqual(Object.keys(resource), [
    'resourceType',
    'contained',
    'request',
    'date',
    'who',
    'orderStatus',
  ]);
  const written = encodeXml(resource, dstu2, { pretty: true });
  const published = readFileSync(file, 'utf8').replaceAll(
    /(?<=<(Order|Patient|Practitioner)) xmlns="[^"]*"/g,
    '',
  );
  assert.equal(lines(written).slice(1).join('\n'), lines(published).join('\n'));
});

function accepted({ resource, findings }: Decoded): Resource {
  assert.deepEqual(findings, []);
  assert.ok(resource);
  return resource;
}

function xmlBytes(resource: Resource, definitions: Definitions): Uint8Array {
  return Buffer.from(encodeXml(resource, definitions));
}

function lines(text: string): string[] {
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim());
}

function keepNumberText(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? `number ${context?.source}` : value;
}

/** Without DSTU2's comments, and with narratives as XHTML: no namespace, no space between tags. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'string' && value.startsWith('<div')) {
    return value
      .replace(' xmlns="http://www.w3.org/1999/xhtml"', '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?(<[^>]*>) ?/g, '$1')
      .replaceAll(/<(\w+)([^>]*?) ?\/>/g, '<$1$2></$1>')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"');
  }
  if (typeof value !== 'object' || value === null || isRawJSON(value)) return value;
  const entries = Object.entries(value)
    .filter(([name]) => name !== 'fhir_comments')
    .map(([name, inner]) => [name, comparable(inner)] as const)
    .filter(([, inner]) => !isEmpty(inner));
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What is left of a sibling that held comments only. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => item === null || isEmpty(item));
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
