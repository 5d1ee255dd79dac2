/** `gazetteer database migrate`, `grants` and `confirm-losses`: for the operators of a PostgreSQL database. */
import type { Config } from '../../config/settings.ts';
import { confirmLosses, databaseGrants, migrateStore } from '../../storage/open.ts';
import { type Command, UsageError } from '../parts/command.ts';
import { storeAddressOf } from '../parts/open-store.ts';
import { ORDER_STORE_SETTINGS } from '../parts/options.ts';

export const DATABASE_COMMANDS: readonly Command[] = [
  {
    name: 'database migrate',
    summary: 'Create or update the tables of a database; run it as the owner of the database',
    examples: ['database migrate --database-url postgres://owner@db1/gazetteer'],
    settings: ['database.url', 'database.passwordFile', 'database.caFile'],
    options: [
      {
        syntax: '--reindex',
        help: 'Rebuild the search index: after an upgrade, when all servers run the new version, if the change log says so',
      },
    ],
    run: async ({ config, options: { reindex }, streams }) => {
      const { url, options } = databaseAddressOf(config);
      const { from, to } = await migrateStore(url, options, { reindex: reindex === true });
      streams.output.write(
        from === to
          ? `The database already has schema ${to}.\n`
          : `The database now has schema ${to}${from === 0 ? '' : `. Before, it had schema ${from}`}.\n`,
      );
    },
  },
  {
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
  },
  {
    name: 'database confirm-losses',
    summary:
      'Confirm that you know of the writes that a failover lost, so that servers stop reporting them',
    examples: ['database confirm-losses --database-url postgres://gazetteer_serve@db1/gazetteer'],
    settings: ORDER_STORE_SETTINGS,
    run: async ({ config, streams }) => {
      const { url, options } = databaseAddressOf(config);
      const losses = await confirmLosses(url, options);
      streams.output.write(
        losses === 0
          ? 'No server has noticed lost writes since the last confirmation.\n'
          : 'Confirmed. The servers no longer report the lost writes.\n',
      );
    },
  },
];

function databaseAddressOf(config: Config) {
  if (config['database.url'] !== undefined) return storeAddressOf(config);
  throw new UsageError('Name the database with --database-url.');
}

function roleIn(option: string | boolean): string {
  if (typeof option === 'string' && /^[^\p{Cc}]{1,63}$/u.test(option)) return option;
  throw new UsageError(`The role must have 1 to 63 characters. Got "${option}".`);
}
