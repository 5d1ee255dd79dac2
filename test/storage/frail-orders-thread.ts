/**
 * A storage thread for tests: it dies when it is to create the order response `die`. Its database
 * is full from `fill` on, or from the start where the file `full` is beside it, until the file
 * `room` is.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteRepository } from '../../src/storage/sqlite/repository.ts';

const SQLITE_FULL = 13;
const { path } = workerData.folder;
const WRITES = new Set(['COMMIT', 'PRAGMA journal_mode = WAL']);
let isFull = existsSync(`${path}/full`);

const { runBatch } = SqliteRepository.prototype;
SqliteRepository.prototype.runBatch = function (operations) {
  for (const operation of operations) {
    if (operation.kind !== 'create') continue;
    if (operation.args[0].id === 'fill') isFull = true;
    if (operation.args[0].id !== 'die') continue;
    parentPort?.unref();
    throw new Error('a death for a test');
  }
  return runBatch.call(this, operations);
};

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  if (isFull && WRITES.has(sql) && !existsSync(`${path}/room`)) {
    throw Object.assign(new Error('database or disk is full'), { errcode: SQLITE_FULL });
  }
  return exec.call(this, sql);
};

await import('../../src/storage/sqlite/orders-thread.ts');
