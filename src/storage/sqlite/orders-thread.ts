/** The program of the storage thread, which alone writes `orders.db`, for all server threads. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { DataFolder } from '../files/data-folder.ts';
import { fileLength } from '../files/file-length.ts';
import { probeDisk } from '../files/probe-disk.ts';
import { StorageError, storageError } from '../files/storage-error.ts';
import { headText } from '../repository/audit-chain.ts';
import { createRepositoryBatches } from '../repository/repository-batches.ts';
import type { FromOrdersThread, StorageThreadData } from '../threads/repository-messages.ts';
import {
  commitSignalOf,
  countResults,
  createFaultReport,
  LOOK_FOR_EXPIRED_MS,
  LOOK_MS,
  NOTE_HEAD_MS,
  servePorts,
} from '../threads/serve-ports.ts';
import { createWriteHealth, PROBE_MS } from '../threads/write-health.ts';
import { AuditLog } from './audit-log.ts';
import { probeDatabase, truncateLog, walProblem } from './database/write-ahead-log.ts';
import { SqliteRepository } from './repository.ts';
import {
  isOfEarlierVersion,
  openRepositoryDatabase,
  type RepositoryDatabase,
} from './repository-database.ts';

export interface OrdersThreadData extends StorageThreadData {
  readonly folder: DataFolder;
}

const { folder, counters, retentionDays, isTimed }: OrdersThreadData = workerData;
const main = parentPort;
if (main === null) throw new Error('orders-thread.ts is run by start-orders-thread.ts as a thread');

const ERASE_MS = 100;
let nextErasureMs = 0;
let hasErased = false;

let lastWalProblem: string | undefined;

const { ordersDatabase: path } = folder;
const health = createWriteHealth({
  probeDisk: () => probeDisk(path),
  probeDatabase: () => {
    if (orders !== undefined) probeDatabase(orders.database, path);
  },
  onChange: (problem) => post({ kind: 'health', problem }),
});
let orders: RepositoryDatabase | undefined;
const store = openStore();
if (orders !== undefined && store !== undefined) serveStore(main, orders, store);

/** Undefined if the disk fails: the main thread then starts another thread. */
function openStore(): SqliteRepository | undefined {
  try {
    if (isOfEarlierVersion(folder)) post({ kind: 'migrating', bytes: fileLength(path) });
    orders = openRepositoryDatabase(folder);
    // Reads the database too, to fill the search index.
    return new SqliteRepository(orders, {
      onFault: createFaultReport(post),
      onIndexing: (progress) => post({ kind: 'indexing', ...progress }),
      explain: health.failed,
    });
  } catch (thrown) {
    const fault = storageError(thrown, path);
    if (!(fault instanceof StorageError)) throw fault;
    const error = health.failed(fault);
    post({ kind: 'unusable', error: error.kind, message: error.message });
    return undefined;
  }
}

function serveStore(main: MessagePort, orders: RepositoryDatabase, store: SqliteRepository): void {
  const audit = new AuditLog(orders.database, orders.auditKey);
  const postHead = () => post({ kind: 'head', head: headText(audit.readHead()) });
  const batches = createRepositoryBatches(
    (operations) => {
      const { commits } = store;
      const results = store.runBatch(operations);
      countResults(counters, results, store.commits - commits);
      return results;
    },
    { isTimed },
  );
  const timers = [
    setInterval(() => {
      store.recordRefusals();
      postWal(orders);
    }, LOOK_MS),
    setInterval(health.look, PROBE_MS),
    setInterval(postHead, NOTE_HEAD_MS),
    ...(retentionDays === 0 ? [] : [setInterval(() => eraseSome(store, orders), ERASE_MS)]),
  ];

  servePorts(main, batches, timers, () => {
    store.recordRefusals({ isLast: true });
    postHead();
    store.close();
  });
  // The thread before may have ended between a commit and its announcement.
  commitSignalOf(counters).announce();
  post({ kind: 'ready' });
  postHead();
}

/** Erases a few at a time, so that calls do not wait long. If there are none, looks again later. */
function eraseSome(store: SqliteRepository, { database }: RepositoryDatabase): void {
  if (performance.now() < nextErasureMs) return;
  if (store.eraseExpired(retentionDays) > 0) hasErased = true;
  else {
    nextErasureMs = performance.now() + LOOK_FOR_EXPIRED_MS;
    // While a reader uses the old state, the log keeps what was erased. The next look tries again.
    if (hasErased && truncateLog(database, 0)) hasErased = false;
  }
}

/** Reports each change once. */
function postWal({ database }: RepositoryDatabase): void {
  const bytes = fileLength(`${path}-wal`);
  const problem = walProblem(database, path, bytes);
  if (problem === lastWalProblem) return;
  lastWalProblem = problem;
  post({ kind: 'wal', problem, bytes });
}

function post(message: FromOrdersThread): void {
  main?.postMessage(message);
}
