/**
 * The roles of organisations by their numbers.
 *
 * Arrays: `role-numbers.ids` (the numbers, ascending), `role-numbers.rows` (for each of them the row of
 * its organisation, and in the lowest bit whether the role is active). Rows are numbered over both
 * sections of an edition: full records, then reference-only ones. Eight bytes for each role.
 */

import { wordsNamed } from '../arrays/array-named.ts';
import { type NamedArrays, REFERENCES, sharedWords, withoutPrefix } from '../arrays/arrays.ts';
import { lowest } from '../arrays/binary-search.ts';
import { GrowingArray } from '../arrays/growing-array.ts';
import { NO_ROW, type RowsBefore } from '../arrays/rows-before.ts';
import { lengthBytes, openRows, type Rows, readLength } from '../record/rows.ts';
import { slotOfNumber } from '../record/shape.ts';

export interface RoleNumbers {
  /** The number of roles that have a number. */
  readonly count: number;
  /** The first place of the number. */
  placeOf(id: number): number | undefined;
  /** Places are counted from 0, in the order of the numbers. */
  idAt(place: number): number;
  rowAt(place: number): number;
  isActiveAt(place: number): boolean;
}

const IDS = 'role-numbers.ids';
const ROWS = 'role-numbers.rows';

/** The names of the arrays that `buildRoleNumbers` makes. */
export const ROLE_NUMBER_ARRAYS: readonly string[] = [IDS, ROWS];

/** Cheap: arrays are not copied. */
export function openRoleNumbers(arrays: NamedArrays): RoleNumbers {
  const ids = wordsNamed(arrays, IDS);
  const rows = wordsNamed(arrays, ROWS);
  return {
    count: ids.length,
    placeOf: (id) => {
      const place = lowest(ids.length, (at) => ids[at]! >= id);
      return ids[place] === id ? place : undefined;
    },
    idAt: (place) => ids[place]!,
    rowAt: (place) => rows[place]! >>> 1,
    isActiveAt: (place) => (rows[place]! & 1) === 1,
  };
}

/** Both sections of the edition before. */
export interface SectionsBefore {
  readonly full: RowsBefore;
  readonly references: RowsBefore;
}

/** Takes the roles of rows that have not changed from the edition before. */
export function buildRoleNumbers(arrays: NamedArrays, before?: SectionsBefore): NamedArrays {
  const references = withoutPrefix(REFERENCES, arrays);
  const full = openRows(arrays);
  const others = references['rows.shape'] === undefined ? undefined : openRows(references);
  const isMerged = before !== undefined && before.full.arrays[IDS] !== undefined;
  const found = new FoundRoles();
  found.read(full, 0, isMerged ? before.full.changed : undefined);
  if (others !== undefined) {
    found.read(others, full.count, isMerged ? before.references.changed : undefined);
  }
  const sorted = found.sorted();
  return isMerged ? merged(sorted, before, full.count) : arraysOf(sorted.ids, sorted.rows);
}

interface SortedRoles {
  readonly ids: Uint32Array;
  readonly rows: Uint32Array;
}

function arraysOf(ids: Uint32Array, rows: Uint32Array): NamedArrays {
  const shared = [sharedWords(ids.length), sharedWords(rows.length)] as const;
  shared[0].set(ids);
  shared[1].set(rows);
  return { [IDS]: shared[0], [ROWS]: shared[1] };
}

/** The roles of the rows that were read, in the order of the rows. */
class FoundRoles {
  readonly #ids = new GrowingArray(Uint32Array, 1 << 12);
  readonly #rows = new GrowingArray(Uint32Array, 1 << 12);

  /** Without `wanted`, all rows. `firstRow`: the number of the first row over both sections. */
  read(rows: Rows, firstRow: number, wanted?: Uint32Array): void {
    const bytes = rows.values;
    const plans: (readonly NumberedRole[])[] = [];
    const readRow = (row: number) => {
      const shape = rows.shapeOf(row);
      plans[shape] ??= numberedRolesOf(rows, shape);
      let position = rows.startOf(row);
      let slot = 0;
      for (const role of plans[shape]) {
        for (; slot < role.slot; slot++) position = endOfValue(bytes, position);
        this.#ids.push(numberAt(bytes, position));
        this.#rows.push((firstRow + row) * 2 + Number(role.isActive));
      }
    };
    if (wanted === undefined) for (let row = 0; row < rows.count; row++) readRow(row);
    else for (const row of wanted) readRow(row);
  }

  /** By number, and then by row. */
  sorted(): SortedRoles {
    const { array: ids, length } = this.#ids;
    const keys = new Float64Array(length);
    for (let at = 0; at < length; at++) keys[at] = ids[at]! * ROLES_MAX + at;
    keys.sort();
    return {
      ids: Uint32Array.from(keys, (key) => Math.floor(key / ROLES_MAX)),
      rows: Uint32Array.from(keys, (key) => this.#rows.array[key % ROLES_MAX]!),
    };
  }
}

/** Five times the number in the national release. A key multiplies it by a number without loss. */
const ROLES_MAX = 2 ** 21;

interface NumberedRole {
  /** The slot of its number in the values of a row. */
  readonly slot: number;
  readonly isActive: boolean;
}

/** In the order of the slots. */
function numberedRolesOf(rows: Rows, shape: number): readonly NumberedRole[] {
  return rows
    .shapeAt(shape)
    .roles.flatMap(({ uniqueId, isActive }) =>
      uniqueId === undefined ? [] : [{ slot: slotOfNumber(uniqueId), isActive }],
    );
}

function endOfValue(bytes: Uint8Array, position: number): number {
  const length = readLength(bytes, position);
  return position + lengthBytes(length) + length;
}

const DIGIT_0 = 0x30;

/** The value is decimal digits. */
function numberAt(bytes: Uint8Array, position: number): number {
  const end = endOfValue(bytes, position);
  let number = 0;
  for (let at = position + 1; at < end; at++) number = number * 10 + bytes[at]! - DIGIT_0;
  return number;
}

/** The roles of unchanged rows, and the new ones between them. */
function merged(
  added: SortedRoles,
  { full, references }: SectionsBefore,
  fullCount: number,
): NamedArrays {
  const ids = wordsNamed(full.arrays, IDS);
  const rows = wordsNamed(full.arrays, ROWS);
  const fullBefore = full.now.length;
  const rowNow = (row: number) => {
    if (row < fullBefore) return full.now[row]!;
    const now = references.now[row - fullBefore]!;
    return now === NO_ROW ? NO_ROW : fullCount + now;
  };
  const keptIds = new Uint32Array(ids.length + added.ids.length);
  const keptRows = new Uint32Array(keptIds.length);
  let count = 0;
  const push = (id: number, row: number) => {
    keptIds[count] = id;
    keptRows[count++] = row;
  };
  let next = 0;
  const isBefore = (id: number, row: number) =>
    added.ids[next]! < id || (added.ids[next]! === id && added.rows[next]! < row);
  for (let place = 0; place < ids.length; place++) {
    const now = rowNow(rows[place]! >>> 1);
    if (now === NO_ROW) continue;
    const row = now * 2 + (rows[place]! & 1);
    for (; next < added.ids.length && isBefore(ids[place]!, row); next++) {
      push(added.ids[next]!, added.rows[next]!);
    }
    push(ids[place]!, row);
  }
  for (; next < added.ids.length; next++) push(added.ids[next]!, added.rows[next]!);
  return arraysOf(keptIds.subarray(0, count), keptRows.subarray(0, count));
}
