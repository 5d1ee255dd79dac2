/** Opens the store of a server, and locks it for this one. */
import type { Config } from '../../config/settings.ts';
import type { EditionReader } from '../../directory/edition/edition-store.ts';
import type { Log } from '../../server/monitoring/log.ts';
import { type DataFolder, openDataFolder } from '../../storage/files/data-folder.ts';
import type { ServeLock } from '../../storage/files/lock.ts';
import type { ServerStore } from '../../storage/store/store.ts';
import { openConfiguredServerStore } from '../parts/open-store.ts';
import {
  followStoreProblems,
  logEditionFindings,
  type StoreProblems,
} from './editions/edition-watch.ts';

/** The store of a server, and what the server keeps open beside it. */
export interface OpenedStore {
  readonly folder: DataFolder;
  readonly store: ServerStore;
  /** Keeps other servers out of the store. */
  readonly lock: ServeLock;
  readonly reader: EditionReader;
  readonly problems: StoreProblems;
}

/** `closing` releases the lock, and closes the readers. */
export async function openStored(
  config: Config,
  log: Log,
  closing: AsyncDisposableStack,
): Promise<OpenedStore> {
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
