/** Checks the editions in a database: the rows of their list, and every byte of their data. */

import type { DatabaseAddress } from '../../database-address.ts';
import { EDITION_REMEDY } from '../../editions/edition-folder.ts';
import { failedCheck } from '../../repository/verification.ts';
import type { CheckedPart } from '../../store.ts';
import { connect } from '../connection/connection.ts';
import { DOWNLOAD } from './edition-cache.ts';
import { checkChunks } from './edition-chunks.ts';
import { damagedDetails, readList } from './edition-rows.ts';

/** Yields each part when it is checked. An import can prune editions meanwhile. */
export async function* verifyDatabaseEditions(
  address: DatabaseAddress,
  stopped: AbortSignal | undefined,
): AsyncGenerator<CheckedPart> {
  const connection = await connect(address, DOWNLOAD);
  try {
    const list = await readList(connection);
    const findings = [...list.findings()];
    for (const { number } of list.infos())
      findings.push(...(await damagedDetails(connection, number)));
    yield { name: 'list of editions', findings, ...remedyOf(findings) };
    for (const { number, content, manifest_checksum: checksum } of list.keptRows) {
      stopped?.throwIfAborted();
      if (!list.isKept(number)) continue; // its row is damaged
      const place = `${connection.host}: edition ${number}`;
      const found = await finding(() => checkChunks(connection, content, checksum, place));
      if ((await readList(connection)).isKept(number))
        yield { name: `edition ${number}`, ...found };
    }
  } finally {
    await connection.close();
  }
}

const remedyOf = ({ length }: readonly string[]) => length > 0 && { remedy: EDITION_REMEDY };

async function finding(check: () => Promise<void>): Promise<Omit<CheckedPart, 'name'>> {
  try {
    await check();
    return { findings: [] };
  } catch (error) {
    return failedCheck(error, EDITION_REMEDY);
  }
}
