/** The contents of a store, as `gazetteer move` copies them to a store of another kind. */
import type { AuditRecord } from '../../fhir/audit/audit.ts';
import { START_POSITION } from '../../fhir/stored/repository.ts';
import type { ReceiverState } from '../../orders/subscriptions/webhooks.ts';
import type { DetailedEdition, PublicationRow } from '../editions/edition-list.ts';
import { StorageError } from '../files/storage-error.ts';
import { type AuditNumber, parseAuditRecord } from '../repository/audit-record.ts';
import { joinedSql, plain, type Sql, sql } from '../repository/statement.ts';
import { positionOfVersion, versionAt } from '../sql/change-feed.ts';
import type { SqlDialect, SqlReader } from '../sql/dialect.ts';

export interface StoreContents {
  /**
   * Throws a `StorageError` if the store has nothing, or if a server uses it. A folder is kept from
   * servers until the reservation ends.
   */
  reserveAsSource(): Promise<Disposable>;
  /** The same, but throws if the store has any data that a move writes. */
  reserveAsTarget(): Promise<Disposable>;
  /** The store must not change until the contents are written elsewhere. */
  read(): Promise<MovedContents & AsyncDisposable>;
  /** Writes everything into an empty store. Removes what it has written if it fails. */
  write(contents: MovedContents): Promise<void>;
}

export interface MovedContents {
  /** Undefined if no edition was ever published. */
  readonly editions?: MovedEditions | undefined;
  /** As `TableStore.bytes` returns them. */
  readonly postcodes?: Uint8Array | undefined;
  readonly practitioners?: Uint8Array | undefined;
  /** Which edition each receiver of webhooks has. */
  readonly receivers: Readonly<Record<string, ReceiverState>>;
  /** Undefined if there never was an access. */
  readonly orders?: MovedOrders | undefined;
}

export interface MovedEditions {
  /** By number, from 1. */
  readonly editions: readonly DetailedEdition[];
  readonly publications: readonly PublicationRow[];
  /** A folder with the data of an edition that is kept. */
  folderOf(number: number): Promise<string>;
}

export type MovedRow = Readonly<Record<string, unknown>>;

/** The tables of order responses, in the order in which they are written, and their columns. */
export const MOVED_TABLES = {
  audit_entry: ['writer', 'number', 'recorded_at', 'entry'],
  resource: ['key', 'resource_type', 'id', 'current_version'],
  resource_version: [
    'resource',
    'version',
    'written_at',
    'method',
    'audit_writer',
    'audit_number',
    'text',
  ],
  erasure: ['resource', 'erased_at', 'audit_writer', 'audit_number'],
  version_erasure: ['resource', 'version', 'erased_at', 'audit_writer', 'audit_number'],
  hold: ['resource', 'held_at', 'reason'],
  audit_parameters: ['writer', 'number', 'recorded_at', 'salt', 'parameters'],
  subscription_delivery: ['subscription', 'position', 'written_at', 'failing_since', 'problem'],
} as const;

export type MovedTable = keyof typeof MOVED_TABLES;

export interface MovedOrders {
  /** The key of the audit log. */
  readonly auditKey: Uint8Array;
  /**
   * Audit entries in the order of their times, versions in the order of their writing. Each store
   * has its own positions. So in place of `position`, a delivery has the resource and the version
   * there, `at_resource` and `at_version`, or null if the store has no version there.
   */
  rows(table: MovedTable): AsyncIterable<MovedRow>;
}

/** The rows of a table, as `MovedOrders` has them. */
export async function* movedRows(reader: SqlReader, table: MovedTable): AsyncGenerator<MovedRow> {
  for await (const row of reader.rows(selectMoved(reader.dialect, table))) {
    yield table === 'subscription_delivery' ? await withVersion(reader, row) : row;
  }
}

async function withVersion(
  reader: SqlReader,
  { position, ...delivery }: MovedRow,
): Promise<MovedRow> {
  const at = await reader.run(versionAt(reader.dialect, String(position)));
  return { ...delivery, at_resource: at?.resource ?? null, at_version: at?.version ?? null };
}

