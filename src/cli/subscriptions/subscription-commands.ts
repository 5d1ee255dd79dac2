/** `gazetteer subscriptions`: lists subscriptions, tries their receivers, and turns them off. */
import type { Config } from '../../config/settings.ts';
import { DSTU2 } from '../../fhir/definitions/fhir-version.ts';
import { entriesOf } from '../../fhir/search/resource-parameter.ts';
import { parseStored } from '../../fhir/service/stored-resource.ts';
import { unstampedText } from '../../fhir/stored/stored-text.ts';
import { storedSearchOf } from '../../orders/order-response/search-parameters.ts';
import { openSeal } from '../../orders/subscriptions/channel-seal.ts';
import { testNotification } from '../../orders/subscriptions/notification.ts';
import {
  channelOf,
  plainText,
  SUBSCRIPTION,
  withStatus,
} from '../../orders/subscriptions/subscription.ts';
import { operatingSystemUser } from '../../storage/repository/access-record.ts';
import type { StoredSubscription } from '../../storage/sql/orders-commands.ts';
import type { Store } from '../../storage/store/store.ts';
import {
  createRepositoryClient,
  type RepositoryClient,
} from '../../storage/threads/repository-client.ts';
import { type Command, CommandError } from '../parts/command.ts';
import { openConfiguredStore } from '../parts/open-store.ts';
import { LINES_OPTION, ORDER_STORE_SETTINGS } from '../parts/options.ts';
import { isForPeople, tableText, writeLines } from '../parts/output.ts';
import { configuredReceivers } from './receivers.ts';
import { subscriptionKeyOf } from './subscription-key.ts';

const ID = {
  syntax: '<id>',
  help: 'The id of the subscription, or its type and id, such as Subscription/123',
} as const;

export const SUBSCRIPTION_COMMANDS: readonly Command[] = [
  {
    name: 'subscriptions list',
    summary: 'List the subscriptions: NDJSON, or a table on a terminal',
    examples: ['subscriptions list'],
    settings: ORDER_STORE_SETTINGS,
    options: [LINES_OPTION],
    run: async (context) => {
      const { subscriptions } = await openConfiguredStore(context.config);
      const rows = (await Array.fromAsync(subscriptions())).map(rowOf);
      if (!isForPeople(context)) {
        const lines = rows.map(({ id, status, criteria, endpoint, failingSinceMs, problem }) => ({
          id,
          status,
          criteria,
          endpoint,
          problem,
          failingSince: failingSinceMs === null ? null : new Date(failingSinceMs).toISOString(),
        }));
        return writeLines(linesOf(lines), context);
      }
      const cells = rows.map(({ id, status, criteria, endpoint, problem }) => [
        id,
        status,
        oneLine(criteria),
        endpoint,
        oneLine(problem),
      ]);
      context.streams.output.write(
        tableText([['id', 'status', 'criteria', 'endpoint', 'problem'], ...cells]),
      );
    },
  },
  {
    name: 'subscriptions test',
    summary: 'Send an empty notification to the receiver of a subscription, and print the outcome',
    examples: ['subscriptions test 019a0000-0000-7000-8000-000000000003'],
    settings: [
      ...ORDER_STORE_SETTINGS,
      'subscriptions.allowedHosts',
      'subscriptions.caFile',
      'subscriptions.timeoutSeconds',
    ],
    argument: ID,
    run: async ({ config, arguments: [name = ''], streams }) => {
      const { id, text } = await subscriptionIn(await openConfiguredStore(config), name);
      const resource = parseStored(text, DSTU2.definitions);
      const sealed = openSeal(resource, id, subscriptionKeyOf(config));
      if (sealed === undefined) {
        throw new CommandError(
          `The secrets of ${id} cannot be decrypted. Its client must send them again.`,
        );
      }
      const receivers = configuredReceivers(config);
      const { headers, body } = testNotification(id, sealed, Date.now());
      const outcome = await receivers.post(sealed.endpoint, headers, body);
      receivers.close();
      if (outcome.kind !== 'delivered') {
        throw new CommandError(failureText(sealed.endpoint, outcome.problem, config));
      }
      streams.output.write(`${sealed.endpoint} accepts notifications.\n`);
    },
  },
  {
    name: 'subscriptions off',
    summary: 'Turn a subscription off, so that its receiver gets nothing more',
    examples: ['subscriptions off 019a0000-0000-7000-8000-000000000003'],
    settings: ORDER_STORE_SETTINGS,
    argument: ID,
    run: async ({ config, arguments: [name = ''], streams }) => {
      const stored = await openConfiguredStore(config);
      const { id, text, version } = await subscriptionIn(stored, name);
      const before = parseStored(text, DSTU2.definitions);
      if (before.status === 'off') {
        streams.output.write(`Subscription/${id} is off already.\n`);
        return;
      }
      const error = 'An operator has turned the subscription off.';
      const resource = withStatus(before, 'off', error);
      await withRepository(stored, async (repository) => {
        const update = {
          type: SUBSCRIPTION,
          id,
          text: unstampedText(resource, id),
          entries: entriesOf(resource, storedSearchOf(SUBSCRIPTION).parameters),
          preconditions: { ifMatch: [String(version)] },
        };
        const { kind } = await repository.update(update, operatorAccess());
        if (kind !== 'stored') throw new CommandError(`${id} has changed. Run the command again.`);
      });
      streams.output.write(`Subscription/${id} is off.\n`);
    },
  },
];

/** As the audit log names commands. */
function operatorAccess() {
  return {
    identity: { subject: operatingSystemUser(), client: 'gazetteer subscriptions off' },
    address: '',
    requestId: '',
    interaction: 'update',
  } as const;
}

/** Shows only the origin of the endpoint, because its path can be a secret. */
function failureText(endpoint: string, problem: string, config: Config): string {
  const { origin } = new URL(endpoint);
  const text = `${origin} did not accept the notification. ${problem}`;
  if (config['subscriptions.allowedHosts'] === undefined) {
    return `${text} Give this command the settings of the server, such as its --config.`;
  }
  // The other problems name their remedies.
  if (!/^The receiver /.test(problem)) return text;
  return `${text} Look for the cause at the receiver, and run the command again.`;
}

/** Writes beside a server, as it does. */
async function withRepository(
  stored: Store,
  use: (repository: RepositoryClient) => Promise<void>,
): Promise<void> {
  const thread = await stored.startOrders({ onFault: () => undefined, onRestart: () => undefined });
  const repository = createRepositoryClient(thread.connect());
  try {
    await use(repository);
  } finally {
    repository.close();
    await thread.stop();
  }
}

async function* linesOf(items: readonly object[]): AsyncGenerator<string> {
  for (const item of items) yield JSON.stringify(item);
}

/** `name`: an id, or `Subscription/` and an id. */
async function subscriptionIn(store: Store, name: string): Promise<StoredSubscription> {
  const id = name.replace(/^Subscription\//, '');
  for await (const subscription of store.subscriptions()) {
    if (subscription.id === id) return subscription;
  }
  throw new CommandError(
    `There is no subscription ${id}. "gazetteer subscriptions list" shows the ids.`,
  );
}

function rowOf({ id, text, failingSinceMs, problem }: StoredSubscription) {
  const resource = parseStored(text, DSTU2.definitions);
  return {
    id,
    failingSinceMs,
    // Why the subscription ended. The problem is of its last delivery.
    problem: plainText(resource.error) || problem,
    status: plainText(resource.status),
    criteria: plainText(resource.criteria),
    endpoint: plainText(channelOf(resource).endpoint),
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
