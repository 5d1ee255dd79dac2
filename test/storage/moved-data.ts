/** Data for moves: a store with every state that a move must carry, and all that a store has. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../../src/fhir/stored/repository.ts';
import type {
  DeliveryStore,
  SavedDelivery,
} from '../../src/orders/subscriptions/delivery-store.ts';
import { plainRow } from '../../src/storage/editions/edition-list.ts';
import { parseAuditRecord } from '../../src/storage/repository/audit-record.ts';
import type { Store } from '../../src/storage/store/store.ts';
import {
  MOVED_TABLES,
  type MovedContents,
  type MovedRow,
  type MovedTable,
} from '../../src/storage/store/store-contents.ts';
import { ACCESS, createOrder, identifierOf, TYPE, updateOrder } from './repository.contract.ts';
import { searchFor } from './store-place.ts';

const SUBSCRIPTION = 'Subscription';
const TABLES = Object.keys(MOVED_TABLES) as MovedTable[];

/**
 * Order responses with erased, held and deleted ones, recorded and kept searches, and subscriptions
 * in every state. The last version is of the order response `last`.
 */
export async function fillForMove(store: Repository & DeliveryStore, commands: Store) {
  for (const id of ['a', 'b', 'c', 'd']) await createOrder(store, id, [identifierOf(id)]);
  const names = ['up-to-date', 'failing', 'new', 'lost', 'off', 'erased'];
  for (const id of names) await createOrder(store, id, [], undefined, SUBSCRIPTION);
  await updateOrder(store, 'a', { entries: [identifierOf('a')], note: 'Zoë' });
  await store.delete({ type: TYPE, id: 'd', preconditions: {} }, as('delete'));
  await store.delete({ type: SUBSCRIPTION, id: 'off', preconditions: {} }, as('delete'));
  await searchFor(store, 'identifier=c', { id: 'c' });
  await keepSearch(store);
  await commands.eraseContent({ id: 'a', version: 1 }, 'another patient');
  await commands.eraseContent({ id: 'b' }, 'asked');
  await commands.eraseContent({ type: SUBSCRIPTION, id: 'erased' }, 'asked');
  await commands.holdResource({ id: 'c' }, 'inquest');
  await createOrder(store, 'last', [identifierOf('last')]);
  const versions = await feedOf(store);
  const [first, newest] = [versions.find(({ id }) => id === 'b'), versions.at(-1)];
  assert.ok(first && newest);
  const at = (subscription: string, { position, writtenAt }: typeof first): SavedDelivery => ({
    subscription,
    position,
    writtenAt,
    failingSinceMs: null,
    problem: '',
  });
  await store.saveDeliveries([
    at('up-to-date', newest),
    {
      ...at('failing', first),
      failingSinceMs: 1_764_172_800_123,
      problem: 'The receiver is away.',
    },
    { ...at('new', first), position: '0' },
    { ...at('lost', first), position: '99999-00000000' },
    at('off', first),
    at('erased', first),
  ]);
}

function as(interaction: typeof ACCESS.interaction) {
  return { ...ACCESS, interaction };
}

async function keepSearch(store: Repository): Promise<void> {
  const request = {
    type: TYPE,
    parameters: '_count=1',
    criteria: [],
    sort: [],
    count: 1,
    keepMs: 60_000,
    lengthMax: 1e9,
    candidatesMax: 10_000,
  };
  await store.search(request, as('search-type'));
}

/** Every version, oldest first. */
export async function feedOf(store: Repository, position = '0') {
  const request = { types: [TYPE, SUBSCRIPTION], order: 'oldest-first', position } as const;
  const page = await store.changes({ ...request, count: 1000, lengthMax: 1e9 }, as('history-type'));
  assert.equal(page.kind, 'found');
  return page.kind === 'found' ? page.versions : [];
}

/** All that a store has, in a form that is the same in each kind of store. */
export async function contentsOf(store: Store) {
  await using contents = await store.contents.read();
  const { editions, postcodes, practitioners, receivers } = contents;
  const rows = await rowsOf(contents);
  return {
    editions: editions?.editions.map((edition) => ({
      row: plainRow(edition),
      byRole: edition.byRole,
      codes: Object.values(edition.codes).map(digestOf),
    })),
    publications: editions?.publications.map(({ id, edition, published_at }) => [
      id,
      edition,
      published_at,
    ]),
    files: await filesOf(contents),
    postcodes: postcodes && digestOf(postcodes),
    practitioners: practitioners && digestOf(practitioners),
    receivers,
    rows,
  };
}

async function filesOf({ editions }: MovedContents): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { number, pruned_at } of editions?.editions ?? []) {
    if (pruned_at !== null) continue;
    const folder = (await editions?.folderOf(number)) ?? '';
    for (const name of readdirSync(folder).toSorted()) {
      files.push(`${number} ${name} ${digestOf(readFileSync(join(folder, name)))}`);
    }
  }
  return files;
}

/** The rows by table. The order of versions matters; audit entries are numbered anew. */
async function rowsOf({ orders }: MovedContents): Promise<Readonly<Record<string, unknown>>> {
  const entries = new Map<string, string>();
  const tables: Record<string, unknown> = {};
  for (const table of TABLES) {
    const rows = orders === undefined ? [] : await Array.fromAsync(orders.rows(table));
    const texts = rows.map((row) => plainText(table, row, entries));
    tables[table] = table === 'resource_version' ? texts : texts.toSorted();
  }
  return tables;
}

function plainText(table: MovedTable, row: MovedRow, entries: Map<string, string>): string {
  const { writer, number, audit_writer, audit_number, entry, ...rest } = row;
  if (table === 'audit_entry') {
    const { writer: _, ...record } = parseAuditRecord(String(entry)) ?? { writer: 0 };
    const text = JSON.stringify({ ...record, at: row.recorded_at });
    entries.set(`${writer} ${number}`, text);
    return text;
  }
  const name = [writer ?? audit_writer, number ?? audit_number].join(' ');
  const values = Object.entries(rest).map(([column, value]) => [
    column,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value && String(value),
  ]);
  const isLinked = writer !== undefined || audit_writer !== undefined;
  return JSON.stringify([values.toSorted(), isLinked ? entries.get(name) : null]);
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The steps of a move at which it can fail, in order: `resource 2`, `edition 1`. */
export async function stepsOf({ editions, orders }: MovedContents): Promise<readonly string[]> {
  const steps: string[] = [];
  for (const { number, pruned_at } of editions?.editions ?? []) {
    if (pruned_at === null) steps.push(`edition ${number}`);
  }
  for (const table of TABLES) {
    const rows = orders === undefined ? [] : await Array.fromAsync(orders.rows(table));
    for (let at = 0; at <= rows.length; at++) steps.push(`${table} ${at}`);
  }
  return steps;
}

/** Contents whose reading calls `fail` at a step. A step `resource 2` is before the third row. */
export function failingAt(
  { editions, postcodes, practitioners, receivers, orders }: MovedContents,
  step: string,
  fail: () => void | Promise<void>,
): MovedContents {
  const reach = async (each: string) => {
    if (each === step) await fail();
  };
  return {
    postcodes,
    practitioners,
    receivers,
    editions: editions && {
      ...editions,
      folderOf: async (number) => {
        await reach(`edition ${number}`);
        return editions.folderOf(number);
      },
    },
    orders: orders && {
      ...orders,
      rows: async function* (table) {
        let at = 0;
        for await (const row of orders.rows(table)) {
          await reach(`${table} ${at++}`);
          yield row;
        }
        await reach(`${table} ${at}`);
      },
    },
  };
}
