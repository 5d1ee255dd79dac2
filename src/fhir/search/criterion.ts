/** A search as plain data: the parsers of parameters make it, and each index compiles it. */
import { type DateCriterion, type DateEntry, matchesDate } from './date.ts';
import { matchesReference, type ReferenceCriterion, type ReferenceEntry } from './reference.ts';
import { fold, matchesString, type StringCriterion, type StringEntry } from './string.ts';
import { matchesToken, type NotCriterion, type TokenCriterion, type TokenEntry } from './token.ts';

/**
 * One condition of a search. The file of each parameter type defines the criterion and the index
 * entries of that type.
 */
export type Criterion<Field extends string = string> =
  | DateCriterion<Field>
  | StringCriterion<Field>
  | TokenCriterion<Field>;

/** A condition of a search of stored resources. */
export type ResourceCriterion = PlainCriterion | NotCriterion<PlainCriterion>;

type PlainCriterion = Criterion | ReferenceCriterion | MissingCriterion;

/** A condition of a search of an index of columns. */
export type IndexCriterion = FieldCriterion | NearCriterion | RowsCriterion;

/** A condition about one field. */
export type FieldCriterion = ColumnCriterion | NotCriterion<ColumnCriterion>;

export type ColumnCriterion = Criterion | ReferenceCriterion | CompositeCriterion;

/** Matches a resource by whether its field has entries. */
export interface MissingCriterion {
  readonly type: 'missing';
  readonly field: string;
  readonly isMissing: boolean;
}

/**
 * Matches what is at most this far from a place. Without another order, the nearest come first.
 * https://hl7.org/fhir/R4/location.html#positional
 */
export interface NearCriterion {
  readonly type: 'near';
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  readonly metres: number;
}

/** Matches rows of an index that something else has found. */
export interface RowsCriterion {
  readonly type: 'rows';
  /** Ascending, each row once. */
  readonly rows: Uint32Array;
}

/** One value of a resource, as an index holds it for a field. */
export type IndexEntry = DateEntry | StringEntry | TokenEntry | ReferenceEntry;

/** An entry of the index of one field. All entries of a field have the same type. */
export type FieldEntry = IndexEntry & { readonly field: string };

/** All criteria must hold. A query without criteria matches every resource. */
export interface Query<C extends ResourceCriterion | IndexCriterion = Criterion> {
  readonly criteria: readonly C[];
}

/** The search of a conditional write. */
export interface Condition {
  readonly criteria: readonly ResourceCriterion[];
  /** The search as a query string; for the audit log. */
  readonly parameters: string;
}

/** Whether a resource with these entries matches. A store of resources must agree. */
export function matches(criterion: ResourceCriterion, entries: readonly FieldEntry[]): boolean {
  if (criterion.type === 'not') return !matches(criterion.criterion, entries);
  const own = entries.filter(({ field }) => field === criterion.field);
  switch (criterion.type) {
    case 'missing':
      return (own.length === 0) === criterion.isMissing;
    case 'token': {
      const { values, ignoreCase = false } = criterion;
      return own.some(
        (entry) =>
          'code' in entry && values.some((value) => matchesToken(entry, value, ignoreCase)),
      );
    }
    case 'reference':
      return own.some(
        (entry) =>
          'prefix' in entry && criterion.values.some((value) => matchesReference(entry, value)),
      );
    case 'date':
      return own.some(
        (entry) => 'start' in entry && criterion.values.some((value) => matchesDate(entry, value)),
      );
    case 'string': {
      const { match } = criterion;
      const values = criterion.values.map((value) => (match === 'exact' ? value : fold(value)));
      return own.some(
        (entry) => 'folded' in entry && values.some((value) => matchesString(entry, match, value)),
      );
    }
  }
}

/** One item of a resource, as an index holds it: the code of each component. */
export type CompositeEntry = Readonly<Record<string, string>>;

/** Matches a resource if one item of its field has all components. */
export interface CompositeCriterion<Field extends string = string> {
  readonly type: 'composite';
  readonly field: Field;
  /** The codes of each component, of which the item must have one. Others do not matter. */
  readonly components: Readonly<Record<string, readonly string[]>>;
}

/** A search would have to look at more resources than it may. */
export interface TooCostly {
  readonly kind: 'too-costly';
}
