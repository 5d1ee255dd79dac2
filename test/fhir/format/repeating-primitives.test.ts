/** The two arrays of every repeating primitive, which JSON keeps in step by nulls. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Definitions, PropertyDefinition } from '../../../src/fhir/definitions/definitions.ts';
import { dstu2, r4, stu3 } from '../../../src/fhir/definitions/published.ts';
import { decodeJson, encodeJson } from '../../../src/fhir/format/json.ts';
import { type FhirObject, type FhirValue, isObject } from '../../../src/fhir/format/resource.ts';
import { decodeXml, encodeXml } from '../../../src/fhir/format/xml.ts';
import { fc } from '../../property.ts';
import { arbitraryValue } from './arbitrary-resource.ts';

/** A resource type, and the properties that lead from it to a repeating primitive. */
interface Place {
  readonly resourceType: string;
  readonly steps: readonly PropertyDefinition[];
  readonly property: PropertyDefinition;
}

/** Each repeating primitive of each type, reached by a shortest way. */
function placesIn(definitions: Definitions): readonly Place[] {
  const places: Place[] = [];
  const seen = new Set<string>();
  const waiting = definitions.resourceTypes.map((resourceType) => ({
    resourceType,
    type: resourceType,
    steps: [] as readonly PropertyDefinition[],
  }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { resourceType, type, steps } = next;
    if (seen.has(type)) continue;
    seen.add(type);
    for (const property of definitions.type(type)?.properties.values() ?? []) {
      if (property.form === 'complex') {
        waiting.push({ resourceType, type: property.type, steps: [...steps, property] });
      }
      if (property.form === 'primitive' && property.repeats) {
        places.push({ resourceType, steps, property });
      }
    }
  }
  return places;
}

function resourceWith({ resourceType, steps }: Place, parts: FhirObject): FhirObject {
  const content = steps.reduceRight<FhirObject>(
    (inner, { name, repeats }) => ({ [name]: repeats ? [inner] : inner }),
    parts,
  );
  return { resourceType, ...content };
}

function partsIn({ steps, property }: Place, resource: FhirObject | undefined): FhirObject {
  let found = resource ?? {};
  for (const { name } of steps) {
    const value = found[name];
    const item: FhirValue | undefined = Array.isArray(value) ? value[0] : value;
    assert.ok(isObject(item), name);
    found = item;
  }
  const { name, sibling } = property;
  return Object.fromEntries(
    Object.entries(found).filter(([each]) => each === name || each === sibling),
  );
}

const SIBLING = { extension: [{ url: 'https://example.org/reason', valueCode: 'masked' }] };

/** Items with a value, with extensions, or with both. */
function partsOf(property: PropertyDefinition): fc.Arbitrary<FhirObject> {
  const value = arbitraryValue(property);
  const item = fc.oneof(
    value.map((each) => [each, null] as const),
    fc.constant([null, SIBLING] as const),
    value.map((each) => [each, SIBLING] as const),
  );
  return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => {
    const siblings = items.map(([, sibling]) => sibling);
    return {
      [property.name]: items.map(([each]) => each),
      ...(siblings.some((sibling) => sibling !== null) && { [property.sibling]: siblings }),
    };
  });
}

for (const definitions of [dstu2, stu3, r4]) {
  describe(`every repeating primitive of ${definitions.version}`, () => {
    const places = placesIn(definitions);

    test('is known', () => {
      const names = places.map(({ property }) => property.name);
      for (const name of ['profile', 'line', 'given']) assert.ok(names.includes(name), name);
    });

    test('keeps its items in both arrays, through JSON and XML', () => {
      for (const place of places) {
        const property = fc.property(partsOf(place.property), (parts) => {
          const sent = Buffer.from(encodeJson(resourceWith(place, parts)));
          const { resource } = decodeJson(sent, definitions);
          assert.ok(resource);
          assert.equal(encodeJson(partsIn(place, resource)), encodeJson(parts));
          const xml = encodeXml(resource, definitions);
          const read = decodeXml(Buffer.from(xml), definitions);
          assert.equal(encodeJson(partsIn(place, read.resource)), encodeJson(parts));
        });
        fc.assert(property, { numRuns: 10 });
      }
    });

    test('gets the nulls that a client left out', () => {
      for (const place of places) {
        const { name, sibling } = place.property;
        const sent = Buffer.from(encodeJson(resourceWith(place, { [sibling]: [SIBLING] })));
        const { resource } = decodeJson(sent, definitions);
        assert.deepEqual(partsIn(place, resource), { [name]: [null], [sibling]: [SIBLING] });
      }
    });
  });
}
