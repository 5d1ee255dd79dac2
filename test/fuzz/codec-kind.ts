/** Bodies of order responses, in JSON or XML: decoded, checked, and written in both formats again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dstu2, stu3 } from '../../src/fhir/definitions/published.ts';
import { decodeJson, encodeJson } from '../../src/fhir/format/json.ts';
import type { Decoded, Resource } from '../../src/fhir/format/resource.ts';
import { decodeXml, encodeXml } from '../../src/fhir/format/xml.ts';
import { checkResource } from '../../src/fhir/rules/check-resource.ts';
import { entriesOf } from '../../src/fhir/search/resource-parameter.ts';
import { unstampedText } from '../../src/fhir/stored/stored-text.ts';
import { createOrderReview } from '../../src/orders/order-response/rules.ts';
import { storedSearchOf } from '../../src/orders/order-response/search-parameters.ts';
import { ROOT } from '../tidy/source-files.ts';
import { JSON_WORDS, XML_WORDS } from './codec-words.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { mutate } from './mutate.ts';

export function openCodecKind(format: 'json' | 'xml'): FuzzKind {
  const material = materialOf(format);
  const decode = format === 'json' ? decodeJson : decodeXml;
  let read = 0;
  let valid = 0;
  return {
    generate: (random) => mutate(random, material),
    attempt: (input) => {
      // A few inputs are read as the other version, which has other types and limits.
      const definitions = input.length % 16 === 0 ? stu3 : dstu2;
      const decoded = attemptTo('decode', () => decode(input, definitions, {}));
      if (typeof decoded === 'string') return decoded;
      const { resource } = decoded;
      if (resource === undefined) return decoded.findingsTotal === 0 ? 'no finding' : undefined;
      read += 1;
      if (definitions !== dstu2 || !decoded.isWhole) return undefined;
      if (resource.resourceType !== 'OrderResponse') return undefined;
      const findings = attemptTo('check', () => findingsOf(decoded, resource));
      if (typeof findings === 'string') return findings;
      if (findings.length > 0) return undefined;
      valid += 1;
      const difference = attemptTo('write', () => ({ text: differenceOf(resource) }));
      return typeof difference === 'string' ? difference : difference.text;
    },
    figures: () => ({ read, valid }),
  };
}

/** What a step answers, or a sentence where it throws. */
function attemptTo<T>(step: string, run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return `cannot ${step}: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

function findingsOf(decoded: Decoded, resource: Resource): readonly unknown[] {
  const { findings: own } = createOrderReview({ profile: 'contained' })(resource);
  const findings = [...checkResource(resource, dstu2), ...own];
  for (const { path } of findings) decoded.positionOf?.(path);
  return [...decoded.findings, ...findings];
}

const ID = '00000000-0000-7000-8000-000000000000';
const STAMP = '1","lastUpdated":"2026-01-01T00:00:00.000+00:00';

/** A valid resource is stored, read back, and read back again from its other format. */
function differenceOf(resource: Resource): string | undefined {
  entriesOf(resource, storedSearchOf(resource.resourceType).parameters);
  const { start, end } = unstampedText(resource, ID);
  const stored = decodeJson(Buffer.from(start + STAMP + end), dstu2, {});
  if (stored.resource === undefined || stored.findingsTotal > 0) {
    return `the stored text is not valid: ${JSON.stringify(stored.findings[0])}`;
  }
  const xml = encodeXml(stored.resource, dstu2, { pretty: false });
  const again = decodeXml(Buffer.from(xml), dstu2, {});
  if (again.resource === undefined || again.findingsTotal > 0) {
    return `its XML is not valid: ${JSON.stringify(again.findings[0])}`;
  }
  return encodeJson(again.resource) === encodeJson(stored.resource)
    ? undefined
    : 'JSON and XML of the stored resource differ';
}

function materialOf(format: 'json' | 'xml') {
  const sample = readFileSync(join(ROOT, 'sample', 'order-response.xml'));
  const { resource } = decodeXml(sample, dstu2, {});
  if (resource === undefined) throw new Error('the sample cannot be read');
  const { id: _id, meta: _meta, ...plain } = resource;
  const rich = { ...plain, ...RICH };
  const json = [plain, rich].flatMap((each) => [
    encodeJson(each),
    encodeJson(each, { pretty: true }),
  ]);
  const richXml = decodeJson(Buffer.from(encodeJson(rich)), dstu2, {}).resource;
  if (richXml === undefined) throw new Error('the rich sample cannot be read');
  const seeds =
    format === 'json'
      ? json.map((text) => Buffer.from(text))
      : [sample, Buffer.from(encodeXml(richXml, dstu2, { pretty: false }))];
  const words = format === 'json' ? JSON_WORDS : XML_WORDS;
  const dictionary = words.map((word) => Buffer.from(word));
  return { seeds, dictionary, boundaries: format === 'json' ? '{[,:' : '<>' };
}

/** One of nearly every form that an element has. */
const RICH = {
  meta: { profile: ['https://profiles.example/p'], tag: [{ system: 'urn:a', code: 'b' }] },
  implicitRules: 'https://rules.example/x',
  language: 'en-GB',
  text: {
    status: 'generated',
    div:
      '<div xmlns="http://www.w3.org/1999/xhtml"><p style="color:red">x<a href="https://a.example/c">l</a>' +
      '<img src="#x" alt="y"/></p><table><tr><td>1</td></tr></table></div>',
  },
  extension: [
    { url: 'https://e.example/y', valueDecimal: 1.5 },
    {
      url: 'https://e.example/z',
      extension: [
        { url: 'a', valueBase64Binary: 'AAAA' },
        { url: 'b', valueQuantity: { value: 3.1, comparator: '<' } },
      ],
    },
  ],
  identifier: [
    {
      use: 'official',
      system: 'urn:x',
      value: 'v1',
      period: { start: '2017-01-01', end: '2018-02-28T10:00:00Z' },
    },
  ],
  date: '2017-06-15T14:57:54+01:00',
  _date: { extension: [{ url: 'https://e.example/q', valueInteger: 3 }] },
  description: 'h\u00f6llo \u{1F600}',
  fulfillment: [{ reference: 'https://a.example/Observation/1' }],
};
