/** Chooses the kind of store by URL. Nothing else knows which kinds there are. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFileStore } from './sqlite/file-store.ts';
import { StorageError } from './storage-error.ts';
import type { Store } from './store.ts';

/** By the scheme of the URL. */
const STORES: Readonly<Record<string, (url: URL) => Store>> = {
  'file:': createFileStore,
};

export function openStore(url: string): Store {
  const parsed = new URL(url);
  const create = STORES[parsed.protocol];
  if (create !== undefined) return create(parsed);
  // The message leaves the URL out, because a URL can contain a password.
  throw new StorageError(
    'unusable',
    `There is no store for URLs that begin with ${parsed.protocol} Use one of ` +
      `${Object.keys(STORES).join(', ')}`,
  );
}

/** The URL of the store in a data folder. */
export function storeUrlOf(dataFolder: string): string {
  return pathToFileURL(resolve(dataFolder)).href;
}
