/**
 * The writers of the audit log. Each connection that writes is a writer with its own chain. The list
 * of writers is a chain too, and the chain of a writer begins with the MAC of its line in the list.
 * So a verification detects that a writer was removed, or that entries before a noted head were.
 */
import { hostname } from 'node:os';
import { CHAIN_START, type ChainHead, headText, macOf } from '../audit-chain.ts';
import { StorageError } from '../storage-error.ts';
import { instantText } from '../stored-version.ts';
import type { Connection, Row } from './connection.ts';

/** A line of the list. */
export type WriterLine =
  /** A new writer, whose number is that of the line. */
  | { readonly node: string; readonly process: number }
  /** The ends of the chains of some writers, by number, in the form of `headText`. */
  | { readonly heads: Readonly<Record<string, string>> };

/** Adds a writer. Its chain begins with the head that this returns. */
export async function addWriter(connection: Connection, key: Uint8Array, nowMs: number) {
  const line: WriterLine = { node: hostname(), process: process.pid };
  const { number, mac } = await addLine(connection, key, line, nowMs);
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
): Promise<ChainHead> {
  const texts = [...heads].map(([writer, head]) => [writer, headText(head)] as const);
  return addLine(connection, key, { heads: Object.fromEntries(texts) }, nowMs);
}

/** Throws if the key is not that of the list. A list without lines fits any key. */
export async function requireWriterKey(connection: Connection, key: Uint8Array): Promise<void> {
  const [last, before] = await connection.query(
    'SELECT number, recorded_at, entry, mac FROM audit_writer ORDER BY number DESC LIMIT 2',
  );
  if (last === undefined) return;
  const previous = before === undefined ? CHAIN_START.mac : binaryOf(before.mac);
  if (Buffer.compare(macOf(key, previous, lineTextOf(last)), binaryOf(last.mac)) === 0) return;
  throw new StorageError(
    'damaged',
    `${connection.host}: the audit key is not that of the audit log in the database, or the end of ` +
      'its list of writers was changed; set orders.auditKeyFile to the key of the other servers',
  );
}

export async function hasWriters(connection: Connection): Promise<boolean> {
  const rows = await connection.query('SELECT 1 FROM audit_writer LIMIT 1');
  return rows.length > 0;
}

/** A row of `audit_writer` or of `audit_entry` as its MAC covers it. */
export function lineTextOf({ number, recorded_at, entry }: Row) {
  return { number: Number(number), recordedAt: String(recorded_at), entry: String(entry) };
}

export function binaryOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

async function addLine(
  connection: Connection,
  key: Uint8Array,
  line: WriterLine,
  nowMs: number,
): Promise<ChainHead> {
  return connection.transaction(async () => {
    const [, [last]] = await Promise.all([
      connection.query('SELECT pg_advisory_xact_lock($1)', [WRITERS_LOCK]),
      connection.query('SELECT number, mac FROM audit_writer ORDER BY number DESC LIMIT 1'),
    ]);
    const previous = last === undefined ? CHAIN_START.mac : binaryOf(last.mac);
    const number = Number(last?.number ?? 0) + 1;
    const recordedAt = instantText(nowMs);
    const entry = JSON.stringify(line);
    const mac = macOf(key, previous, { number, recordedAt, entry });
    await connection.query(
      'INSERT INTO audit_writer (number, recorded_at, entry, mac) VALUES ($1, $2, $3, $4)',
      [number, recordedAt, entry, Buffer.from(mac)],
    );
    return { number, mac };
  });
}

/** Only one process adds a line at a time: `GZAW` */
const WRITERS_LOCK = 0x475a4157;
