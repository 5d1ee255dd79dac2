/**
 * The table of a FHIR version from STU3 on, from the StructureDefinitions, ValueSets and CodeSystems
 * of its HL7 package.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Binding,
  type CodesOf,
  readStructure,
  type StructureDefinition,
} from './definitions-structures.ts';
import { type CodeSets, type TableType, writeTable } from './definitions-table.ts';

/**
 * `folder` is the unpacked package, such as hl7.fhir.r3.examples. `resources` are the types of
 * resource in the table, if it does not have all.
 */
export function packageTable(folder: string, resources?: readonly string[]): string {
  const read = (prefix: string) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(`${prefix}-`))
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const sets: CodeSets = new Map();
  const codesOf = codeReader(read('ValueSet'), read('CodeSystem'), sets);

  const all: StructureDefinition[] = read('StructureDefinition');
  const definitions = all.filter(
    (definition) => isOwnType(definition) && isWanted(definition, resources),
  );
  const named = new Map(definitions.map((definition) => [definition.id, definition]));
  const types = sortTypes(definitions).flatMap((definition) =>
    readStructure(definition, inheritedBy(definition, named), codesOf),
  );
  const quantity = types.findIndex((type) => type.name === 'Quantity');
  const simple = simpleQuantity(
    codesOf,
    all.find((definition) => definition.id === 'SimpleQuantity'),
  );
  return writeTable(types.toSpliced(quantity + 1, 0, simple), sets);
}

/** Resources and data types, not the profiles on them, nor primitives and logical models. */
function isOwnType(definition: StructureDefinition): boolean {
  if (definition.kind !== 'resource' && definition.kind !== 'complex-type') return false;
  return definition.derivation !== 'constraint';
}

/** Every data type is wanted, because an extension can have a value of it. */
function isWanted(
  { id, kind, abstract }: StructureDefinition,
  resources: readonly string[] | undefined,
): boolean {
  return kind !== 'resource' || abstract || resources === undefined || resources.includes(id);
}

const ROOTS = ['Element', 'BackboneElement', 'Resource', 'DomainResource'];

/** Abstract types, data types, resources; each in the order of the alphabet. */
export function sortTypes<T extends { readonly id: string; readonly kind: string }>(
  types: readonly T[],
): T[] {
  const rank = (type: T) => {
    const root = ROOTS.indexOf(type.id);
    if (root >= 0) return root;
    return ROOTS.length + (type.kind === 'resource' ? 1 : 0);
  };
  return types.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
}

/** The names of the elements that a type has from the types it extends. */
function inheritedBy(
  definition: StructureDefinition,
  named: ReadonlyMap<string, StructureDefinition>,
): ReadonlySet<string> {
  const base = named.get(definition.baseDefinition?.split('/').at(-1) ?? '');
  if (base === undefined) return new Set();
  const names = base.snapshot.element.map((element) => element.path.split('.'));
  return new Set(names.filter((parts) => parts.length === 2).map((parts) => parts[1] ?? ''));
}

/** A profile that data types name as if it were a type: a Quantity without comparator. */
function simpleQuantity(codesOf: CodesOf, profile: StructureDefinition | undefined): TableType {
  if (profile === undefined) throw new Error('The package lacks SimpleQuantity.');
  const [type] = readStructure(
    { ...profile, id: 'Quantity' },
    new Set(['id', 'extension']),
    codesOf,
  );
  if (type === undefined) throw new Error('SimpleQuantity has no elements.');
  return {
    kind: 'data',
    name: profile.id,
    as: 'Quantity',
    extends: 'Element',
    elements: type.elements,
  };
}

interface ValueSet {
  readonly id: string;
  readonly url: string;
  readonly compose: { readonly include: readonly Include[] };
}

interface Include {
  readonly system: string;
  readonly concept?: readonly Concept[];
  readonly filter?: unknown;
}

interface CodeSystem {
  readonly url: string;
  readonly content: string;
  readonly concept: readonly Concept[];
}

interface Concept {
  readonly code: string;
  readonly property?: readonly { readonly code: string; readonly valueBoolean?: boolean }[];
  readonly concept?: readonly Concept[];
}

/** Expands the value sets that `code` elements are bound to, where they are closed lists. */
function codeReader(
  valueSets: readonly ValueSet[],
  codeSystems: readonly CodeSystem[],
  sets: CodeSets,
): CodesOf {
  const valueSetAt = new Map(valueSets.map((valueSet) => [valueSet.url, valueSet]));
  const systemAt = new Map(codeSystems.map((system) => [system.url, system]));
  return ({ binding, type }) => {
    if (binding?.strength !== 'required' || type?.[0]?.code !== 'code') return undefined;
    const valueSet = valueSetAt.get(urlOf(binding));
    if (valueSet === undefined) return undefined;
    const { include: includes } = valueSet.compose;
    const isOpen = ({ system, concept }: Include) =>
      concept === undefined && OPEN_SYSTEMS.has(system);
    if (includes.some(isOpen)) return undefined;
    const codes = includes.flatMap((include) => expand(include, systemAt));
    sets.set(valueSet.id, [...new Set(codes)]);
    return valueSet.id;
  };
}

/** Media types, languages, currencies and units, which FHIR does not list in full. */
const OPEN_SYSTEMS: ReadonlySet<string> = new Set([
  'urn:ietf:bcp:13',
  'urn:ietf:bcp:47',
  'urn:iso:std:iso:4217',
  'http://unitsofmeasure.org',
]);

function expand(include: Include, systems: ReadonlyMap<string, CodeSystem>): string[] {
  const system = systems.get(include.system);
  const concepts = include.concept ?? system?.concept;
  if (include.filter !== undefined || concepts === undefined) {
    throw new Error(`Cannot expand the codes of ${include.system}.`);
  }
  return concepts.flatMap(codesBelow);
}

/** Without those that only group others. */
function codesBelow({ code, property, concept }: Concept): string[] {
  const isGroup = property?.some((p) => p.code === 'notSelectable' && p.valueBoolean === true);
  return [...(isGroup ? [] : [code]), ...(concept ?? []).flatMap(codesBelow)];
}

export function urlOf(binding: Binding): string {
  const url = binding.valueSetReference?.reference ?? binding.valueSetUri ?? binding.valueSet;
  return url?.replace(/\|.*/, '') ?? '';
}
