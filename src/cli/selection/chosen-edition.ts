/** Opens an edition of the directory for a command that reads it, and closes it afterwards. */
import type { Config } from '../../config/settings.ts';
import { type Edition, openEdition } from '../../directory/edition/edition.ts';
import { EditionGoneError } from '../../directory/edition/edition-store.ts';
import { CommandError } from '../command.ts';
import { openConfiguredServerStore } from '../open-store.ts';

/** @param wanted the number of the edition; by default the current one */
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
