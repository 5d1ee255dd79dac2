/** Checks the directory: its database, and every byte of the stored editions. */
import { checkEditionFolder, EDITION_REMEDY, editionPath } from '../../editions/edition-folder.ts';
import type { DataFolder } from '../../files/data-folder.ts';
import { hasLostDirectory } from '../../files/lost-databases.ts';
import { storageError } from '../../files/storage-error.ts';
import type { CheckedPart } from '../../repository/verification.ts';
import { failedCheck } from '../../repository/verification.ts';
import { requireIntegrity, schemaFindings, schemaVersion } from '../database/database.ts';
import { unlessUnread } from '../database/unread-part.ts';
import { EDITION_MIGRATIONS, EditionCatalogue, openCatalogueToRead } from './edition-catalogue.ts';

/** Yields each part when it is checked. An import can prune editions meanwhile. */
export function* verifyEditions(folder: DataFolder): Generator<CheckedPart> {
  for (const part of verifyParts(folder)) {
    yield part.name === DATABASE ? unlessUnread(part, folder.directoryDatabase) : part;
  }
}

const DATABASE = 'directory.db';

function* verifyParts(folder: DataFolder): Generator<CheckedPart> {
  const { directoryDatabase: path } = folder;
  if (hasLostDirectory(folder)) {
    const finding = `${path}: missing or empty, though there are editions; put it back, or import again`;
    yield { name: DATABASE, findings: [finding], remedy: 'Import the release again.' };
    return;
  }
  try {
    using database = openCatalogueToRead(path);
    const broken = finding(path, NEW_FOLDER, () => requireIntegrity(database));
    if (broken.findings.length > 0) {
      yield { name: DATABASE, ...broken };
      return;
    }
    const catalogue = new EditionCatalogue(database);
    const migrations = EDITION_MIGRATIONS.slice(0, schemaVersion(database));
    const findings = [...catalogue.findings(), ...schemaFindings(database, migrations)];
    yield { name: DATABASE, findings, ...remedyOf(findings) };
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
