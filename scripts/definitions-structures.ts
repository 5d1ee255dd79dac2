/** Reads StructureDefinition snapshots (STU3 and DSTU2) into types of the table. */
import type { TableElement, TableType } from './definitions-table.ts';

export interface StructureDefinition {
  readonly id: string;
  readonly kind: string;
  readonly abstract: boolean;
  readonly derivation?: string;
  readonly baseDefinition?: string;
  readonly base?: string;
  readonly snapshot: { readonly element: readonly SnapshotElement[] };
}

export interface SnapshotElement {
  readonly path: string;
  readonly name?: string;
  readonly min: number;
  readonly max: string;
  readonly representation?: readonly string[];
  readonly type?: readonly SnapshotType[];
  readonly contentReference?: string;
  readonly nameReference?: string;
  readonly isModifier?: boolean;
  readonly binding?: Binding;
}

export interface Binding {
  readonly strength: string;
  readonly valueSetReference?: { readonly reference: string };
  readonly valueSetUri?: string;
  /** R4: with the version after a bar. */
  readonly valueSet?: string;
}

interface SnapshotType {
  readonly code?: string;
  /** DSTU2: profiles of the type, or the targets of a reference, one per entry. */
  readonly profile?: string | readonly string[];
  /** STU3: the target of a reference. R4: all targets. */
  readonly targetProfile?: string | readonly string[];
}

/** The name of the closed code set of an element, if it has one. */
export type CodesOf = (element: SnapshotElement) => string | undefined;

/** The type that a definition describes, followed by its parts (`Bundle.entry`). */
export function readStructure(
  definition: StructureDefinition,
  inherited: ReadonlySet<string>,
  codesOf: CodesOf,
): TableType[] {
  const all = definition.snapshot.element;
  const parents = new Set(all.map((element) => parentOf(element.path)));
  const typeAt = (path: string, kind: TableType['kind'], base: string | undefined): TableType => ({
    kind,
    name: path,
    ...(base !== undefined && { extends: base }),
    elements: all
      .filter((element) => parentOf(element.path) === path)
      .filter(
        (element) =>
          !(path === definition.id ? inherited : PART_INHERITS).has(lastOf(element.path)),
      )
      .map((element) => readElement(element, all, parents, codesOf)),
  });
  const parts = all
    .filter((element) => element.path.includes('.') && parents.has(element.path))
    .map((element) => typeAt(element.path, 'part', element.type?.[0]?.code));
  return [typeAt(definition.id, kindOf(definition), baseOf(definition)), ...parts];
}

/** What every part has from Element or BackboneElement. */
const PART_INHERITS: ReadonlySet<string> = new Set(['id', 'extension', 'modifierExtension']);

function readElement(
  element: SnapshotElement,
  all: readonly SnapshotElement[],
  parents: ReadonlySet<string>,
  codesOf: CodesOf,
): TableElement {
  const isAttribute = element.representation?.includes('xmlAttr') === true;
  return {
    name: `${isAttribute ? '@' : ''}${lastOf(element.path)}`,
    min: element.min,
    max: element.max,
    types: parents.has(element.path) ? [element.path] : readTypes(element, all),
    codes: codesOf(element),
    isModifier: element.isModifier === true,
  };
}

function readTypes(element: SnapshotElement, all: readonly SnapshotElement[]): string[] {
  if (element.contentReference !== undefined) return [element.contentReference.slice(1)];
  if (element.nameReference !== undefined) {
    const target = all.find((other) => other.name === element.nameReference);
    if (target === undefined) throw new Error(`${element.path} refers to nothing.`);
    return [target.path];
  }
  const targets = new Map<string, string[]>();
  for (const type of element.type ?? []) {
    // The value of primitives and Element.id have no code but an extension: string in effect.
    const [name, reached] = readType(type);
    targets.set(name, [...(targets.get(name) ?? []), ...reached]);
  }
  return [...targets].map(([name, reached]) => {
    if (name !== 'Reference' || reached.length === 0 || reached.includes('Resource')) return name;
    return `Reference(${reached.join('|')})`;
  });
}

function readType(type: SnapshotType): [name: string, targets: readonly string[]] {
  // R4 names the type of ids with a URL of FHIRPath.
  const code = type.code?.includes('/') === false ? type.code : 'string';
  const profile = typeof type.profile === 'string' ? type.profile : type.profile?.[0];
  if (code === 'Reference') {
    const reached = [type.targetProfile ?? profile ?? []].flat();
    return [code, reached.flatMap((url) => lastSegment(url) ?? [])];
  }
  const isSimple = code === 'Quantity' && lastSegment(profile) === 'SimpleQuantity';
  return [isSimple ? 'SimpleQuantity' : code, []];
}

function kindOf(definition: StructureDefinition): TableType['kind'] {
  if (definition.abstract) return 'abstract';
  return definition.kind === 'resource' ? 'resource' : 'data';
}

function baseOf(definition: StructureDefinition): string | undefined {
  return lastSegment(definition.baseDefinition ?? definition.base);
}

export function lastSegment(url: string | undefined): string | undefined {
  return url?.slice(url.lastIndexOf('/') + 1);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
