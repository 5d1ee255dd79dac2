/** White space around values: what XML drops, what is refused, and what is part of a value. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PRIMITIVES } from '../../../src/fhir/definitions/primitives.ts';
import { dstu2, r4, stu3 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../../src/fhir/format/json.ts';
import { type Decoded, type FhirValue, isObject } from '../../../src/fhir/format/resource.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';

/** A value of each primitive, as JSON has it. */
const VALUES: Readonly<Record<string, FhirValue>> = {
  base64Binary: 'AAAA',
  boolean: true,
  canonical: 'http://a.example/b',
  code: 'a b',
  date: '2017-02-28',
  dateTime: '2017-02-28T01:02:03Z',
  decimal: 1.5,
  id: 'a',
  instant: '2017-02-28T01:02:03Z',
  integer: 1,
  markdown: 'a b',
  oid: 'urn:oid:1.2.3',
  positiveInt: 1,
  string: 'a b',
  time: '01:02:03',
  unsignedInt: 1,
  uri: 'http://a.example/b',
  url: 'http://a.example/b',
  uuid: 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0',
};

/** The value of the only extension of a decoded resource. */
function valueIn({ resource }: Decoded, name: string): FhirValue | undefined {
  const [extension] = Array.isArray(resource?.extension) ? resource.extension : [];
  return isObject(extension) ? extension[name] : undefined;
}

for (const definitions of [dstu2, stu3, r4]) {
  const properties = [...(definitions.type('Extension')?.properties.values() ?? [])].filter(
    ({ element, form }) => element.isChoice && form === 'primitive',
  );
  const readJson = (name: string, value: FhirValue) => {
    const extension = [{ url: 'http://a.example', [name]: value }];
    const body = JSON.stringify({ resourceType: 'Organization', extension });
    return decodeJson(Buffer.from(body), definitions);
  };
  const readXml = (name: string, value: string) => {
    const extension = `<extension url="http://a.example"><${name} value="${value}"/></extension>`;
    const body = `<Organization xmlns="http://hl7.org/fhir">${extension}</Organization>`;
    return decodeXml(Buffer.from(body), definitions);
  };

  describe('white space', () => {
    it(`is tested for every primitive of ${definitions.version}`, () => {
      assert.ok(properties.length > 10);
      assert.deepEqual(Object.keys(VALUES).sort(), [...PRIMITIVES.keys()].sort());
    });

    for (const { name, type } of properties) {
      const value = VALUES[type] ?? '';
      const json = readJson(name, ` ${value}\n`);
      const xml = readXml(name, ` ${value}&#10;`);
      const isNumber = typeof value !== 'string';
      if (type === 'string' || type === 'markdown') {
        it(`around a ${type} of ${definitions.version} stays`, () => {
          for (const decoded of [json, xml]) {
            assert.deepEqual(decoded.findings, []);
            assert.equal(valueIn(decoded, name), ` ${value}\n`);
          }
        });
      } else if (type === 'id') {
        it(`around an id of ${definitions.version} is not valid`, () => {
          for (const { findings } of [json, xml]) assert.equal(findings.length, 1);
        });
      } else if (type === 'base64Binary') {
        it(`in base64 of ${definitions.version} is dropped`, () => {
          for (const decoded of [json, xml]) {
            assert.deepEqual(decoded.findings, []);
            assert.equal(valueIn(decoded, name), value);
          }
        });
      } else {
        it(`around a ${type} of ${definitions.version} is trimmed in XML, and not valid in JSON`, () => {
          assert.deepEqual(xml.findings, []);
          assert.equal(valueIn(xml, name), value);
          assert.equal(json.findings.length, 1);
          assert.match(json.findings[0]?.text ?? '', isNumber ? /is not a JSON/ : /is not a valid/);
        });
      }
    }
  });
}
