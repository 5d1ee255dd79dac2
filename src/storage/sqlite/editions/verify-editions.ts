/** Checks the directory: its database, and every byte of the stored editions. */
import { DatabaseSync } from 'node:sqlite';
import { checkEditionFolder, EDITION_REMEDY, editionPath } from '../../editions/edition-folder.ts';
import type { DataFolder } from '../../files/data-folder.ts';
import { storageError } from '../../files/storage-error.ts';
import type { CheckedPart } from '../../repository/verification.ts';
import { failedCheck } from '../../repository/verification.ts';
import {
  requireIntegrity,
  requireSchema,
  schemaFindings,
  schemaVersion,
} from '../database/database.ts';
import { viewsWithChecksums } from '../migrations/directory.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './edition-catalogue.ts';

/** Yields each part when it is checked. An import can prune editions meanwhile. */
export function* verifyEditions(folder: DataFolder): Generator<CheckedPart> {
  const { directoryDatabase: path } = folder;
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    const version = schemaVersion(database);
    if (version === SCHEMA_WITHOUT_CHECKSUMS) database.exec(viewsWithChecksums);
    else requireSchema(database, path, EDITION_MIGRATIONS.length);
    const broken = finding(path, NEW_FOLDER, () => requireIntegrity(database));
    if (broken.findings.length > 0) {
      yield { name: 'directory.db', ...broken };
      return;
    }
    const catalogue = new EditionCatalogue(database);
    const migrations = EDITION_MIGRATIONS.slice(0, version);
    const findings = [...catalogue.findings(), ...schemaFindings(database, migrations)];
    yield { name: 'directory.db', findings, ...remedyOf(findings) };
    for (const { number, manifest_checksum: checksum } of catalogue.list().keptRows) {
      if (!catalogue.list().isKept(number)) continue; // its row is damaged, or an import pruned it
      const folderPath = editionPath(folder, number);
      const found = finding(folderPath, EDITION_REMEDY, () =>
        checkEditionFolder(folderPath, checksum),
      );
      if (catalogue.list().isKept(number)) yield { name: `edition ${number}`, ...found };
    }
  } catch (fault) {
    yield { name: 'directory.db', ...failedCheck(storageError(fault, path), NEW_FOLDER) };
  }
}

/** The schema of version 0.1.0. It is checked without a migration, which the first start does. */
const SCHEMA_WITHOUT_CHECKSUMS = 1;

/** Backups have no editions, and no import can use the database. */
const NEW_FOLDER = 'Import the release into a new data folder.';

const remedyOf = ({ length }: readonly string[]) => length > 0 && { remedy: EDITION_REMEDY };

function finding(path: string, remedy: string, check: () => void): Omit<CheckedPart, 'name'> {
  try {
    check();
    return { findings: [] };
  } catch (fault) {
    return failedCheck(storageError(fault, path), remedy);
  }
}