function selectMoved({ entryOrder, versionOrder }: SqlDialect, table: MovedTable): Sql {
  const columns = plain(MOVED_TABLES[table].join(', '));
  switch (table) {
    case 'audit_entry':
      return sql`SELECT ${columns} FROM audit_entry AS a ORDER BY ${joinedSql(entryOrder, ', ')}`;
    case 'resource_version':
      return sql`SELECT ${columns} FROM resource_version AS v ORDER BY ${versionOrder}`;
    default:
      // The key of each other table comes first.
      return sql`SELECT ${columns} FROM ${plain(table)} ORDER BY 1, 2`;
  }
}

/** The store that gets order responses. */
export interface OrdersTarget {
  /** Reads what has been written. */
  readonly reader: SqlReader;
  /** The writer of the audit log that gets all entries. */
  readonly writer: number;
  readonly rowsInPart: number;
  addEntries(entries: readonly MovedEntry[]): void | Promise<void>;
  insert(table: MovedTable, rows: readonly MovedRow[]): void | Promise<void>;
}

export interface MovedEntry {
  readonly recordedAt: string;
  readonly record: AuditRecord;
}

/** The target must have no order responses. */
export async function writeMovedOrders(orders: MovedOrders, target: OrdersTarget): Promise<void> {
  const { writer, rowsInPart } = target;
  const entries = renumbering(writer);
  for await (const rows of inParts(orders.rows('audit_entry'), rowsInPart)) {
    await target.addEntries(rows.map((row) => entries.add(row)));
  }
  for (const table of TABLES_AFTER_ENTRIES) {
    for await (const rows of inParts(orders.rows(table), rowsInPart)) {
      const moved: MovedRow[] = [];
      for (const row of rows) {
        moved.push(
          table === 'subscription_delivery'
            ? await withPosition(target.reader, row)
            : entries.renumber(table, row),
        );
      }
      await target.insert(table, moved);
    }
  }
}

async function withPosition(
  reader: SqlReader,
  { at_resource, at_version, ...delivery }: MovedRow,
): Promise<MovedRow> {
  const version = { resource: Number(at_resource), version: Number(at_version) };
  const position = await reader.run(positionOfVersion(reader.dialect, version));
  // Without a position, deliveries continue from the date of the last delivered version.
  return { ...delivery, position: position ?? START_POSITION };
}

const TABLES_AFTER_ENTRIES = (Object.keys(MOVED_TABLES) as MovedTable[]).slice(1);

/** `max` items in each part but the last one. */
export async function* inParts<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  max: number,
): AsyncGenerator<readonly Item[]> {
  let part: Item[] = [];
  for await (const item of items) {
    if (part.push(item) < max) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Numbers audit entries anew: their chains become one chain of the new `writer`. */
function renumbering(writer: number) {
  const numbers = new Map<number, number[]>();
  let last = 0;
  const of = (before: unknown, number: unknown): AuditNumber => {
    const moved = numbers.get(Number(before))?.[Number(number)];
    if (moved !== undefined) return { writer, number: moved };
    throw new StorageError('damaged', `audit entry ${number} of writer ${before} is missing`);
  };
  return {
    /** Numbers an entry. Its record is without the writer of before. */
    add: ({ writer: before, number, recorded_at, entry }: MovedRow): MovedEntry => {
      const stored = parseAuditRecord(String(entry));
      if (stored === undefined) {
        const name = `audit entry ${number} of writer ${before}`;
        throw new StorageError('damaged', `${name} cannot be read`);
      }
      const { writer: _before, ...record } = stored;
      const known = numbers.get(Number(before)) ?? [];
      numbers.set(Number(before), known);
      known[Number(number)] = ++last;
      return { recordedAt: String(recorded_at), record };
    },
    /** A row of another table, with the new numbers in place of those of before. */
    renumber: (table: MovedTable, row: MovedRow): MovedRow => {
      if (table === 'audit_parameters') return { ...row, ...of(row.writer, row.number) };
      if (row.audit_writer === undefined) return row;
      const moved = of(row.audit_writer, row.audit_number);
      return { ...row, audit_writer: moved.writer, audit_number: moved.number };
    },
  };
}
