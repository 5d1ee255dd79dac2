/**
 * The writers of the audit log. Each connection that writes is a writer with its own chain. The list
 * of writers is a chain too, and the chain of a writer begins with the MAC of its line in the list.
 * So a verification detects that a writer was removed, or that entries before a noted head were.
 */
import { hostname } from 'node:os';
import { StorageError } from '../../files/storage-error.ts';
import {
  CHAIN_START,
  type ChainHead,
  chainedAfter,
  headText,
  macOf,
} from '../../repository/audit-chain.ts';
import type { Row } from '../../repository/statement.ts';
import { instantText } from '../../repository/stored-version.ts';
import type { Connection } from '../connection/connection.ts';

/** A line of the list. */
export type WriterLine =
  /** A new writer, whose number is that of the line. */
  | {
      readonly node: string;
      readonly process: number;
      /** For a server: the base URL of its links, or null if it is not set. */
      readonly baseUrl?: string | null;
    }
  /** The ends of the chains of some writers, by number, in the form of `headText`. */
  | ({ readonly heads: Readonly<Record<string, string>> } & HeadMark);

/** The reason for a line with heads, if it is not the usual note. */
export interface HeadMark {
  /** The database has lost entries before these heads. */
  readonly isLost?: true;
  /** An operator knows of the losses before this line. */
  readonly isConfirmed?: true;
}

/** A server has `baseUrl` and `node`. */
export interface WriterOptions {
  readonly baseUrl?: string | null;
  readonly node?: string;
}

export interface NewWriter {
  readonly writer: number;
  /** The first head of its chain. */
  readonly head: ChainHead;
}

/**
 * Adds a writer. It must survive a failover, because another server would otherwise get its number.
 */
export async function addWriter(
  connection: Connection,
  key: Uint8Array,
  nowMs: number,
  options: WriterOptions = {},
): Promise<NewWriter> {
  return connection.certainTransaction(() => insertWriter(connection, key, nowMs, options));
}

/** Adds a writer in the open transaction. */
export async function insertWriter(
  connection: Connection,
  key: Uint8Array,
  nowMs: number,
  { baseUrl, node = hostname() }: WriterOptions = {},
): Promise<NewWriter> {
  const line: WriterLine = {
    node,
    process: process.pid,
    ...(baseUrl !== undefined && { baseUrl }),
  };
  const { number, mac } = await insertLine(connection, key, line, nowMs);
  return { writer: number, head: { number: 0, mac } };
}

/**
 * Notes where the chains of some writers end. Returns the head of the list: `verify` can later show
 * that none of these entries is missing.
 */
export async function noteHeads(
  connection: Connection,
  key: Uint8Array,
  heads: ReadonlyMap<number, ChainHead>,
  nowMs: number,
  mark: HeadMark = {},
): Promise<ChainHead> {
  return connection.certainTransaction(() => insertHeads(connection, key, heads, nowMs, mark));
}

/** Notes the ends of chains in the open transaction. */
export async function insertHeads(
  connection: Connection,
  key: Uint8Array,
  heads: ReadonlyMap<number, ChainHead>,
  nowMs: number,
  mark: HeadMark = {},
): Promise<ChainHead> {
  const texts = [...heads].map(([writer, head]) => [writer, headText(head)] as const);
  return insertLine(connection, key, { heads: Object.fromEntries(texts), ...mark }, nowMs);
}

export interface OtherServer {
  readonly node: string;
  readonly baseUrl: string | null;
}

/** The last server that was started on another machine, if there is one. */
export async function lastOtherServer(connection: Connection): Promise<OtherServer | undefined> {
  const rows = await connection.query(
    `SELECT entry FROM audit_writer WHERE entry LIKE '%"baseUrl":%' ORDER BY number DESC LIMIT $1`,
    [LINES_READ_MAX],
  );
  const lines = rows.map(({ entry }): OtherServer => JSON.parse(String(entry)));
  return lines.find(({ node }) => node !== hostname());
}

/** Each start of a server adds one line for each of its connections for writing. */
const LINES_READ_MAX = 500;

/** Throws if the key is not that of the list. A list without lines fits any key. */
export async function requireWriterKey(connection: Connection, key: Uint8Array): Promise<void> {
  await requireKeyOf(await connection.query(LAST_LINES), connection, key);
}

/** The last line of the list, and the one before it. */
const LAST_LINES =
  'SELECT number, recorded_at, entry, mac FROM audit_writer ORDER BY number DESC LIMIT 2';

async function requireKeyOf(
  [last, before]: readonly Row[],
  connection: Connection,
  key: Uint8Array,
): Promise<void> {
  const fits = (line: Row, previous: Uint8Array) =>
    Buffer.compare(macOf(key, previous, lineTextOf(line)), binaryOf(line.mac)) === 0;
  if (last === undefined) return;
  if (fits(last, before === undefined ? CHAIN_START.mac : binaryOf(before.mac))) return;
  const [first] = await connection.query(
    'SELECT number, recorded_at, entry, mac FROM audit_writer ORDER BY number LIMIT 1',
  );
  if (first !== undefined && fits(first, CHAIN_START.mac)) {
    throw new StorageError(
      'damaged',
      `${connection.host}: the end of the list of writers of the audit log was changed; restore ` +
        'a backup of the database',
    );
  }
  throw new StorageError(
    'wrong-key',
    `${connection.host}: the audit key is not the key of the audit log in the database; set ` +
      'orders.auditKeyFile to the key of the other servers',
  );
}

export async function hasWriters(connection: Connection): Promise<boolean> {
  const rows = await connection.query('SELECT 1 FROM audit_writer LIMIT 1');
  return rows.length > 0;
}

/** A row of `audit_writer` or of `audit_entry` as its MAC covers it. */
function lineTextOf({ number, recorded_at, entry }: Row) {
  return { number: Number(number), recordedAt: String(recorded_at), entry: String(entry) };
}

export function binaryOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

/** Checks the key again: two servers with different keys may have found an empty list. */
async function insertLine(
  connection: Connection,
  key: Uint8Array,
  line: WriterLine,
  nowMs: number,
): Promise<ChainHead> {
  const [, lines] = await Promise.all([
    connection.query('SELECT pg_advisory_xact_lock($1)', [WRITERS_LOCK]),
    connection.query(LAST_LINES),
  ]);
  await requireKeyOf(lines, connection, key);
  const [last] = lines;
  const end = last ? { number: Number(last.number), mac: binaryOf(last.mac) } : CHAIN_START;
  const text = { recordedAt: instantText(nowMs), entry: JSON.stringify(line) };
  const { number, recordedAt, entry, mac } = chainedAfter(end, key, text);
  await connection.query(
    'INSERT INTO audit_writer (number, recorded_at, entry, mac) VALUES ($1, $2, $3, $4)',
    [number, recordedAt, entry, Buffer.from(mac)],
  );
  return { number, mac };
}

/** Only one process adds a line at a time: `GZAW` */
const WRITERS_LOCK = 0x475a4157;
