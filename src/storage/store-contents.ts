/** All that a store has, as `gazetteer move` carries it to a store of another kind. */
import type { AuditRecord } from '../fhir/audit/audit.ts';
import type { DetailedEdition, PublicationRow } from './editions/edition-list.ts';
import { type AuditNumber, parseAuditRecord } from './repository/audit-record.ts';
import { StorageError } from './storage-error.ts';

export interface StoreContents {
  /** Throws a `StorageError` if the store has editions or order responses, or a server uses it. */
  requireEmpty(): Promise<void>;
  /** Undefined if there are none. The store must not change until they are written elsewhere. */
  readEditions(): Promise<MovedEditions | undefined>;
  writeEditions(editions: MovedEditions): Promise<void>;
  /** Undefined if there are none. `close` it. */
  readOrders(): Promise<MovedOrders | undefined>;
  writeOrders(orders: MovedOrders): Promise<void>;
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
    ...['resource', 'version', 'written_at', 'method', 'audit_writer', 'audit_number', 'text'],
  ],
  erasure: ['resource', 'erased_at', 'audit_writer', 'audit_number'],
  version_erasure: ['resource', 'version', 'erased_at', 'audit_writer', 'audit_number'],
  hold: ['resource', 'held_at', 'reason'],
  audit_parameters: ['writer', 'number', 'recorded_at', 'salt', 'parameters'],
} as const;

export type MovedTable = keyof typeof MOVED_TABLES;

export interface MovedOrders {
  /** The key of the audit log. */
  readonly auditKey: Uint8Array;
  /** Audit entries in the order of their times, versions in the order of their writing. */
  rows(table: MovedTable): AsyncIterable<MovedRow>;
  close(): Promise<void>;
}

/** The new numbers of audit entries, whose chains become one chain of one writer. */
export class MovedEntries {
  readonly #numbers = new Map<number, number[]>();
  readonly #writer: number;
  #last = 0;

  /** `writer`: the new one. */
  constructor(writer: number) {
    this.#writer = writer;
  }

  /** Numbers an entry. Returns its record, without the writer of before. */
  add({ writer, number, entry }: MovedRow): {
    readonly number: number;
    readonly record: AuditRecord;
  } {
    const stored = parseAuditRecord(String(entry));
    if (stored === undefined) {
      throw new StorageError('damaged', `audit entry ${number} of writer ${writer} cannot be read`);
    }
    const { writer: _before, ...record } = stored;
    const numbers = this.#numbers.get(Number(writer)) ?? [];
    this.#numbers.set(Number(writer), numbers);
    numbers[Number(number)] = ++this.#last;
    return { number: this.#last, record };
  }

  /** The new number of an entry. */
  of(writer: unknown, number: unknown): AuditNumber {
    const moved = this.#numbers.get(Number(writer))?.[Number(number)];
    if (moved !== undefined) return { writer: this.#writer, number: moved };
    throw new StorageError('damaged', `audit entry ${number} of writer ${writer} is missing`);
  }

  /** A row of another table, with the new numbers in place of those of before. */
  renumber(table: MovedTable, row: MovedRow): MovedRow {
    if (table === 'audit_parameters') return { ...row, ...this.of(row.writer, row.number) };
    if (row.audit_writer === undefined) return row;
    const { writer, number } = this.of(row.audit_writer, row.audit_number);
    return { ...row, audit_writer: writer, audit_number: number };
  }
}
