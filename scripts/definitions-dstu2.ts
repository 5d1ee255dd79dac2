/** The DSTU2 table: resources from StructureDefinitions, data types and codes from the XSD. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBudget } from '../src/fhir/format/limits.ts';
import { readXml, type XmlElement } from '../src/fhir/format/xml-reader.ts';
import { urlOf } from './definitions-package.ts';
import {
  lastSegment,
  readStructure,
  type SnapshotElement,
  type StructureDefinition,
} from './definitions-structures.ts';
import {
  type CodeSets,
  type TableElement,
  type TableType,
  writeTable,
} from './definitions-table.ts';

/** @param folder the unpacked fhir@3.3.1 */
export function dstu2Table(folder: string): string {
  const schema = readSchema(readFileSync(join(folder, 'schemas/dstu2/fhir-single.xsd'), 'utf8'));
  const profiles = join(folder, 'profiles/dstu2');
  const definitions: StructureDefinition[] = readdirSync(profiles).map((file) =>
    JSON.parse(readFileSync(join(profiles, file), 'utf8')),
  );
  const known = new Map(definitions.map((definition) => [definition.id, definition]));
  const resourceCodes = [...schema.resources, ...ABSTRACT_RESOURCES].toSorted();
  const sets: CodeSets = new Map([['resource-types', resourceCodes]]);
  const inherited = (definition: StructureDefinition) =>
    new Set(definition.base?.endsWith('/DomainResource') ? [...RESOURCE, ...DOMAIN] : RESOURCE);
  const resourceTypes = () =>
    schema.resources.toSorted().flatMap((name) => {
      const definition = known.get(name);
      // The package lacks the definitions of Account and Contract, and the one of Parameters lacks
      // two types of values; the schema has them all.
      if (definition === undefined || name === 'Parameters') return schemaTypes(schema, name, sets);
      return readStructure(definition, inherited(definition), codeReader(schema, definition, sets));
    });

  const roots = ROOT_TYPES.flatMap((name) => schemaTypes(schema, name, sets));
  const data = schema.dataTypes.toSorted().flatMap((name) => schemaTypes(schema, name, sets));
  // Once to collect the code sets, which some resources share with later ones, then for good.
  resourceTypes();
  return writeTable([...roots, ...data.map(asTargets), ...resourceTypes()], sets);
}

/** The value set of resource types has them too: https://hl7.org/fhir/DSTU2/valueset-resource-types.html */
const ABSTRACT_RESOURCES = ['Resource', 'DomainResource'];
const ROOT_TYPES = ['Element', 'BackboneElement', ...ABSTRACT_RESOURCES];
const RESOURCE = ['id', 'meta', 'implicitRules', 'language'];
const DOMAIN = ['text', 'contained', 'extension', 'modifierExtension'];

/** Profiles that the schema has as types, which differ from Quantity in nothing but invariants. */
const QUANTITIES = ['Age', 'Count', 'Distance', 'Duration', 'Money'];

/** What the schema cannot say about data types: modifier elements, and targets of references. */
const MODIFIERS = [
  '.modifierExtension',
  'Resource.implicitRules',
  'Identifier.use',
  'ContactPoint.use',
  'Address.use',
  'HumanName.use',
];
const TARGETS: ReadonlyMap<string, string> = new Map([
  ['Identifier.assigner', 'Organization'],
  ['Annotation.author[x]', 'Practitioner|Patient|RelatedPerson'],
  ['Signature.who[x]', 'Practitioner|RelatedPerson|Patient|Device|Organization'],
]);

interface Schema {
  readonly complex: ReadonlyMap<string, XmlElement>;
  /** `AdministrativeGender` to its codes. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
  /** The same by the name of the value set: the schema writes lists that many share as `code`. */
  readonly codesAlike: (valueSet: string) => readonly string[] | undefined;
  readonly dataTypes: readonly string[];
  readonly resources: readonly string[];
}

