/** A resource in pieces is the same text as the resource at once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2, stu3 } from '../../../src/fhir/definitions/published.ts';
import { encodeJson, encodeJsonInPieces } from '../../../src/fhir/format/json.ts';
import type { Resource } from '../../../src/fhir/format/resource.ts';
import { encodeXml, encodeXmlInPieces } from '../../../src/fhir/format/xml.ts';
import { fc } from '../../property.ts';
import { arbitraryResource } from './arbitrary-resource.ts';

/** More than two pieces of a list. */
const LONG = 150;

/** The lists of the resource and of its elements, repeated until they are long. */
function withLongLists(value: unknown, levels: number): unknown {
  if (Array.isArray(value) && value.length > 0) {
    return Array.from({ length: LONG }, (_, i) => value[i % value.length]);
  }
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withLongLists(member, levels - 1),
  ]);
  return Object.fromEntries(members);
}

for (const definitions of [dstu2, stu3]) {
  const resources = arbitraryResource(definitions).map(
    (resource) => withLongLists(resource, 2) as Resource,
  );
  describe(`any long ${definitions.version} resource in pieces`, () => {
    test('has the text of the whole, compact and indented', () => {
      const property = fc.property(resources, fc.boolean(), (resource, pretty) => {
        const json = [...encodeJsonInPieces(resource, { pretty })];
        assert.equal(json.join(''), encodeJson(resource, { pretty }));
        const xml = [...encodeXmlInPieces(resource, definitions, { pretty })];
        assert.equal(xml.join(''), encodeXml(resource, definitions, { pretty }));
      });
      fc.assert(property, { numRuns: 100 });
    });
  });
}

test('a piece has a few items of a long list', () => {
  const entry = Array.from({ length: 1000 }, (_, i) => ({ fullUrl: `urn:test:${i}` }));
  const bundle = { resourceType: 'Bundle', type: 'collection', entry };
  for (const pieces of [encodeJsonInPieces(bundle), encodeXmlInPieces(bundle, stu3)]) {
    const counts = Array.from(pieces, (piece) => piece.split('urn:test:').length - 1);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1000,
    );
    assert.ok(Math.max(...counts) <= 64, String(Math.max(...counts)));
  }
});
