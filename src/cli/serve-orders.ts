/** The order responses of a server: their storage thread, and a connection for every server thread. */
import { usesOwnKey } from '../auth/settings.ts';
import { type Config, sectionOf } from '../config/settings.ts';
import type { Log } from '../server/log.ts';
import type { OrderFacts } from '../server/server-facts.ts';
import type { Threads } from '../server/threads.ts';
import type { OrdersNews } from '../storage/repository-messages.ts';
import type { OrdersThreadOptions } from '../storage/start-orders-thread.ts';
import type { Store } from '../storage/store.ts';
import type { ThreadUpdate } from './serve-thread-data.ts';

export interface ServedOrders {
  /** Why the store cannot write now; undefined if it can. */
  readonly problem: string | undefined;
  /** The values of its metrics. */
  readonly facts: OrderFacts;
  /** Connects every server thread, also after a restart of the storage thread. */
  connect(threads: Threads<ThreadUpdate>): void;
  stop(): Promise<void>;
}

/** `claim` is called before each start of the storage thread. */
export async function serveOrders(
  store: Store,
  { claim, retentionDays }: Pick<OrdersThreadOptions, 'claim' | 'retentionDays'>,
  log: Log,
): Promise<ServedOrders> {
  let connectAll = (): void => {};
  const thread = await store.startOrders({
    ...(claim && { claim }),
    retentionDays,
    onFault: (fault) => log.error({ ...fault }, 'order responses cannot be stored'),
    onRestart: () => {
      log.warn({}, 'the storage thread is replaced');
      connectAll();
    },
    onStartFailed: () => connectAll(),
    onRecovery: () => log.info({}, 'order responses can be stored again'),
    onNews: (news) => logNews(news, log),
  });
  return {
    get problem() {
      return thread.problem;
    },
    get facts() {
      return { ...thread.counts, walBytes: thread.walBytes };
    },
    connect: (threads) => {
      connectAll = () =>
        threads.equip((send) => {
          const connection = thread.connect();
          const transferred = connection.port === undefined ? [] : [connection.port];
          send({ kind: 'orders', connection }, transferred);
        });
      connectAll();
    },
    stop: thread.stop,
  };
}

/** The tokens that the server accepts, for people who read the log. */
export function acceptedTokens(config: Config): string {
  const own = usesOwnKey(sectionOf(config, 'auth')) ? ['those of "gazetteer token"'] : [];
  const issuer = config['auth.issuer'] ?? config['auth.introspectionUrl'];
  return [...own, ...(issuer === undefined ? [] : [`those of ${issuer}`])].join(' and ');
}

function logNews(news: OrdersNews, log: Log): void {
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
    case 'wal':
      if (news.problem === undefined) log.info({}, 'the write-ahead log has its normal size again');
      else log.warn({ problem: news.problem, bytes: news.bytes }, 'the write-ahead log grows');
  }
}