function readSchema(text: string): Schema {
  const root = readXml(text, startBudget({ depthMax: 64, elementsMax: Number.POSITIVE_INFINITY }));
  const complex = new Map<string, XmlElement>();
  const codes = new Map<string, readonly string[]>();
  const resources = new Set<string>();
  for (const child of elementsOf(root)) {
    const name = attribute(child, 'name');
    if (child.name === 'complexType') complex.set(name, child);
    if (child.name === 'element') resources.add(name);
    if (child.name === 'simpleType' && name.endsWith('-list')) {
      const values = descendants(child, 'enumeration').map((value) => attribute(value, 'value'));
      codes.set(name.slice(0, -'-list'.length), values);
    }
  }
  const skipped = new Set([...ROOT_TYPES, ...QUANTITIES, 'ResourceContainer', ...resources]);
  const dataTypes = [...complex].filter(([name, type]) => {
    if (skipped.has(name) || name.includes('.') || codes.has(name)) return false;
    return descendants(type, 'sequence').length > 0;
  });
  const alike = new Map([...codes].map(([name, values]) => [name.toLowerCase(), values]));
  return {
    complex,
    codes,
    codesAlike: (valueSet) => alike.get(valueSet.replaceAll('-', '')),
    dataTypes: dataTypes.map(([name]) => name),
    resources: [...resources],
  };
}

/** A type of the schema with its parts (`Timing.Repeat`, here `Timing.repeat`). */
function schemaTypes(
  schema: Schema,
  name: string,
  sets: CodeSets,
  paths = new Map([[name, name]]),
): TableType[] {
  const type = schema.complex.get(name);
  const path = paths.get(name);
  if (type === undefined || path === undefined) throw new Error(`The schema has no type ${name}.`);
  const parts: TableType[] = [];
  const elements = schemaParticles(type).map((particle): TableElement => {
    const place = `${path}.${particle.name}`;
    const types = particle.types.map((used) => {
      if (!used.includes('.')) return tableType(schema, used);
      const known = paths.get(used);
      if (known !== undefined) return known;
      paths.set(used, place);
      parts.push(...schemaTypes(schema, used, sets, paths));
      return place;
    });
    const codes =
      particle.types.length === 1 ? codeSet(schema, particle.types[0], sets) : undefined;
    return { ...particle, types, codes, isModifier: MODIFIERS.some((end) => place.endsWith(end)) };
  });
  return [{ ...schemaHeader(schema, name, path, type), elements }, ...parts];
}

function schemaHeader(schema: Schema, name: string, path: string, type: XmlElement) {
  if (name === 'SimpleQuantity') {
    return { kind: 'data', name, as: 'Quantity', extends: 'Element' } as const;
  }
  const base = descendants(type, 'extension')[0];
  const parent = base === undefined ? {} : { extends: attribute(base, 'base') };
  if (ROOT_TYPES.includes(name)) return { kind: 'abstract', name, ...parent } as const;
  if (path.includes('.')) return { kind: 'part', name: path, ...parent } as const;
  const kind = schema.resources.includes(name) ? 'resource' : 'data';
  return { kind, name, ...parent } as const;
}

type Particle = Pick<TableElement, 'name' | 'min' | 'max' | 'types'>;

/** Attributes first, then the elements of the sequence, a choice counted as one element. */
function schemaParticles(type: XmlElement): Particle[] {
  const attributes = descendants(type, 'attribute').map((node) => ({
    name: `@${attribute(node, 'name')}`,
    min: attribute(node, 'use') === 'required' ? 1 : 0,
    max: '1',
    types: [attribute(node, 'type').replace('-primitive', '')],
  }));
  const sequence = descendants(type, 'sequence')[0];
  const particles = elementsOf(sequence).map((node): Particle => {
    if (node.name === 'choice') {
      const options = elementsOf(node).filter((option) => option.name === 'element');
      const first = attribute(options[0], 'name');
      const prefix = first.slice(0, first.length - suffixOf(attribute(options[0], 'type')).length);
      const types = options.map((option) => attribute(option, 'type'));
      return { name: `${prefix}[x]`, ...occurs(node), types };
    }
    const name = attribute(node, 'name') || 'div';
    return { name, ...occurs(node), types: [attribute(node, 'type') || 'xhtml'] };
  });
  const isInherited = attribute(type, 'name') === 'SimpleQuantity' ? ['@id', 'extension'] : [];
  return [...attributes, ...particles].filter(({ name }) => !isInherited.includes(name));
}

