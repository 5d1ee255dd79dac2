/** `gazetteer database migrate` and `grants`: prepare a PostgreSQL database. */
import { databaseGrants, migrateStore } from '../storage/open.ts';
import { type Command, UsageError } from './command.ts';
import { storeAddressOf } from './open-store.ts';

export const databaseMigrateCommand: Command = {
  name: 'database migrate',
  summary: 'Create or update the tables of a database; run it as the owner of the database',
  examples: ['database migrate --database-url postgres://owner@db1/gazetteer'],
  settings: ['database.url', 'database.passwordFile', 'database.caFile'],
  options: [
    {
      syntax: '--reindex',
      help: 'Rebuild the search index. Run this after an upgrade, when all servers run the new version',
    },
  ],
  run: async ({ config, options: { reindex }, streams }) => {
    if (config['database.url'] === undefined) {
      throw new UsageError('Name the database with --database-url.');
    }
    const { url, options } = storeAddressOf(config);
    const { from, to } = await migrateStore(url, options, { reindex: reindex === true });
    streams.output.write(
      from === to
        ? `The database already has schema ${to}.\n`
        : `The database now has schema ${to}${from === 0 ? '' : `. Before, it had schema ${from}`}.\n`,
    );
  },
};

export const databaseGrantsCommand: Command = {
  name: 'database grants',
  summary: 'Print the SQL that gives two roles of a database their rights',
  examples: ['database grants --serve-role gazetteer_serve'],
  settings: [],
  options: [
    {
      syntax: '--serve-role <role>',
      help: 'The role of servers and of commands that read (default: gazetteer_serve)',
    },
    {
      syntax: '--erase-role <role>',
      help:
        'The role of "gazetteer orders erase", and of servers that erase by age ' +
        '(default: gazetteer_erase)',
    },
  ],
  run: async ({ options, streams }) => {
    const serve = roleIn(options.serveRole ?? 'gazetteer_serve');
    const erase = roleIn(options.eraseRole ?? 'gazetteer_erase');
    streams.output.write(await databaseGrants({ serve, erase }));
  },
};

function roleIn(option: string | boolean): string {
  if (typeof option === 'string' && /^[^\p{Cc}]{1,63}$/u.test(option)) return option;
  throw new UsageError(`The role must have 1 to 63 characters. Got "${option}".`);
}
