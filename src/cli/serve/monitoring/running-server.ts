/** A running server, as its parts see it: what health and metrics report on. */
import type { EditionInfo, EditionReader } from '../../../directory/edition/edition-store.ts';
import type { FetchStatus } from '../../../directory/edition/fetch-status.ts';
import type { DeliveryFacts } from '../../../orders/subscriptions/delivery-store.ts';
import type { WebhookFacts, Webhooks } from '../../../orders/subscriptions/webhooks.ts';
import type { CounterTotals } from '../../../server/monitoring/counters.ts';
import type { Readiness } from '../../../server/monitoring/operation-server.ts';
import type { ServedDeliveries } from '../deliveries/serve-deliveries.ts';
import type { EditionWatch, StoreProblems } from '../editions/edition-watch.ts';
import type { ServedOrders } from '../threads/serve-orders.ts';
import type { ServeThreadData } from '../threads/serve-thread-data.ts';

/** The parts of a running server that health and metrics report on. */
export interface RunningServer
  extends Pick<ServeThreadData, 'config' | 'counters' | 'gate' | 'lostLines' | 'fetchFolder'> {
  readonly reader: EditionReader;
  readonly problems: Pick<StoreProblems, 'current'>;
  /** Aborted when the server is stopping. */
  readonly stopped: AbortSignal;
  replacedThreads: number;
  /** Undefined if the directory is not served, or not yet. */
  watch?: EditionWatch;
  /** Undefined if order responses are not served, or not yet. */
  orders?: ServedOrders | undefined;
  /** Undefined if no host may get notifications. */
  deliveries?: ServedDeliveries;
  /** Undefined if no receiver gets editions. */
  webhooks?: Pick<Webhooks, 'facts' | 'look'>;
}

/** What the samples of metrics are made from. */
export interface ServerFacts extends Pick<RunningServer, 'gate' | 'replacedThreads'> {
  readonly readiness: Readiness;
  readonly counters: CounterTotals;
  readonly lostLogLines: number;
  /** The edition that is served; undefined before the first. */
  readonly edition: EditionInfo | undefined;
  /** How many editions have ever been imported. */
  readonly imports: number;
  /** Undefined if order responses are not served. */
  readonly orders: ServedOrders['facts'] | undefined;
  /** Undefined if the server does not fetch. */
  readonly fetches: FetchStatus | undefined;
  /** Undefined if there are no such receivers. */
  readonly deliveries: DeliveryFacts | undefined;
  readonly webhooks: WebhookFacts | undefined;
}
