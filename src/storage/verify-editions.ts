/** Checks the directory: its database, and every byte of the editions that are kept. */
import { DatabaseSync } from 'node:sqlite';
import type { DataFolder } from './data-folder.ts';
import { demandIntegrity } from './sqlite/database.ts';
import { EditionCatalogue } from './sqlite/edition-catalogue.ts';
import { checkEditionFolder } from './sqlite/edition-folder.ts';
import { editionPath } from './sqlite/edition-store.ts';
import { StorageError, storageError } from './storage-error.ts';

export interface CheckedPart {
  readonly name: string;
  /** None where it is sound. */
  readonly findings: readonly string[];
}

/** Part by part, as they are checked. An import that prunes editions meanwhile does no harm. */
export function* verifyEditions(folder: DataFolder): Generator<CheckedPart> {
  const { directoryDatabase: path } = folder;
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path, { readOnly: true });
    database = opened;
    const findings = finding(path, () => demandIntegrity(opened));
    yield { name: 'directory.db', findings };
    if (findings.length > 0) return;
    const catalogue = new EditionCatalogue(opened);
    for (const { number, isOnDisk } of catalogue.list()) {
      if (!isOnDisk) continue;
      const folderPath = editionPath(folder, number);
      const found = finding(folderPath, () =>
        checkEditionFolder(folderPath, catalogue.manifestChecksum(number)),
      );
      const isKept = catalogue.find(number)?.isOnDisk === true;
      if (isKept) yield { name: `edition ${number}`, findings: found };
    }
  } catch (fault) {
    const error = storageError(fault, path);
    if (!(error instanceof StorageError)) throw error;
    yield { name: 'directory.db', findings: [error.message] };
  } finally {
    database?.close();
  }
}

function finding(path: string, check: () => void): string[] {
  try {
    check();
    return [];
  } catch (fault) {
    const error = storageError(fault, path);
    if (!(error instanceof StorageError)) throw error;
    return [error.message];
  }
}
