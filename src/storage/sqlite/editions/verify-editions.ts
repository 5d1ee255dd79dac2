/** Checks the directory: its database, and every byte of the stored editions. */
import { checkEditionFolder, EDITION_REMEDY, editionPath } from '../../editions/edition-folder.ts';
import type { DataFolder } from '../../files/data-folder.ts';
import { lossOfDirectory } from '../../files/lost-databases.ts';
import { storageError } from '../../files/storage-error.ts';
import type { CheckedPart } from '../../repository/verification.ts';
import { failedCheck } from '../../repository/verification.ts';
import { requireIntegrity, schemaFindings, schemaVersion } from '../database/database.ts';
import { watchUnlocked } from '../database/open-to-read.ts';
import { unlessChanged, unlessUnread } from '../database/unread-part.ts';
import { EDITION_MIGRATIONS, EditionCatalogue, openCatalogueToRead } from './edition-catalogue.ts';

/** Yields each part when it is checked. An import can prune editions meanwhile. */
export function* verifyEditions(folder: DataFolder): Generator<CheckedPart> {
  const { directoryDatabase: path } = folder;
  const loss = lossOfDirectory(folder);
  if (loss !== undefined) {
    yield { name: DATABASE, findings: [loss.message], remedy: PUT_BACK };
    return;
  }
  const hasChanged = watchUnlocked(path);
  const { part, isOfSqlite } = verifyCatalogue(path);
  yield unlessChanged(unlessUnread(part, path, isOfSqlite), path, hasChanged());
  if (isOfSqlite) return;
  for (const found of verifyFolders(folder)) {
    const isCatalogue = found.name === DATABASE; // it could not be read, and is closed
    const read = isCatalogue ? unlessUnread(found, path, true) : found;
    // The bytes of an edition are as they were written, also if it was pruned since.
    yield read.findings.length === 0 ? read : unlessChanged(read, path, hasChanged());
  }
}

const DATABASE = 'directory.db';

/** Also tells whether the part has what SQLite reported. The catalogue cannot be used then. */
function verifyCatalogue(path: string): { part: CheckedPart; isOfSqlite: boolean } {
  try {
    using database = openCatalogueToRead(path);
    requireIntegrity(database);
    const migrations = EDITION_MIGRATIONS.slice(0, schemaVersion(database));
    const catalogue = new EditionCatalogue(database);
    const findings = [...catalogue.findings(), ...schemaFindings(database, migrations)];
    return { part: { name: DATABASE, findings, ...remedyOf(findings) }, isOfSqlite: false };
  } catch (fault) {
    const failed = failedCheck(storageError(fault, path), NEW_FOLDER);
    return { part: { name: DATABASE, ...failed }, isOfSqlite: true };
  }
}

function* verifyFolders(folder: DataFolder): Generator<CheckedPart> {
  const { directoryDatabase: path } = folder;
  try {
    using database = openCatalogueToRead(path);
    const catalogue = new EditionCatalogue(database);
    for (const { number, manifest_checksum: checksum } of catalogue.list().keptRows) {
      if (!catalogue.list().isKept(number)) continue; // its row is damaged, or an import pruned it
      const folderPath = editionPath(folder, number);
      const found = finding(folderPath, EDITION_REMEDY, () =>
        checkEditionFolder(folderPath, checksum),
      );
      if (catalogue.list().isKept(number)) yield { name: `edition ${number}`, ...found };
    }
  } catch (fault) {
    yield { name: DATABASE, ...failedCheck(storageError(fault, path), NEW_FOLDER) };
  }
}

const PUT_BACK =
  'Put directory.db back, or move the folder editions away and import the release again.';

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
