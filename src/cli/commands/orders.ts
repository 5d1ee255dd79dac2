/** `gazetteer orders`: exports order responses, erases their content, or protects it from erasure. */
import type { Config } from '../../config/settings.ts';
import type { ContentName, ResourceName } from '../../storage/sql/erasure.ts';
import { type Command, CommandError, UsageError } from '../parts/command.ts';
import { openConfiguredStore } from '../parts/open-store.ts';
import {
  FORMAT_OPTION,
  LINES_OPTION,
  NUMBER_OF_VERSION,
  ORDER_STORE_SETTINGS,
  OUTPUT_OPTION,
  REFERENCE,
  resourceIn,
  SINCE_OPTION,
} from '../parts/options.ts';
import { isForPeople, tableText, writeLines } from '../parts/output.ts';
import { erasedText, subscriptionsAbout, subscriptionsText } from './erased-patient.ts';

const RESOURCE = {
  syntax: '<resource>',
  help: 'The id of the order response, or its type and id, such as OrderResponse/123',
} as const;

const REASON = {
  syntax: '--reason <text>',
  help: 'The reason, for the audit log, without names of patients. At most 200 characters',
} as const;

export const ORDERS_COMMANDS: readonly Command[] = [
  {
    name: 'orders export',
    summary: 'Write every version of the order responses as NDJSON, oldest first',
    examples: [
      'orders export --output data/orders.ndjson',
      'orders export --since 2026-11-21T09:30:00Z',
    ],
    settings: ORDER_STORE_SETTINGS,
    options: [SINCE_OPTION, FORMAT_OPTION, OUTPUT_OPTION],
    run: async (context) => {
      const { since } = context.options;
      const sinceMs = since === undefined ? undefined : Date.parse(String(since));
      const store = await openConfiguredStore(context.config);
      await writeLines(store.exportVersions(sinceMs), context);
    },
  },
  {
    name: 'orders erase',
    summary: 'Erase the content of an order response permanently: of all versions, or of one',
    examples: [
      'orders erase OrderResponse/123 --reason Request-42',
      'orders erase OrderResponse/123 --subscriptions --reason Request-42',
      'orders erase OrderResponse/123 --version 2 --reason Request-42',
    ],
    settings: ORDER_STORE_SETTINGS,
    argument: RESOURCE,
    options: [
      REASON,
      {
        syntax: '--version <number>',
        help: 'Erase only this version, which must not be the current one (default: all versions)',
        value: NUMBER_OF_VERSION,
      },
      {
        syntax: '--subscriptions',
        help: 'Also erase the subscriptions whose criteria name the patient',
      },
    ],
    run: async ({ config, arguments: [resource = ''], options, streams }) => {
      const version = options.version === undefined ? undefined : Number(options.version);
      const name = { ...nameIn(resource), version };
      const store = await openConfiguredStore(config);
      const reason = reasonIn(options.reason);
      const subscriptions = await subscriptionsAbout(store, name);
      let isComplete = true;
      const erase = async (content: ContentName) => {
        const erased = await store.eraseContent(content, reason);
        isComplete &&= erased.isComplete;
        streams.output.write(`${erasedText(content, erased)}\n`);
      };
      const withSubscriptions = options.subscriptions === true;
      // Once the content is erased, only this output names them, even if the command is killed.
      if (subscriptions.length > 0) {
        streams.output.write(subscriptionsText(subscriptions, withSubscriptions));
      }
      await erase(name);
      for (const each of withSubscriptions ? subscriptions : []) await erase(each);
      streams.output.write(
        'Backups made before the erasure still have the content.\n' +
          'The files of the database can have copies of single values. ' +
          `${copiesRemedy(config)}\n`,
      );
      if (!isComplete) throw new CommandError(LOG_IN_USE);
    },
  },
  {
    name: 'orders rewrite',
    summary:
      'Rewrite the database of order responses, so that its file has nothing of what was erased',
    examples: ['orders rewrite'],
    settings: ORDER_STORE_SETTINGS,
    run: async ({ config, streams }) => {
      const store = await openConfiguredStore(config);
      if (!(await store.rewriteOrders())) throw new CommandError(LOG_IN_USE);
      streams.output.write('The database of order responses was rewritten.\n');
    },
  },
  {
    name: 'orders hold',
    summary: 'Protect an order response from erasure',
    examples: ['orders hold OrderResponse/123 --reason Inquiry-7'],
    settings: ORDER_STORE_SETTINGS,
    argument: RESOURCE,
    options: [REASON],
    run: async ({ config, arguments: [resource = ''], options, streams }) => {
      const store = await openConfiguredStore(config);
      const { type, id } = await store.holdResource(nameIn(resource), reasonIn(options.reason));
      streams.output.write(`${type}/${id} is on hold.\n`);
    },
  },
  {
    name: 'orders release',
    summary: 'End the hold of an order response',
    examples: ['orders release OrderResponse/123'],
    settings: ORDER_STORE_SETTINGS,
    argument: RESOURCE,
    run: async ({ config, arguments: [resource = ''], streams }) => {
      const store = await openConfiguredStore(config);
      const { type, id } = await store.releaseResource(nameIn(resource));
      streams.output.write(`${type}/${id} is no longer on hold.\n`);
    },
  },
  {
    name: 'orders holds',
    summary:
      'List the order responses on hold, the earliest hold first: NDJSON, or a table on a terminal',
    examples: ['orders holds'],
    settings: ORDER_STORE_SETTINGS,
    options: [LINES_OPTION],
    run: async (context) => {
      const held = (await openConfiguredStore(context.config)).heldResources();
      if (!isForPeople(context)) return writeLines(linesOf(held), context);
      const rows = await Array.fromAsync(held, ({ type, id, heldAt, reason }) => [
        heldAt,
        `${type}/${id}`,
        reason,
      ]);
      context.streams.output.write(tableText([['on hold since', 'resource', 'reason'], ...rows]));
    },
  },
];

function copiesRemedy(config: Config): string {
  return config['database.url'] === undefined
    ? 'To remove them, run "gazetteer orders rewrite".'
    : 'To remove them, rewrite the tables, as the page "Erase order responses" says.';
}

const LOG_IN_USE =
  'The write-ahead log still has what was erased, because a backup, an export or a verification ' +
  'is reading the database. Run the command again when that has ended.';

async function* linesOf(items: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const item of items) yield JSON.stringify(item);
}

function nameIn(text: string): ResourceName {
  const resource = ID_FORM.test(text) ? { id: text } : resourceIn(text);
  if (resource !== undefined) return resource;
  const form = text.includes('/') ? REFERENCE.name : `an id, or ${REFERENCE.name}`;
  throw new UsageError(`The resource must be ${form}. Got "${text}".`);
}

const ID_FORM = /^[A-Za-z0-9.-]{1,64}$/;

function reasonIn(option: string | boolean | undefined): string {
  const reason = typeof option === 'string' ? option.trim() : '';
  if (reason !== '' && reason.length <= REASON_LENGTH_MAX) return reason;
  throw new UsageError(
    `--reason must have 1 to ${REASON_LENGTH_MAX} characters. Give the reason, without names of patients.`,
  );
}

const REASON_LENGTH_MAX = 200;
