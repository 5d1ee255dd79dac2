/** Copies of what the servers of a database share of their fetches, in the data folder of each. */
import { readFetchDocument, writeFetchDocument } from '../../sources/fetch/fetch-state.ts';
import type {
  FetchDocument,
  FetchLock,
  SharedFetches,
} from '../../storage/store/shared-fetches.ts';

/** Brings the copies in the folder up to date. */
export async function pullFetches(shared: SharedFetches, folder: string): Promise<void> {
  for (const name of DOCUMENTS) {
    const content = await shared.read(name);
    if (content === undefined || content === readFetchDocument(folder, name)) continue;
    writeFetchDocument(folder, name, content);
  }
}

/** Lets only this program fetch. Its results are shared when it releases the lock. */
export async function lockFetches(shared: SharedFetches, folder: string): Promise<FetchLock> {
  const lock = await shared.lock('fetch');
  try {
    await pullFetches(shared, folder);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    release: async () => {
      // If the state cannot be shared now, the edition that was published stays valid.
      await pushFetches(shared, folder, 'sources').catch(() => {});
      await lock.release();
    },
  };
}

export async function pushFetches(
  shared: SharedFetches,
  folder: string,
  name: FetchDocument,
): Promise<void> {
  const content = readFetchDocument(folder, name);
  if (content !== undefined) await shared.write(name, content);
}

const DOCUMENTS: readonly FetchDocument[] = ['sources', 'planned'];
