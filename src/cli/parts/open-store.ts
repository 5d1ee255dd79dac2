/** Opens the store that the settings name: a database, or the data folder. */
import { existsSync } from 'node:fs';
import { sectionOf } from '../../config/section.ts';
import type { Config } from '../../config/settings.ts';
import { type Edition, openEdition } from '../../directory/edition/edition.ts';
import { EditionGoneError, type EditionHistory } from '../../directory/edition/edition-store.ts';
import { openPostcodes } from '../../directory/places/stored-postcodes.ts';
import type { Practitioners } from '../../directory/practitioners/practitioners.ts';
import { openPractitioners } from '../../directory/practitioners/stored-practitioners.ts';
import { openServerStore, openStore, storeUrlOf } from '../../storage/open.ts';
import type { ServerStore, Store, StoreOptions } from '../../storage/store/store.ts';
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
  const { readEditions, postcodes, practitioners } = await openConfiguredServerStore(config);
  await using store = await readEditions();
  const number = wanted ?? (await store.current())?.number;
  if (number === undefined) {
    throw new CommandError('There is no edition yet. Import one with "gazetteer import FILE".');
  }
  const info = (await store.list()).find((each) => each.number === number);
  if (info === undefined) throw new EditionGoneError(number, 'unknown');
  const places = await postcodes.read();
  const people = await practitioners.read();
  await use(
    openEdition(
      info,
      await store.load(number),
      places && openPostcodes(places),
      people && openPractitioners(people),
    ),
  );
}

/** Undefined if none were imported, or there is no data yet. */
export async function importedPractitioners(config: Config): Promise<Practitioners | undefined> {
  if (config['database.url'] === undefined && !existsSync(config.data)) return undefined;
  const { practitioners } = await openConfiguredServerStore(config);
  const stored = await practitioners.read();
  return stored && openPractitioners(stored);
}

/** Uses the current edition and the history of all editions. */
export async function useEditionWithHistory(
  config: Config,
  use: (edition: Edition, history: EditionHistory) => Promise<void>,
): Promise<void> {
  const { openEditionHistory } = await openConfiguredServerStore(config);
  await useEdition(config, async (edition) => {
    // After the edition, because it would create the files of a folder that has none.
    using history = openEditionHistory();
    await use(edition, history);
  });
}
