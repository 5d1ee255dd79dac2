/** The generated tables against the official schemas, and how they are read. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Definitions,
  parseDefinitions,
  type TypeDefinition,
} from '../../../src/fhir/definitions/definitions.ts';
import { dstu2, stu3 } from '../../../src/fhir/definitions/published.ts';
import { readSchema, type Schema } from './schema-types.ts';

const versions = [
  { definitions: dstu2, schema: readSchema('dstu2'), resources: 94 },
  { definitions: stu3, schema: readSchema('stu3'), resources: 117 },
];

for (const { definitions, schema, resources } of versions) {
  describe(`the table of ${definitions.version}`, () => {
    test('has every resource type of the schema', () => {
      assert.equal(definitions.resourceTypes.length, resources);
      assert.deepEqual(definitions.resourceTypes, schema.resources.toSorted());
    });

    test('has the elements of every type in the order of the schema, with their cardinality', () => {
      const differences = [...schema.types].flatMap(([name, elements]) => {
        if (elements.length === 0 || name === 'ResourceContainer' || name.includes('.')) return [];
        // Profiles of Quantity that differ in invariants only.
        if (/^(Age|Count|Distance|Duration|Money)$/.test(name)) return [];
        return compare(name, name, definitions, schema, new Set());
      });
      assert.deepEqual(differences, []);
    });
  });
}

/** The differences between a type of the schema and the table's, and of its parts, as sentences. */
function compare(
  schemaName: string,
  name: string,
  definitions: Definitions,
  schema: Schema,
  seen: Set<string>,
): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const type = definitions.type(name);
  if (type === undefined) return [`the table lacks ${name}`];
  const expected = schema.types.get(schemaName) ?? [];
  const own = ownProperties(type, schemaName === 'SimpleQuantity' ? [] : inheritedNames(type));
  const names = own.map((property) => property.name);
  if (names.join() !== expected.map((element) => element.name).join()) {
    return [`${name}: ${names} is not ${expected.map((element) => element.name)}`];
  }
  return own.flatMap((property, index) => {
    const element = expected[index];
    assert.ok(element);
    const { min, max } = property.element;
    const problems: string[] = [];
    if (min !== element.min || max !== element.max) {
      problems.push(
        `${name}.${property.name}: ${min}..${max} is not ${element.min}..${element.max}`,
      );
    }
    const codes = schema.codes.get(element.type);
    if (
      codes?.toSorted().join() !== [...(property.codes ?? codes ?? [])].toSorted().join() &&
      codes
    ) {
      problems.push(`${name}.${property.name}: ${[...(property.codes ?? [])]} is not ${codes}`);
    }
    if (codes && !property.codes) problems.push(`${name}.${property.name} has no codes`);
    if (!element.type.includes('.')) return problems;
    return [...problems, ...compare(element.type, property.type, definitions, schema, seen)];
  });
}

function ownProperties(type: TypeDefinition, inherited: readonly string[]) {
  return [...type.properties.values()].filter(
    ({ name, element }) => !element.isAttribute && !inherited.includes(name),
  );
}

/** What the schema writes into the extended type only. */
function inheritedNames(type: TypeDefinition): string[] {
  const roots = ['Element', 'BackboneElement', 'Resource', 'DomainResource'];
  if (roots.includes(type.name)) {
    const below = {
      BackboneElement: ['extension'],
      DomainResource: ['id', 'meta', 'implicitRules', 'language'],
    };
    return type.name === 'BackboneElement' || type.name === 'DomainResource'
      ? below[type.name]
      : [];
  }
  if (type.kind !== 'resource') {
    return type.kind === 'part' && type.properties.has('modifierExtension')
      ? ['extension', 'modifierExtension']
      : ['extension'];
  }
  const all = [
    'id',
    'meta',
    'implicitRules',
    'language',
    'text',
    'contained',
    'extension',
    'modifierExtension',
  ];
  return type.properties.has('contained') ? all : all.slice(0, 4);
}

