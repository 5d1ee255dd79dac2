/** Tells damage of a database from errors of its disk, which SQLite also reports as damage. */
import { existsSync } from 'node:fs';
import { readThrough } from '../../files/probe-disk.ts';
import type { CheckedPart } from '../../repository/verification.ts';
import { failedCheck } from '../../repository/verification.ts';

/** The part; or, if it has findings and the disk cannot read its database, the error of the disk. */
export function unlessUnread(part: CheckedPart, path: string): CheckedPart {
  if (part.findings.length === 0 || part.isUnchecked === true) return part;
  try {
    for (const file of [path, `${path}-wal`]) if (existsSync(file)) readThrough(file);
    return part;
  } catch (error) {
    return { name: part.name, ...failedCheck(error) };
  }
}
