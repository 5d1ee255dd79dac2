/** Checks the editions in a database: the rows of their list, and every byte of their data. */

import type { DatabaseAddress } from '../../database-address.ts';
import { isAboutData } from '../../repository/verification.ts';
import { StorageError } from '../../storage-error.ts';
import type { CheckedPart } from '../../store.ts';
import { connectForDownload } from './database-editions.ts';
import { checkChunks } from './edition-chunks.ts';
import { differenceFindings } from './edition-difference.ts';
import { EditionList } from './edition-list.ts';
import { readCatalogueRows } from './edition-rows.ts';

/** Yields each part when it is checked. An import can prune editions meanwhile. */
export async function* verifyDatabaseEditions(
  address: DatabaseAddress,
  stopped: AbortSignal | undefined,
): AsyncGenerator<CheckedPart> {
  const connection = await connectForDownload(address);
  try {
    const catalogue = new EditionList(await readCatalogueRows(connection));
    const findings = [...catalogue.findings()];
    const editions = catalogue.list();
    for (const { number } of editions) {
      findings.push(...(await differenceFindings(connection, number)));
    }
    yield { name: 'list of editions', findings };
    for (const { number, isOnDisk } of editions) {
      stopped?.throwIfAborted();
      if (!isOnDisk) continue;
      const { content, manifest_checksum: checksum } = catalogue.kept(number);
      const place = `${connection.host}: edition ${number}`;
      const found = await finding(() => checkChunks(connection, content, checksum, place));
      const now = new EditionList(await readCatalogueRows(connection));
      if (now.find(number)?.isOnDisk === true) yield { name: `edition ${number}`, ...found };
    }
  } finally {
    await connection.close();
  }
}

async function finding(check: () => Promise<void>): Promise<Omit<CheckedPart, 'name'>> {
  try {
    await check();
    return { findings: [] };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { findings: [error.message], isUnchecked: !isAboutData(error) };
  }
}
