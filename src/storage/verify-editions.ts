/** Checks the directory: its database, and every byte of the editions that are kept. */
import { DatabaseSync } from 'node:sqlite';
import type { DataFolder } from './data-folder.ts';
import { schemaFindings } from './sqlite/check-schema.ts';
import { demandIntegrity, demandSchema } from './sqlite/database.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './sqlite/edition-catalogue.ts';
import { checkEditionFolder, editionPath } from './sqlite/edition-folder.ts';
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
    demandSchema(opened, path, EDITION_MIGRATIONS.length);
    const broken = finding(path, () => demandIntegrity(opened));
    if (broken.length > 0) {
      yield { name: 'directory.db', findings: broken };
      return;
    }
    const catalogue = new EditionCatalogue(opened);
    const findings = [...catalogue.findings(), ...schemaFindings(opened, EDITION_MIGRATIONS)];
    yield { name: 'directory.db', findings };
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
