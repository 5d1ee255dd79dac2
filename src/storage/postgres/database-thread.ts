/** The program of the storage thread that writes order responses to a database, for all server threads. */

import { setTimeout as pause } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { StorageError } from '../files/storage-error.ts';
import { UNAVAILABLE } from '../files/unavailable.ts';
import { headText } from '../repository/audit-chain.ts';
import { createRepositoryBatches } from '../repository/repository-batches.ts';
import { createChangeLook, LOOK_FOR_CHANGES_MS } from '../threads/commit-signal.ts';
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
import { withConnection } from './connection/connection.ts';
import type { DatabaseSettings } from './connection/database-settings.ts';
import { needsTypeLock } from './lanes/batch-needs.ts';
import { PostgresRepository } from './lanes/repository.ts';
import { CommandSession, eraseDatabaseExpired } from './orders/command-session.ts';
import { type OrdersDatabase, openOrdersDatabase } from './orders/orders-database.ts';
import { lastOtherServer } from './tables/audit-writers.ts';

export interface DatabaseThreadData extends StorageThreadData {
  readonly database: DatabaseSettings;
  readonly baseUrl: string | undefined;
}

const {
  counters,
  retentionDays,
  isTimed,
  baseUrl,
  database: settings,
}: DatabaseThreadData = workerData;
const main = parentPort;
if (main === null)
  throw new Error('database-thread.ts is run by start-database-thread.ts as a thread');

/** The interval of the probes, and of the search for calls that wait too long. */
const PROBE_MS = 500;
/** A call that has waited for a lane for this time fails, because the database is unavailable. */
const WAIT_MAX_MS = 4_000;

const ERASE_PAUSE_MS = 100;
const ERASED_AT_ONCE = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

const report = createFaultReport(post);
const database = await open();
if (database !== undefined) await serve(main, database);

/** Undefined if the database is unavailable: the main thread then starts another thread. */
async function open(): Promise<OrdersDatabase | undefined> {
  try {
    const role = retentionDays > 0 ? 'erase' : 'serve';
    const options = { role, mayCreate: true } as const;
    return await openOrdersDatabase(settings.address, settings.auditKeyFile, options);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    post({ kind: 'unusable', error: error.kind, message: error.message });
    return undefined;
  }
}

async function serve(main: MessagePort, database: OrdersDatabase): Promise<void> {
  const repository = new PostgresRepository(database, {
    ...settings,
    baseUrl,
    onFault: report,
    onHealth: (problem) => post({ kind: 'health', problem }),
  });
  await attempt(() => compareBaseUrls(database));
  if (!(await connect(repository))) return;
  const batches = createRepositoryBatches(
    async (operations, lane) => {
      const { commits } = repository;
      const results = await repository.runBatch(operations, lane);
      countResults(counters, results, Math.max(1, repository.commits - commits));
      return results;
    },
    { lanes: settings.poolSize, needsFirstLane: needsTypeLock, isTimed },
  );
  const noteHead = async () => {
    const head = await repository.noteHead();
    post({ kind: 'head', head: headText(head) });
  };
  let losses = 0;
  const lookForLosses = async () => {
    const count = await repository.countLosses();
    if (count !== losses) post({ kind: 'losses', count });
    losses = count;
  };
  const away = { kind: 'unavailable', message: UNAVAILABLE.unreachable } as const;
  const ended = new AbortController();
  const lookForChanges = createChangeLook(commitSignalOf(counters), () =>
    repository.newestPosition(),
  );
  const timers = [
    setInterval(() => void attempt(lookForChanges), LOOK_FOR_CHANGES_MS),
    setInterval(() => {
      void attempt(() => repository.recordRefusals());
      void attempt(async () => {
        await repository.removeExpiredSearches();
        await lookForLosses();
      });
    }, LOOK_MS),
    setInterval(() => {
      batches.expire(WAIT_MAX_MS, away);
      void repository.look();
    }, PROBE_MS),
    setInterval(() => void attempt(noteHead), NOTE_HEAD_MS),
  ];
  if (retentionDays > 0) void eraseExpired(database, ended.signal);
  servePorts(main, batches, timers, async () => {
    ended.abort();
    await attempt(noteHead);
    await repository.close();
  });
  post({ kind: 'ready' });
  await attempt(noteHead);
  await attempt(lookForLosses);
}

/**
 * Returns false if the thread must end: another server started the audit log with another key after
 * this one had found it empty.
 */
async function connect(repository: PostgresRepository): Promise<boolean> {
  try {
    await repository.connect();
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'wrong-key') {
      await repository.close();
      post({ kind: 'unusable', error: error.kind, message: error.message });
      return false;
    }
    report(error instanceof Error ? error : new Error(String(error)));
  }
  return true;
}

/** Links lead to different servers if the servers of a database do not have the same base URL. */
async function compareBaseUrls({ address }: OrdersDatabase): Promise<void> {
  const other = await withConnection(address, { name: 'gazetteer' }, lastOtherServer);
  if (other === undefined || other.baseUrl === (baseUrl ?? null)) return;
  post({ kind: 'baseUrl', node: other.node, other: other.baseUrl });
}

/** Erases a few resources at a time. If none are left, checks again later. */
async function eraseExpired(database: OrdersDatabase, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const isErased = await attempt(() => eraseSome(database, ended));
    await pauseUntil(isErased === undefined ? LOOK_MS : LOOK_FOR_EXPIRED_MS, ended);
  }
}

async function eraseSome(database: OrdersDatabase, ended: AbortSignal): Promise<boolean> {
  await using session = await CommandSession.open(database);
  for (let erased = 1; erased > 0 && !ended.aborted; ) {
    const beforeMs = Date.now() - retentionDays * DAY_MS;
    erased = await eraseDatabaseExpired(session, { beforeMs, limit: ERASED_AT_ONCE });
    await pauseUntil(ERASE_PAUSE_MS, ended);
  }
  return true;
}

/** Pauses, and not longer than until the thread stops. */
async function pauseUntil(ms: number, ended: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: ended }).catch(() => {});
}

/** Runs work that no call waits for, and reports why it failed. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    report(error instanceof Error ? error : new Error(String(error)));
    return undefined;
  }
}

function post(message: FromOrdersThread): void {
  main?.postMessage(message);
}
