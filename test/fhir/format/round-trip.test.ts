/** Any resource of both versions survives every way through JSON and XML. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2, stu3 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson, encodeJson } from '../../../src/fhir/format/json.ts';
import type { Decoded, Resource } from '../../../src/fhir/format/resource.ts';
import { validate } from '../../../src/fhir/format/validate.ts';
import { decodeXml, encodeXml } from '../../../src/fhir/format/xml.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { arbitraryResource } from './arbitrary-resource.ts';

const numRuns = repetitions(100, 300);

function accepted({ resource, findings }: Decoded): Resource {
  assert.deepEqual(findings, []);
  assert.ok(resource);
  return resource;
}

for (const definitions of [dstu2, stu3]) {
  const resources = arbitraryResource(definitions);
  const fromJson = (text: string) => accepted(decodeJson(Buffer.from(text), definitions));
  const fromXml = (text: string) => accepted(decodeXml(Buffer.from(text), definitions));

  describe(`any ${definitions.version} resource`, () => {
    test('is valid, and unchanged by validation', () => {
      const property = fc.property(resources, (resource) => {
        assert.equal(encodeJson(accepted(validate(resource, definitions))), encodeJson(resource));
      });
      fc.assert(property, { numRuns });
    });

    test('goes from JSON to XML and back unchanged, compact and indented', () => {
      const property = fc.property(resources, fc.boolean(), (resource, pretty) => {
        const json = encodeJson(resource, { pretty });
        const xml = encodeXml(fromJson(json), definitions, { pretty });
        assert.equal(encodeJson(fromXml(xml), { pretty }), json);
      });
      fc.assert(property, { numRuns });
    });

    test('goes from XML to JSON and back unchanged', () => {
      const property = fc.property(resources, (resource) => {
        const xml = encodeXml(resource, definitions);
        assert.equal(encodeXml(fromJson(encodeJson(fromXml(xml))), definitions), xml);
      });
      fc.assert(property, { numRuns });
    });

    test('is the same for any order of its JSON properties', () => {
      const property = fc.property(resources, (resource) => {
        assert.equal(
          encodeJson(fromJson(encodeJson(reversed(resource) as Resource))),
          encodeJson(resource),
        );
        assert.equal(
          encodeXml(reversed(resource) as Resource, definitions),
          encodeXml(resource, definitions),
        );
      });
      fc.assert(property, { numRuns });
    });
  });
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}
