/** Order responses as a FHIR service. https://hl7.org/fhir/DSTU2/orderresponse.html */
import { AUDIT_EVENT, AUDIT_EVENT_SEARCH } from '../../fhir/audit/audit-event.ts';
import type { AnswerBudget } from '../../fhir/bundle/answer-room.ts';
import { DSTU2 } from '../../fhir/definitions/fhir-version.ts';
import { create } from '../../fhir/interactions/create.ts';
import { deleteResource } from '../../fhir/interactions/delete.ts';
import { historyInstance, historySystem, historyType } from '../../fhir/interactions/history.ts';
import { read, vread } from '../../fhir/interactions/read.ts';
import { searchType, searchTypeByForm } from '../../fhir/interactions/search-type.ts';
import { storedSearch } from '../../fhir/interactions/stored-search.ts';
import { createTransaction } from '../../fhir/interactions/transaction.ts';
import { conditionalUpdate, update } from '../../fhir/interactions/update.ts';
import { validateInstance, validateType } from '../../fhir/interactions/validate.ts';
import type {
  Authorize,
  Interaction,
  ServedType,
  Service,
  SystemInteraction,
} from '../../fhir/service/interaction.ts';
import { readStored } from '../../fhir/service/stored-resource.ts';
import { capabilities } from '../../fhir/statement/capabilities.ts';
import type { Repository } from '../../fhir/stored/repository.ts';
import type { WriteRules } from '../../fhir/stored/stored-type.ts';
import { SPINE_CODES } from '../../nhs/spine-errors.ts';
import { SUBSCRIPTION } from '../subscriptions/subscription.ts';
import {
  type SubscriptionRulesOptions,
  subscriptionRules,
} from '../subscriptions/subscription-rules.ts';
import { ORDER_EXAMPLES } from './example.ts';
import { createOrderReview } from './rules.ts';
import { SUBSCRIBED_SEARCHES, storedSearchOf } from './search-parameters.ts';
import { mayFollowChanges, type OrderSettings } from './settings.ts';

export interface OrderServiceOptions {
  readonly settings: OrderSettings;
  /** The public address of the server, without a slash at the end. It is also the service's base. */
  readonly serverUrl: string;
  readonly store: Repository;
  readonly authorize: Authorize;
  /** Makes the id of a new resource. */
  readonly newId: () => string;
  /** Absent: there are no subscriptions. */
  readonly subscriptions?: SubscriptionOptions;
  /** For the answers to Bundles; that of a thread by default. */
  readonly answerBudget?: AnswerBudget | undefined;
}

export interface SubscriptionOptions extends Pick<SubscriptionRulesOptions, 'hosts' | 'key'> {
  /** Which clients may change a subscription. */
  readonly updates: OrderSettings['updates'];
  /** The most subscriptions of all clients, and of each. */
  readonly countMax: number;
  readonly perClientMax: number;
}

export const ORDER_SERVICE_NAME = 'OrderResponses';

export function createOrderService(options: OrderServiceOptions): Service {
  const { settings, serverUrl, authorize, answerBudget } = options;
  return {
    name: ORDER_SERVICE_NAME,
    title: 'order responses (FHIR DSTU2)',
    description: 'Responses to orders, such as the review of a laboratory report.',
    version: DSTU2,
    examples: ORDER_EXAMPLES,
    serverUrl,
    baseUrl: serverUrl,
    defaultFormat: 'xml',
    interactions: offered(settings, [
      capabilities,
      historySystem,
      createTransaction(settings.transactionEntriesMax, answerBudget),
    ]),
    types: [
      storedType(options, {
        name: 'OrderResponse',
        documentation: 'A response to an order, with all its versions.',
        isDeletable: settings.allowDelete && isOffered(settings, deleteResource),
        requiresCreator: settings.updates === 'creator',
        review: createOrderReview(settings),
      }),
      ...subscriptionTypes(options),
      auditType(options),
    ],
    errorDetails: SPINE_CODES,
    authorize,
    headers: ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', 'Vary', 'Accept'],
    corsOrigins: settings.corsOrigins ?? [],
    gzipMinBytes: 0,
    downloads: [],
  };
}

