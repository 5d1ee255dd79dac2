/** Compares two editions: codes added, changed and removed, and counts by role. */
import { type Hash64, hash64 } from '../record/hash64.ts';
import type {
  OrganizationRecord,
  PeriodRecord,
  RelationshipRecord,
  SourceRecord,
} from '../record/record.ts';

export interface Difference {
  /** Organisation codes, each list in ascending order. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** By code of the primary role (without `RO`), ascending. Roles without a difference are absent. */
  readonly byRole: readonly RoleDifference[];
}

/** The number of records of one primary role that were added, changed and removed. */
export interface RoleDifference {
  readonly code: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** The part of an edition that the comparison needs, by row, in ascending order of code. */
export interface ComparableEdition {
  readonly records: number;
  code(row: number): string;
  /** The code of the record's primary role. */
  primaryRole(row: number): string;
  /** 64 bits a record, as `recordHash` gives them: the two halves at 2·row and 2·row + 1. */
  readonly hashes: Uint32Array;
  /** The values of `detailHash` in the same form. Absent if the edition does not know the details. */
  readonly detailHashes?: Uint32Array;
}

/**
 * Compares two editions in one pass over their records. Without `before`, every record is added. A
 * changed record counts for its new role, a removed record for its old role.
 */
export function findDifference(
  before: ComparableEdition | undefined,
  next: ComparableEdition,
): Difference {
  const codes: Record<Change, string[]> = { added: [], changed: [], removed: [] };
  const roles = new Map<string, RoleCounts>();
  const previous = before ?? NOTHING;
  walkEditions(previous, next, (oldRow, newRow, isSame) => {
    if (isSame) return;
    const kind = newRow === undefined ? 'removed' : oldRow === undefined ? 'added' : 'changed';
    const [edition, row] = newRow === undefined ? [previous, oldRow!] : [next, newRow];
    codes[kind].push(edition.code(row));
    countsOf(roles, edition.primaryRole(row))[kind]++;
  });
  return { ...codes, byRole: [...roles.values()].sort(byCode) };
}

/**
 * Visits the rows of two editions in the order of their codes. For a code of both editions, it gets
 * both rows, and whether the records are the same. For any other code, it gets one row.
 */
export function walkEditions(
  previous: ComparableEdition,
  next: ComparableEdition,
  visit: (oldRow: number | undefined, newRow: number | undefined, isSame: boolean) => void,
): void {
  requireHashes(previous);
  requireHashes(next);
  let oldRow = 0;
  let newRow = 0;
  let oldCode = codeAt(previous, 0);
  let newCode = codeAt(next, 0);
  while (oldCode !== undefined || newCode !== undefined) {
    const isOld = newCode === undefined || (oldCode !== undefined && oldCode <= newCode);
    const isNew = oldCode === undefined || (newCode !== undefined && newCode <= oldCode);
    const isSame = isOld && isNew && haveSameHash(previous, oldRow, next, newRow);
    visit(isOld ? oldRow : undefined, isNew ? newRow : undefined, isSame);
    if (isOld) oldCode = codeAfter(previous, oldRow++, oldCode!);
    if (isNew) newCode = codeAfter(next, newRow++, newCode!);
  }
}

/**
 * A hash over the properties of a record that every source knows, in any order. It has 64 bits of
 * SHA-256: the probability that a changed record keeps its hash is 1 in 10¹⁹. Entity tags of STU3
 * depend on it.
 */
export function recordHash(record: OrganizationRecord): Hash64 {
  return hash64(canonicalText(record));
}

/** A hash over the other properties, which only some sources know: numbers and links. */
export function detailHash({
  authority,
  roles,
  relationships = [],
  successions = [],
}: SourceRecord): Hash64 {
  return hash64(
    JSON.stringify([
      authority,
      roles.map(({ uniqueId }) => uniqueId),
      relationships.map((link) => linkParts(link.type, link.isActive, link)),
      successions.map((link) => linkParts(link.kind, link.isForward, link)),
    ]),
  );
}

/**
 * Whether two records have the same `recordHash` and the same `detailHash`: all elements of the
 * resource, with relationships and successions, but not `isReferenceOnly`.
 */
export function haveSameContent(one: SourceRecord | undefined, other: SourceRecord): boolean {
  if (one === undefined) return false;
  return [recordHash, detailHash].every((hashOf) => `${hashOf(one)}` === `${hashOf(other)}`);
}

type Change = 'added' | 'changed' | 'removed';
type RoleCounts = { -readonly [Key in keyof RoleDifference]: RoleDifference[Key] };

const NOTHING: ComparableEdition = {
  records: 0,
  code: () => '',
  primaryRole: () => '',
  hashes: new Uint32Array(0),
};

function requireHashes({ records, hashes }: ComparableEdition): void {
  if (hashes.length !== 2 * records) {
    throw new RangeError(`${records} records cannot have ${hashes.length / 2} hashes.`);
  }
}

function codeAt(edition: ComparableEdition, row: number): string | undefined {
  return row < edition.records ? edition.code(row) : undefined;
}

/** The code of the row after `row`, whose code is `code`. Throws if they are not in order. */
function codeAfter(edition: ComparableEdition, row: number, code: string): string | undefined {
  const after = codeAt(edition, row + 1);
  if (after !== undefined && after <= code) {
    throw new RangeError(`Codes are not in ascending order: ${code} before ${after}.`);
  }
  return after;
}

/** Details count only if both editions know them. */
function haveSameHash(
  previous: ComparableEdition,
  oldRow: number,
  next: ComparableEdition,
  newRow: number,
): boolean {
  if (!areEqual(previous.hashes, oldRow, next.hashes, newRow)) return false;
  const { detailHashes } = previous;
  if (detailHashes === undefined || next.detailHashes === undefined) return true;
  return areEqual(detailHashes, oldRow, next.detailHashes, newRow);
}

function areEqual(one: Uint32Array, row: number, other: Uint32Array, otherRow: number): boolean {
  return one[2 * row] === other[2 * otherRow] && one[2 * row + 1] === other[2 * otherRow + 1];
}

function countsOf(roles: Map<string, RoleCounts>, code: string): RoleCounts {
  let counts = roles.get(code);
  if (counts === undefined) {
    counts = { code, added: 0, changed: 0, removed: 0 };
    roles.set(code, counts);
  }
  return counts;
}

function byCode(left: RoleDifference, right: RoleDifference): number {
  return left.code < right.code ? -1 : 1;
}

/** Every property at a fixed position. An absent property is null, which is not a valid value. */
function canonicalText(record: OrganizationRecord): string {
  const { address } = record;
  return JSON.stringify([
    record.code,
    record.name,
    record.isActive,
    record.lastUpdated,
    record.recordClass,
    record.periods.map(periodParts),
    record.roles.map((role) => [
      role.code,
      role.isPrimary,
      role.isActive,
      role.periods.map(periodParts),
    ]),
    record.telecoms.map(({ system, value }) => [system, value]),
    address && [
      address.lines,
      address.city,
      address.district,
      address.postalCode,
      address.country,
      address.uprn,
    ],
  ]);
}

function linkParts(
  kind: string,
  flag: boolean | undefined,
  { uniqueId, periods, target }: Pick<RelationshipRecord, 'uniqueId' | 'periods' | 'target'>,
): readonly unknown[] {
  const { code, primaryRole, primaryRoleId } = target;
  return [kind, uniqueId, flag, periods.map(periodParts), [code, primaryRole, primaryRoleId]];
}

function periodParts({ kind, start, end }: PeriodRecord): readonly unknown[] {
  return [kind, start, end];
}
