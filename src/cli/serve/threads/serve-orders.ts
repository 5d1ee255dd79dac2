/** The order responses of a server: their storage thread, and a connection for every server thread. */
import { usesOwnKey } from '../../../auth/settings.ts';
import { sectionOf } from '../../../config/section.ts';
import type { Config } from '../../../config/settings.ts';
import type { Log } from '../../../server/monitoring/log.ts';
import type { Threads } from '../../../server/threads.ts';
import type { ServerStore } from '../../../storage/store/store.ts';
import type { OrdersConnection, OrdersNews } from '../../../storage/threads/repository-messages.ts';
import type { OrdersThread, OrdersThreadOptions } from '../../../storage/threads/storage-thread.ts';
import type { ThreadUpdate } from './serve-thread-data.ts';

export interface ServedOrders {
  /** Why the store cannot write now; undefined if it can. */
  readonly problem: string | undefined;
  /** What operators must know although it can write. */
  readonly note: string | undefined;
  /** The values of its metrics. */
  readonly facts: OrdersThread['counts'] & {
    /** The size of the write-ahead log of the database. */
    readonly walBytes: number;
    /** Losses of stored writes that no operator has confirmed. */
    readonly losses: number;
  };
  /** Connects every server thread, also after a restart of the storage thread. */
  connect(threads: Threads<ThreadUpdate>): void;
  /** Calls `connect` with a new connection, now and after each restart of the storage thread. */
  connectDeliveries(connect: (connection: OrdersConnection) => void): void;
  stop(): Promise<void>;
}

/** `claim` is called before each start of the storage thread. */
export async function serveOrders(
  store: ServerStore,
  {
    claim,
    ...options
  }: Pick<OrdersThreadOptions, 'claim' | 'retentionDays' | 'isTimed' | 'baseUrl'>,
  log: Log,
): Promise<ServedOrders> {
  let connectThreads = (): void => {};
  let connectDeliveries = (): void => {};
  const connectAll = () => {
    connectThreads();
    connectDeliveries();
  };
  let losses = 0;
  const thread = await store.startOrders({
    ...(claim && { claim }),
    ...options,
    onFault: ({ type, message }) => log.report('GZ301', { type, message }),
    onRestart: () => {
      log.report('GZ302', {});
      connectAll();
    },
    onStartFailed: connectAll,
    onRecovery: () => log.info({}, 'order responses can be stored again'),
    onNews: (news) => {
      if (news.kind === 'losses') losses = news.count;
      logNews(news, log, options.baseUrl);
    },
  });
  return {
    get problem() {
      return thread.problem;
    },
    get note() {
      return losses > 0 ? LOST : undefined;
    },
    get facts() {
      return { ...thread.counts, walBytes: thread.walBytes, losses };
    },
    connect: (threads) => {
      connectThreads = () =>
        threads.equip((send) => {
          const connection = thread.connect();
          const transferred = connection.port === undefined ? [] : [connection.port];
          send({ kind: 'orders', connection }, transferred);
        });
      connectThreads();
    },
    connectDeliveries: (connect) => {
      connectDeliveries = () => connect(thread.connect());
      connectDeliveries();
    },
    stop: thread.stop,
  };
}

const LOST =
  'The database has lost writes that were stored. Find and repeat them, then run ' +
  '"gazetteer database confirm-losses".';

/** The tokens that the server accepts, for people who read the log. */
export function acceptedTokens(config: Config): string {
  const own = usesOwnKey(sectionOf(config, 'auth')) ? ['those of "gazetteer token"'] : [];
  const issuer = config['auth.issuer'] ?? config['auth.introspectionUrl'];
  return [...own, ...(issuer === undefined ? [] : [`those of ${issuer}`])].join(' and ');
}

function logNews(news: OrdersNews, log: Log, baseUrl: string | undefined): void {
  switch (news.kind) {
    case 'head':
      log.info({ head: news.head }, 'audit head');
      break;
    case 'migrating':
      log.info({ bytes: news.bytes }, 'migrating orders.db to the schema of this version');
      break;
    case 'indexing': {
      const { kind: _, ...progress } = news;
      const index = 'entries' in news ? 'index of the audit log' : 'search index';
      log.info(progress, `filling the ${index} of orders.db`);
      break;
    }
    case 'baseUrl': {
      const { node, other } = news;
      log.report('GZ304', { baseUrl: baseUrl ?? null, other, node });
      break;
    }
    case 'losses':
      if (news.count === 0) log.info({}, 'an operator has confirmed the lost writes');
      else log.report('GZ306', { problem: LOST });
      break;
    case 'wal':
      if (news.problem === undefined) log.info({}, 'the write-ahead log has its normal size again');
      else log.report('GZ303', { problem: news.problem, bytes: news.bytes });
  }
}
