/** The text of a resource as it is stored, and what it can be found by. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2 } from '../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import type { Resource } from '../../src/fhir/format/resource.ts';
import { stampText, unstampedText } from '../../src/fhir/stored/stored-text.ts';

const REQUEST = '"request":{"reference":"Order/1"},"orderStatus":"completed"';
const STAMP = '"versionId":"3","lastUpdated":"2026-11-21T09:30:00.123+00:00"';

function decoded(members: string): Resource {
  const text = `{"resourceType":"OrderResponse",${members}}`;
  const { resource, findings } = decodeJson(Buffer.from(text), dstu2);
  assert.deepEqual(findings, []);
  assert.ok(resource);
  return resource;
}

describe('the stored text', () => {
  const cases = [
    {
      name: 'has an id and a version',
      sent: REQUEST,
      stored: `"id":"a","meta":{${STAMP}},${REQUEST}`,
    },
    {
      name: 'has no other id, version or date than its own',
      sent: `"id":"b","meta":{"versionId":"9","lastUpdated":"2001-01-01T00:00:00Z"},${REQUEST}`,
      stored: `"id":"a","meta":{${STAMP}},${REQUEST}`,
    },
    {
      name: 'has nothing of what was said about the version and the date',
      sent: `"meta":{"_versionId":{"extension":[{"url":"urn:a","valueCode":"b"}]},"lastUpdated":"2001-01-01T00:00:00Z","_lastUpdated":{"id":"c"}},${REQUEST}`,
      stored: `"id":"a","meta":{${STAMP}},${REQUEST}`,
    },
    {
      name: 'keeps the elements before and after the version, in order',
      sent: `"meta":{"tag":[{"code":"t"}],"profile":["urn:p"],"security":[{"code":"s"}],"extension":[{"url":"urn:a","valueCode":"b"}],"id":"m"},"implicitRules":"urn:r",${REQUEST}`,
      stored: `"id":"a","meta":{"id":"m","extension":[{"url":"urn:a","valueCode":"b"}],${STAMP},"profile":["urn:p"],"security":[{"code":"s"}],"tag":[{"code":"t"}]},"implicitRules":"urn:r",${REQUEST}`,
    },
    {
      name: 'keeps what was said about the id',
      sent: `"id":"b","_id":{"extension":[{"url":"urn:a","valueCode":"b"}]},${REQUEST}`,
      stored: `"id":"a","_id":{"extension":[{"url":"urn:a","valueCode":"b"}]},"meta":{${STAMP}},${REQUEST}`,
    },
    {
      name: 'keeps decimals, zones and characters',
      sent: `"extension":[{"url":"urn:a","valueDecimal":2.00}],"request":{"reference":"Order/1"},"date":"2017-06-15T14:57:54.10-00:00","orderStatus":"completed","description":"\u{1f600}\\u0041\\n"`,
      stored: `"id":"a","meta":{${STAMP}},"extension":[{"url":"urn:a","valueDecimal":2.00}],"request":{"reference":"Order/1"},"date":"2017-06-15T14:57:54.10-00:00","orderStatus":"completed","description":"\u{1f600}A\\n"`,
    },
  ];
  for (const { name, sent, stored } of cases) {
    test(name, () => {
      const text = stampText(unstampedText(decoded(sent), 'a'), 3, '2026-11-21T09:30:00.123+00:00');
      assert.equal(text, `{"resourceType":"OrderResponse",${stored}}`);
    });
  }
});
