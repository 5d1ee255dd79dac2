/** `gazetteer move`: carries all data from a data folder to a database, or back. */
import { resolve } from 'node:path';
import { sectionOf } from '../../config/section.ts';
import type { Config } from '../../config/settings.ts';
import { openStore, storeUrlOf } from '../../storage/open.ts';
import type { Store } from '../../storage/store/store.ts';
import type { MovedContents } from '../../storage/store/store-contents.ts';
import { type Command, CommandError, UsageError } from '../parts/command.ts';
import { openConfiguredStore } from '../parts/open-store.ts';
import { ORDER_STORE_SETTINGS } from '../parts/options.ts';

export const moveCommand: Command = {
  name: 'move',
  summary: 'Move all data from the data folder to a database, or from a database to a folder',
  examples: [
    'move --data ./data --to postgres://owner@db1/gazetteer',
    'move --database-url postgres://owner@db1/gazetteer --to ./data',
  ],
  settings: ORDER_STORE_SETTINGS,
  options: [
    {
      syntax: '--to <place>',
      help: 'The URL of an empty database, or an empty folder. Stop all servers first',
    },
  ],
  namesDatabase: ({ to }) => isDatabase(to),
  run: async ({ config, options, streams, stopped }) => {
    const say = (line: string) => streams.output.write(`${line}\n`);
    const [from, to] = await placesOf(config, options.to);
    using _source = await from.contents.reserveAsSource();
    using _target = await to.contents.reserveAsTarget();
    await requireSound(from, 'The source', stopped);
    await using contents = await from.contents.read();
    await to.contents.write(contents);
    for (const line of partsOf(contents)) say(line);
    for (const line of await requireSound(to, 'The copy', stopped)) say(line);
    say('The copy is sound. The source is unchanged: keep it until you have a backup of the copy.');
  },
};

function partsOf({ editions, postcodes, practitioners, orders }: MovedContents): readonly string[] {
  const count = editions?.editions.length ?? 0;
  return [
    ...(count > 0 ? [`Moved ${count} ${count === 1 ? 'edition' : 'editions'}.`] : []),
    ...(postcodes !== undefined ? ['Moved the postcodes.'] : []),
    ...(practitioners !== undefined ? ['Moved the practitioners.'] : []),
    ...(orders !== undefined ? ['Moved the order responses and their audit log.'] : []),
  ];
}

async function placesOf(
  config: Config,
  to: string | boolean | undefined,
): Promise<readonly [Store, Store]> {
  if (typeof to !== 'string' || to === '') {
    throw new UsageError('Name an empty database or folder with --to.');
  }
  const toDatabase = isDatabase(to);
  if (toDatabase === (config['database.url'] !== undefined)) {
    throw new UsageError(
      toDatabase
        ? 'Data moves from a folder to a database, or back. Leave --database-url out.'
        : 'Data moves from a database to a folder, or back. Name the database with --database-url.',
    );
  }
  const { url: _source, ...database } = sectionOf(config, 'database');
  const dataFolder = toDatabase ? config.data : to;
  const url = toDatabase ? to : storeUrlOf(resolve(to));
  const target = await openStore(url, {
    ...database,
    dataFolder,
    auditKeyFile: toDatabase ? config['orders.auditKeyFile'] : undefined,
  });
  return [await openConfiguredStore(config), target];
}

function isDatabase(place: string | boolean | undefined): boolean {
  return /^postgres(?:ql)?:/.test(String(place));
}

/** Throws if something is wrong. Returns what the parts contain. */
async function requireSound(
  store: Store,
  what: string,
  stopped: AbortSignal,
): Promise<readonly string[]> {
  const summaries: string[] = [];
  for await (const { name, findings, summary, isUnchecked } of store.verify({ stopped })) {
    const [first] = findings;
    if (first !== undefined) {
      const problem = isUnchecked ? 'could not be checked' : 'is not sound';
      throw new CommandError(`${what} ${problem}. ${name}: ${first}. Run "gazetteer verify".`);
    }
    if (summary !== undefined) summaries.push(`${name}: ${summary}`);
  }
  return summaries;
}