test('every type that an element names exists, and every code set has codes', () => {
  let types = 0;
  for (const { definitions } of versions) {
    const seen = new Set<string>();
    const visit = (name: string) => {
      if (seen.has(name)) return;
      seen.add(name);
      const type = definitions.type(name);
      assert.ok(type, `${definitions.version} lacks ${name}`);
      for (const property of type.properties.values()) {
        if (property.codes) assert.ok(property.codes.size > 0, `${name}.${property.name}`);
        if (property.form === 'primitive' || property.form === 'complex') visit(property.type);
      }
    };
    definitions.resourceTypes.forEach(visit);
    types += seen.size;
  }
  assert.ok(types > 800, String(types));
});

test('choices are spelled out with the type, also for profiles of Quantity', () => {
  const properties = dstu2.type('Timing.repeat')?.properties;
  assert.deepEqual(
    ['boundsQuantity', 'boundsRange', 'boundsPeriod'].map((name) => properties?.get(name)?.type),
    ['Quantity', 'Range', 'Period'],
  );
  assert.equal(stu3.type('UsageContext')?.properties.get('valueQuantity')?.type, 'Quantity');
  assert.equal(stu3.type('Timing.repeat')?.properties.get('boundsDuration')?.type, 'Duration');
});

test('inherited elements come first', () => {
  const names = dstu2.resource('OrderResponse')?.elements.map((element) => element.name);
  assert.deepEqual(names, [
    'id',
    'meta',
    'implicitRules',
    'language',
    'text',
    'contained',
    'extension',
    'modifierExtension',
    'identifier',
    'request',
    'date',
    'who',
    'orderStatus',
    'description',
    'fulfillment',
  ]);
});

test('references keep the types that they may reach', () => {
  const { properties } = dstu2.resource('OrderResponse') ?? {};
  assert.deepEqual(properties?.get('request')?.targets, ['Order']);
  assert.deepEqual(properties?.get('who')?.targets, ['Practitioner', 'Organization', 'Device']);
  assert.equal(properties?.get('fulfillment')?.targets, undefined);
  assert.deepEqual(stu3.resource('Organization')?.properties.get('partOf')?.targets, [
    'Organization',
  ]);
});

test('required codes are listed where the list is closed, and only there', () => {
  const codes = (definitions: Definitions, type: string, name: string) =>
    definitions.type(type)?.properties.get(name)?.codes;
  assert.deepEqual(
    [...(codes(dstu2, 'Patient', 'gender') ?? [])],
    ['male', 'female', 'other', 'unknown'],
  );
  assert.ok(codes(stu3, 'OperationOutcome.issue', 'code')?.has('informational'));
  assert.ok(codes(stu3, 'CapabilityStatement.rest.resource', 'type')?.has('Organization'));
  assert.equal(codes(dstu2, 'Conformance', 'format'), undefined);
  assert.equal(codes(dstu2, 'Patient', 'language'), undefined);
});

test('the same content as another element is the same type', () => {
  assert.equal(stu3.type('Bundle.entry')?.properties.get('link')?.type, 'Bundle.link');
  assert.equal(dstu2.type('Contract.term')?.properties.get('group')?.type, 'Contract.term');
});

test('modifier elements are marked', () => {
  const isModifier = (type: string, name: string) =>
    dstu2.type(type)?.properties.get(name)?.element.isModifier;
  assert.equal(isModifier('OrderResponse', 'orderStatus'), true);
  assert.equal(isModifier('OrderResponse', 'implicitRules'), true);
  assert.equal(isModifier('OrderResponse', 'date'), false);
});

test('a name that is not a type, or not a resource, is undefined', () => {
  for (const name of ['Nothing', '', '__proto__', 'constructor', 'Bundle.Link']) {
    assert.equal(stu3.type(name), undefined);
  }
  assert.equal(stu3.resource('Address'), undefined);
  assert.equal(stu3.resource('DomainResource'), undefined);
});

test('a line that is not valid is refused', () => {
  const broken = parseDefinitions('STU3', 'any string\n\nresource Thing\n  name 0..1');
  assert.throws(() => broken.type('Thing'), /Bad line in a table: {3}name 0\.\.1/);
});
