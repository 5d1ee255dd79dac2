/** The options of a store in tests. */
import type { StoreOptions } from '../../src/storage/store/store.ts';

export function storeOptions(dataFolder: string): StoreOptions {
  return { dataFolder, poolSize: 4, failoverSeconds: 60 };
}
