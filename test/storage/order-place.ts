/** Places for order responses in tests: a data folder, opened in this thread or by a thread of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { type DataFolder, openDataFolder } from '../../src/storage/data-folder.ts';
import { createOrderBatches } from '../../src/storage/order-batches.ts';
import type { OrderCalls } from '../../src/storage/order-messages.ts';
import type { OrderOperation, OrderResult } from '../../src/storage/order-operation.ts';
import { createOrderStoreClient } from '../../src/storage/order-store-client.ts';
import { auditEntries } from '../../src/storage/sqlite/order-reader.ts';
import { type OrderStoreOptions, SqliteOrderStore } from '../../src/storage/sqlite/order-store.ts';
import {
  openOrdersDatabase,
  openOrdersSnapshot,
} from '../../src/storage/sqlite/orders-database.ts';
import { verifyOrders } from '../../src/storage/sqlite/verify-orders.ts';
import { startOrdersThread } from '../../src/storage/start-orders-thread.ts';
import { ACCESS, type AuditedPlace, identifierOf, TYPE, textOf } from './order-store.contract.ts';

export function temporaryPlace(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'gazetteer-orders-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A store whose calls make batches in this thread. */
export async function placeInThisThread(): Promise<AuditedPlace> {
  const { path, remove } = temporaryPlace();
  const folder = openDataFolder(join(path, 'data'));
  const sqlite = openStore(folder);
  const batches = createOrderBatches((operations) => sqlite.runBatch(operations));
  const { port1, port2 } = new MessageChannel();
  port2.on('message', ({ first, operations }: OrderCalls) => batches.add(port2, first, operations));
  const store = createOrderStoreClient({ port: port1 });
  return {
    store,
    entries: () => entriesOf(folder),
    remove: async () => {
      store.close();
      sqlite.close();
      remove();
    },
  };
}

export async function placeInThread(): Promise<AuditedPlace> {
  const { path, remove } = temporaryPlace();
  const folder = openDataFolder(join(path, 'data'));
  const thread = await startOrdersThread({ folder, onFault: () => {}, onRestart: () => {} });
  const store = createOrderStoreClient(thread.connect());
  return {
    store,
    entries: () => entriesOf(folder),
    remove: async () => {
      store.close();
      await thread.stop();
      remove();
    },
  };
}

export function openStore(folder: DataFolder, options: OrderStoreOptions = {}): SqliteOrderStore {
  return new SqliteOrderStore(openOrdersDatabase(folder), options);
}

export function entriesOf(folder: DataFolder) {
  const { database } = openOrdersSnapshot(folder);
  try {
    return [...auditEntries(database, {})];
  } finally {
    database.close();
  }
}

export function verdictOf(folder: DataFolder, expectedHead?: { number: number; mac: Uint8Array }) {
  const orders = openOrdersSnapshot(folder);
  try {
    return verifyOrders(orders, expectedHead && { expectedHead });
  } finally {
    orders.database.close();
  }
}

export function createOperation(id: string, identifier?: string, note?: string): OrderOperation {
  const identifiers = identifier === undefined ? [] : [identifierOf(identifier)];
  const text = textOf(id, identifiers, note);
  return { kind: 'create', creation: { type: TYPE, id, text, identifiers }, access: ACCESS };
}

export function updateOperation(id: string, identifier?: string): OrderOperation {
  const identifiers = identifier === undefined ? [] : [identifierOf(identifier)];
  const update = { type: TYPE, id, text: textOf(id, identifiers), identifiers, preconditions: {} };
  return { kind: 'update', update, access: { ...ACCESS, interaction: 'update' } };
}

export function readOperation(id: string): OrderOperation {
  return { kind: 'read', address: { type: TYPE, id }, access: { ...ACCESS, interaction: 'read' } };
}

export function refusalFrom(address: string): OrderOperation {
  return {
    kind: 'record-refusal',
    refusal: { reason: 'unauthenticated', type: TYPE },
    access: { address, requestId: 'r', interaction: 'read' },
  };
}

export function kindsOf(results: readonly OrderResult[]): string[] {
  return results.map(({ kind }) => kind);
}
