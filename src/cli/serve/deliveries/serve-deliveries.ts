/** The deliveries of a server: their thread, its connection to the store, and what metrics show. */

import { Worker } from 'node:worker_threads';
import type { Config } from '../../../config/settings.ts';
import { DeliveryHolder } from '../../../orders/subscriptions/delivery-holder.ts';
import type { DeliveryFacts } from '../../../orders/subscriptions/delivery-store.ts';
import type { Log } from '../../../server/monitoring/log.ts';
import type { Threads } from '../../../server/threads.ts';
import type { ServerStore } from '../../../storage/store/store.ts';
import { FOR_BACKGROUND } from '../../../threads/heap-limits.ts';
import type { ServedOrders } from '../threads/serve-orders.ts';
import type { ThreadUpdate } from '../threads/serve-thread-data.ts';
import type {
  DeliveryThreadData,
  FromDeliveryThread,
  ToDeliveryThread,
} from './delivery-messages.ts';

export interface ServedDeliveries {
  readonly facts: DeliveryFacts;
  stop(): Promise<void>;
}

/** Connects the threads of a server to its order responses, and begins to deliver. */
export function connectOrders(
  running: {
    readonly config: Config;
    orders?: ServedOrders | undefined;
    deliveries?: ServedDeliveries;
  },
  orders: ServedOrders | undefined,
  {
    threads,
    store,
    serverUrl,
    log,
    closing,
  }: {
    readonly threads: Threads<ThreadUpdate>;
    readonly store: Pick<ServerStore, 'deliveryLease'>;
    readonly serverUrl: string;
    readonly log: Log;
    readonly closing: AsyncDisposableStack;
  },
): void {
  const { config } = running;
  running.orders = orders;
  orders?.connect(threads);
  // Without an allowed host there is nothing to deliver.
  if (orders === undefined || config['subscriptions.allowedHosts'] === undefined) return;
  running.deliveries = serveDeliveries({ config, serverUrl }, orders, store, log);
  closing.defer(running.deliveries.stop);
}

function serveDeliveries(
  data: Pick<DeliveryThreadData, 'config' | 'serverUrl'>,
  orders: Pick<ServedOrders, 'connectDeliveries'>,
  { deliveryLease: lease }: Pick<ServerStore, 'deliveryLease'>,
  log: Log,
): ServedDeliveries {
  let facts: DeliveryFacts = NO_FACTS;
  /** What threads before this one have counted. */
  let before: DeliveryFacts = NO_FACTS;
  const connect = () =>
    orders.connectDeliveries((connection) => {
      const transferred = connection.port === undefined ? [] : [connection.port];
      holder.post({ kind: 'orders', connection }, transferred);
    });
  const holder = new DeliveryHolder<ToDeliveryThread, FromDeliveryThread>(
    {
      lease,
      start: (mayDeliverUntil) => {
        before = sumOf(before, facts);
        facts = NO_FACTS;
        const workerData: DeliveryThreadData = { ...data, mayDeliverUntil, holder: lease?.holder };
        return new Worker(THREAD, { workerData, resourceLimits: FOR_BACKGROUND });
      },
      onMessage: (message) => {
        if (message.kind === 'ready') return 'ready';
        if (message.kind === 'facts') facts = message.facts;
        else if (message.kind === 'fault') log.report('GZ310', { problem: message.problem });
        else {
          const { subscription, problem } = message;
          log.report('GZ307', { subscription, problem });
        }
        return undefined;
      },
      onReady: connect,
      onDeath: ({ message }) => log.report('GZ308', { problem: message }),
    },
    { kind: 'stop' },
  );
  return {
    get facts() {
      return sumOf(before, facts);
    },
    stop: () => holder.stop(),
  };
}

const THREAD = new URL('./delivery-thread.ts', import.meta.url);

const NO_FACTS: DeliveryFacts = {
  active: 0,
  failing: 0,
  pending: 0,
  oldestMs: null,
  delivered: 0,
  failed: 0,
};

function sumOf(a: DeliveryFacts, b: DeliveryFacts): DeliveryFacts {
  return { ...b, delivered: a.delivered + b.delivered, failed: a.failed + b.failed };
}
