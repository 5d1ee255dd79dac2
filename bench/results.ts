/** Figures as JSON files, one for each table, so that a part can be measured again by itself. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULTS } from './data.ts';
import type { Table } from './figures.ts';

export interface Kept extends Table {
  readonly machine: string;
  /** The commands that measured it, the last one last. */
  readonly commands: readonly string[];
  readonly records: number;
}

/** Cases that were measured again in the same way replace their earlier figures alone. */
export function keepFigures(kept: Kept): void {
  mkdirSync(folderOf(kept.records), { recursive: true });
  const file = fileOf(kept.records, kept.name);
  const earlier: Kept | undefined = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : undefined;
  const merged = earlier === undefined ? kept : merge(earlier, kept);
  writeFileSync(file, `${JSON.stringify(merged, withoutNaN, 2)}\n`);
}

/** JSON has no NaN, so a figure that was not measured becomes an empty cell. */
function withoutNaN(_: string, value: unknown): unknown {
  return Number.isNaN(value) ? '' : value;
}

function merge(earlier: Kept, kept: Kept): Kept {
  const isSame =
    earlier.title === kept.title &&
    earlier.machine === kept.machine &&
    earlier.columns.join() === kept.columns.join();
  const fresh = new Map(kept.rows.map((row) => [row[0], row]));
  const isWhole = earlier.rows.every(([name]) => fresh.has(name ?? ''));
  if (!isSame || isWhole) return kept;
  const names = new Set(earlier.rows.map(([name]) => name));
  return {
    ...kept,
    commands: [...new Set([...earlier.commands, ...kept.commands])],
    rows: [
      ...earlier.rows.map((row) => fresh.get(row[0] ?? '') ?? row),
      ...kept.rows.filter(([name]) => !names.has(name)),
    ],
  };
}

/** The last measurements. Throws if there are none. */
export function keptFigures(records: number, name: string): Kept {
  return JSON.parse(readFileSync(fileOf(records, name), 'utf8'));
}

/** Whether a table was ever measured. */
export function hasFigures(records: number, name: string): boolean {
  return existsSync(fileOf(records, name));
}

function folderOf(records: number): string {
  return join(RESULTS, String(records), 'figures');
}

function fileOf(records: number, name: string): string {
  return join(folderOf(records), `${name}.json`);
}
