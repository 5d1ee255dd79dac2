/** Follows what an operator imports beside the editions: postcodes and practitioners. */
import type { AboutTable, StoredTable } from '../../../directory/arrays/stored-table.ts';
import { describeError, type Log } from '../../../server/monitoring/log.ts';
import type { LogCode } from '../../../server/monitoring/log-problems.ts';
import type { ServerStore } from '../../../storage/store/store.ts';
import type { TableStore } from '../../../storage/tables/table-store.ts';
import type { EditionWatch } from './edition-watch.ts';

/** Gives the watch the current tables, and each version that replaces one. Returns the end of this. */
export async function watchTables(
  { postcodes, practitioners }: ServerStore,
  watch: EditionWatch,
  log: Log,
): Promise<() => Promise<void>> {
  const endPostcodes = await follow(postcodes, log, 'GZ208', async (stored) => {
    await watch.takePostcodes(stored);
    log.info({ postcodes: stored.about.postcodes }, 'serving postcodes');
  });
  const endPractitioners = await follow(practitioners, log, 'GZ209', async (stored) => {
    await watch.takePractitioners(stored);
    log.info({ practitioners: stored.about.practitioners }, 'serving practitioners');
  });
  return async () => {
    await endPostcodes();
    await endPractitioners();
  };
}

/** Logs, under the code, tables that cannot be read or taken. */
async function follow<About extends AboutTable>(
  table: TableStore<About>,
  log: Log,
  code: LogCode,
  take: (stored: StoredTable<About>) => Promise<void>,
): Promise<() => Promise<void>> {
  const report = (error: unknown) => log.report(code, { err: describeError(error) });
  return await table.watch((stored) => void take(stored).catch(report), report);
}