/** The name that a choice takes on for a type of the schema. */
function suffixOf(type: string): string {
  const named = [...QUANTITIES, 'SimpleQuantity'].includes(type) ? 'Quantity' : type;
  return named.charAt(0).toUpperCase() + named.slice(1);
}

function occurs(node: XmlElement): { min: number; max: string } {
  const max = attribute(node, 'maxOccurs') || '1';
  return { min: Number(attribute(node, 'minOccurs') || '1'), max: max === 'unbounded' ? '*' : max };
}

function tableType(schema: Schema, type: string): string {
  if (schema.codes.has(type)) return 'code';
  if (QUANTITIES.includes(type)) return 'Quantity';
  if (type === 'SampledDataDataType') return 'string';
  return type === 'ResourceContainer' ? 'Resource' : type;
}

function asTargets(type: TableType): TableType {
  const elements = type.elements.map((element) => {
    const targets = TARGETS.get(`${type.name}.${element.name}`);
    if (targets === undefined) return element;
    const types = element.types.map((t) => (t === 'Reference' ? `Reference(${targets})` : t));
    return { ...element, types };
  });
  return { ...type, elements };
}

/** The code set of an element of a resource: where the schema has a closed list at its place. */
function codeReader(schema: Schema, definition: StructureDefinition, sets: CodeSets) {
  const schemaTypeAt = schemaPaths(schema, definition.id);
  return ({ path, type, binding }: SnapshotElement): string | undefined => {
    if (type?.[0]?.code !== 'code' || binding?.strength !== 'required') return undefined;
    const name = lastSegment(urlOf(binding)) ?? '';
    const codes = schema.codes.get(schemaTypeAt.get(path) ?? '') ?? schema.codesAlike(name);
    if (codes === undefined) return sets.has(name) ? name : undefined;
    return keepSet(sets, name, codes);
  };
}

/** `Bundle.entry.search.mode` to the name of its type in the schema. */
function schemaPaths(schema: Schema, resource: string): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const walk = (typeName: string, path: string) => {
    const type = schema.complex.get(typeName);
    if (type === undefined) return;
    for (const particle of schemaParticles(type)) {
      const place = `${path}.${particle.name}`;
      const used = particle.types[0] ?? '';
      paths.set(place, used);
      // "The same content as" may lead round in a circle; no part is below itself otherwise.
      if (used.startsWith(`${resource}.`) && !path.split('.').includes(particle.name)) {
        walk(used, place);
      }
    }
  };
  walk(resource, resource);
  return paths;
}

/** The set of a data type is named after the schema's type. */
function codeSet(schema: Schema, type: string | undefined, sets: CodeSets): string | undefined {
  const codes = type === undefined ? undefined : schema.codes.get(type);
  if (type === undefined || codes === undefined) return undefined;
  const name = type.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return keepSet(sets, name, codes);
}

function keepSet(sets: CodeSets, name: string, codes: readonly string[]): string {
  const known = sets.get(name);
  if (known !== undefined && known.join() !== codes.join()) {
    throw new Error(`Two code sets have the name ${name}.`);
  }
  sets.set(name, codes);
  return name;
}

function elementsOf(node: XmlElement | undefined): XmlElement[] {
  return (node?.content ?? []).filter((child) => typeof child !== 'string');
}

function descendants(node: XmlElement, name: string): XmlElement[] {
  return elementsOf(node).flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...descendants(child, name),
  ]);
}

function attribute(node: XmlElement | undefined, name: string): string {
  return node?.attributes.find((candidate) => candidate.name === name)?.value ?? '';
}
