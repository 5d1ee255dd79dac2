/** Opens the store of a server, and locks it for this one. */
import type { Config } from '../../config/settings.ts';
import type { Log } from '../../server/operations/log.ts';
import { openDataFolder } from '../../storage/files/data-folder.ts';
import { openConfiguredServerStore } from '../parts/open-store.ts';
import { followStoreProblems, logEditionFindings } from './editions/edition-watch.ts';

export async function openStored(config: Config, log: Log, closing: AsyncDisposableStack) {
  const folder = openDataFolder(config.data, {
    onMade: (data) => log.report('GZ101', { data }),
  });
  const store = await openConfiguredServerStore(config);
  const problems = followStoreProblems(log, config['database.url'] !== undefined);
  const lock = store.openServeLock(problems.report);
  closing.defer(lock.release);
  const reader = await store.openEditionReader(problems.report);
  closing.defer(() => reader.close());
  if (config['directory.enabled']) closing.defer(logEditionFindings(reader, log));
  return { folder, store, lock, reader, problems };
}