function subscriptionTypes(options: OrderServiceOptions): readonly ServedType[] {
  const { subscriptions, serverUrl: baseUrl, settings } = options;
  if (subscriptions === undefined) return [];
  const { hosts, key, updates, countMax, perClientMax } = subscriptions;
  const mayFollow = mayFollowChanges(settings);
  return [
    storedType(options, {
      name: SUBSCRIPTION,
      documentation: 'A request for notifications of order responses that match its criteria.',
      isDeletable: true,
      requiresCreator: updates === 'creator',
      countRule: {
        max: { total: countMax, perClient: perClientMax },
        settings: { total: 'subscriptions.countMax', perClient: 'subscriptions.perClientMax' },
      },
      ...subscriptionRules({ searches: SUBSCRIBED_SEARCHES, baseUrl, hosts, key, mayFollow }),
    }),
  ];
}

/** The values that differ between the stored types of the service. */
interface TypeOptions
  extends Pick<ServedType, 'name' | 'documentation'>,
    Pick<WriteRules, 'review' | 'prepare' | 'requiresCreator' | 'countRule'> {
  /** Whether clients can delete it. */
  readonly isDeletable: boolean;
}

function storedType(
  { settings, store, newId }: OrderServiceOptions,
  { name, documentation, isDeletable, ...own }: TypeOptions,
): ServedType {
  const search = storedSearchOf(name);
  const interactions = [
    ...offered(settings, [
      read,
      vread,
      update,
      historyInstance,
      historyType,
      create,
      searchType,
      searchTypeByForm,
      // Nobody knows the id that `prepare` needs before the condition has found it.
      ...(own.prepare === undefined ? [conditionalUpdate] : []),
      validateType,
      validateInstance,
    ]),
    ...(isDeletable ? [deleteResource] : []),
  ];
  return {
    name,
    documentation,
    interactions,
    read: readStored,
    notFound: `There is no ${name} with this id.`,
    ...(interactions.includes(searchType) && {
      search: storedSearch(search, searchLimitsOf(settings)),
    }),
    stored: {
      repository: store,
      search,
      writing: {
        limits: { depthMax: settings.depthMax, elementsMax: settings.elementsMax },
        requiresIfMatch: settings.requireIfMatch,
        newId,
        ...own,
      },
    },
  };
}

function offered<T extends Interaction | SystemInteraction>(
  settings: OrderSettings,
  all: readonly T[],
): readonly T[] {
  return all.filter((each) => isOffered(settings, each));
}

/** Whether the setting `orders.interactions` names it. */
function isOffered(
  { interactions: names }: OrderSettings,
  interaction: Interaction | SystemInteraction,
): boolean {
  return names === undefined || settingNames(interaction).every((name) => names.includes(name));
}

/** The names that have to be in the setting. */
function settingNames(interaction: Interaction | SystemInteraction): readonly string[] {
  if (interaction === capabilities) return [];
  if (interaction === conditionalUpdate) return ['update', 'search-type'];
  return [interaction.code === 'operation' ? 'validate' : interaction.code];
}

/** The audit log. The repository writes it, and clients with a scope of its own read it. */
function auditType({ settings, store }: OrderServiceOptions): ServedType {
  return {
    name: AUDIT_EVENT,
    documentation: 'An entry of the audit log: who asked for what, when, and the outcome.',
    interactions: [read, searchType, searchTypeByForm],
    read: readStored,
    notFound: `There is no ${AUDIT_EVENT} with this id.`,
    search: storedSearch(AUDIT_EVENT_SEARCH, searchLimitsOf(settings)),
    stored: { repository: store, search: AUDIT_EVENT_SEARCH },
  };
}

function searchLimitsOf({ searchMatchesMax, searchLinkMinutes }: OrderSettings) {
  return { candidatesMax: searchMatchesMax, keepMs: searchLinkMinutes * 60_000 };
}
