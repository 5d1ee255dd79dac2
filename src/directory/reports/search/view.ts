/** An edition as searches show it on a day: names and roles of organisations, and their texts. */
import { displaysOf } from '../../answer/resource-parts.ts';
import type { Edition } from '../../edition/edition.ts';
import { recordAt } from '../../edition/edition-records.ts';
import { createFindGeography, type FindGeography } from '../../export/geography.ts';
import { primaryRoleOf } from '../../record/record-facts.ts';

export interface SearchView {
  readonly edition: Edition;
  /** `YYYY-MM-DD`. Relationships and roles are those in force on it. */
  readonly day: string;
  readonly findGeography: FindGeography;
  /** The name of the organisation with this row, which is numbered as in `relations`. */
  nameOf(row: number | undefined): string | undefined;
  /** The code of its primary role, without `RO`. */
  primaryRoleOf(row: number | undefined): string | undefined;
  roleName(role: string | undefined): string | undefined;
}

/** It keeps the names that it has found: many organisations have a relationship to the same one. */
export function createSearchView(edition: Edition, day: string): SearchView {
  const { rows, references, codeSystems } = edition;
  const roleNames = displaysOf(codeSystems.roles);
  const names = new Map<number, string | undefined>();
  // By shape. It takes a fraction of the time to read the record.
  const roles = [new Map<number, string | undefined>(), new Map<number, string | undefined>()];
  return {
    edition,
    day,
    findGeography: createFindGeography(edition, day),
    nameOf: (row) => {
      if (row === undefined) return undefined;
      if (!names.has(row)) names.set(row, recordAt(edition, row).name);
      return names.get(row);
    },
    primaryRoleOf: (row) => {
      if (row === undefined) return undefined;
      const isFull = row < rows.count;
      const section = isFull ? rows : references.rows;
      const known = roles[Number(isFull)]!;
      const shape = section.shapeOf(isFull ? row : row - rows.count);
      if (!known.has(shape)) {
        known.set(shape, primaryRoleOf(section.shapeAt(shape))?.code);
      }
      return known.get(shape);
    },
    roleName: (role) => (role === undefined ? undefined : roleNames.get(role)),
  };
}
