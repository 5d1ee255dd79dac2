/** A temporary folder of a test or a suite. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWith, type Owner } from './owner.ts';

/** Removed when its owner ends: a test, or a suite as `{ after }`. */
export function temporaryFolder(owner: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-'));
  endWith(owner, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
