/** What counts as a mark of an XML body, how many it may have, and which parts need no other count. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DSTU2 } from '../../../src/fhir/definitions/fhir-version.ts';
import { decodeJson, encodeJson } from '../../../src/fhir/format/json.ts';
import { isWithin, requireFewMarks, UNLIMITED } from '../../../src/fhir/format/limits.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { arbitraryResource } from './arbitrary-resource.ts';

const check = (text: string, marksMax: number) =>
  requireFewMarks(Buffer.from(text), { ...UNLIMITED, marksMax });

test('a body may have as many marks as allowed, and not one more', () => {
  check('<a<b', 2);
  assert.throws(() => check('<a<b<', 2), { code: 'too-long', offset: 4 });
});

test('tags, references, line breaks and tabs are marks, and other characters are not', () => {
  for (const mark of ['<', '>', '&', '\t', '\n', '\r']) {
    assert.throws(() => check(mark, 0), { offset: 0 }, JSON.stringify(mark));
  }
  check("\b\x0e %';=?aé", 0);
});

test('attributes over the limit are not read, and neither is what follows them', () => {
  for (const each of [(at: number) => ` a${at}="b"`, (at: number) => ` xmlns:a${at}="b"`]) {
    const xml = (count: number) =>
      Buffer.from(`<Basic${Array.from({ length: count }, (_, at) => each(at)).join('')} b=<`);
    const codeOf = (count: number) =>
      decodeXml(xml(count), DSTU2.definitions, { elementsMax: 20 }).findings[0]?.code;
    assert.equal(codeOf(20), 'structure');
    assert.equal(codeOf(21), 'too-long');
  }
});

test('a tag has at most 100 attributes, however many elements a body may have', () => {
  for (const name of ['a', 'xmlns:a']) {
    const decode = (count: number) => {
      const attributes = Array.from({ length: count }, (_, at) => ` ${name}${at}="b"`);
      const xml = `<Bundle${attributes.join('')} b=<`;
      return decodeXml(Buffer.from(xml), DSTU2.definitions, { elementsMax: 50_000 }).findings[0];
    };
    assert.equal(decode(100)?.code, 'structure');
    assert.deepEqual(
      [decode(101)?.code, decode(101)?.text],
      ['too-long', 'An element has more than 100 attributes.'],
    );
  }
});

test('a part that is within the limits is so as a body of its own', () => {
  const { definitions } = DSTU2;
  const limits = fc.record({ elementsMax: fc.integer({ min: 1, max: 60 }), depthMax: fc.nat(12) });
  let within = 0;
  fc.assert(
    fc.property(arbitraryResource(definitions), limits, (resource, limits) => {
      if (!isWithin(resource, limits)) return;
      within += 1;
      const { findings } = decodeJson(Buffer.from(encodeJson(resource)), definitions, limits);
      assert.deepEqual(findings, []);
    }),
    { numRuns: repetitions(150, 500) },
  );
  assert.ok(within > 50, `${within} were within their limits`);
});

test('a part without a narrative is within the limits that it needs as a body', () => {
  const resource = { resourceType: 'OrderResponse', fulfillment: [{ reference: 'Task/1' }] };
  assert.ok(isWithin(resource, { elementsMax: 4, depthMax: 3 }));
  for (const limits of [{ elementsMax: 3 }, { depthMax: 2 }]) {
    assert.ok(!isWithin(resource, limits));
    const bytes = Buffer.from(encodeJson(resource));
    assert.equal(decodeJson(bytes, DSTU2.definitions, limits).findings[0]?.code, 'too-long');
  }
});
