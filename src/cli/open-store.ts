/** Opens the store that the settings name: a database, or the data folder. */
import { sectionOf } from '../config/section.ts';
import type { Config } from '../config/settings.ts';
import { type Edition, openEdition } from '../directory/edition/edition.ts';
import { EditionGoneError } from '../directory/edition/edition-store.ts';
import { openServerStore, openStore, storeUrlOf } from '../storage/open.ts';
import type { ServerStore, Store, StoreOptions } from '../storage/store.ts';
import { CommandError } from './command.ts';

export function openConfiguredStore(config: Config): Promise<Store> {
  const { url, options } = storeAddressOf(config);
  return openStore(url, options);
}

/** The part of the store that servers and imports need. */
export function openConfiguredServerStore(config: Config): Promise<ServerStore> {
  const { url, options } = storeAddressOf(config);
  return openServerStore(url, options);
}

export function storeAddressOf(config: Config): { url: string; options: StoreOptions } {
  const { url = storeUrlOf(config.data), ...database } = sectionOf(config, 'database');
  const auditKeyFile = config['orders.auditKeyFile'];
  return { url, options: { ...database, dataFolder: config.data, auditKeyFile } };
}

/**
 * Opens an edition for a command that reads it, and closes it afterwards.
 *
 * @param wanted the number of the edition; by default the current one
 */
export async function useEdition(
  config: Config,
  use: (edition: Edition) => void | Promise<void>,
  wanted?: number,
): Promise<void> {
  const store = await (await openConfiguredServerStore(config)).openEditions({ mustExist: true });
  try {
    const number = wanted ?? (await store.current())?.number;
    if (number === undefined) {
      throw new CommandError('There is no edition yet. Import one with "gazetteer import FILE".');
    }
    const info = (await store.list()).find((each) => each.number === number);
    if (info === undefined) throw new EditionGoneError(number, 'unknown');
    await use(openEdition(info, await store.load(number)));
  } finally {
    await store.close();
  }
}
