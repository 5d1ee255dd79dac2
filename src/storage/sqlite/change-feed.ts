/** Versions of any resources in the order of their writing, and the positions of that order. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { historyPage } from '../../fhir/stored/history-page.ts';
import { type Change, type ChangesRequest, START_POSITION } from '../../fhir/stored/repository.ts';
import { instantText, VERSION_COLUMNS, versionOf } from '../repository/stored-version.ts';
import { type ChangesAnswer, changesAnswer, UNKNOWN_POSITION } from '../threads/reader-answers.ts';

/**
 * Statements over an open database. The caller closes it. One process writes, one transaction after
 * the other: keys of versions ascend in the order of commits.
 *
 * A position is the key of a version and the start of the mac of its audit entry. After a restore,
 * other versions may get the keys of those that were lost. They then have other macs.
 */
export class ChangeFeed {
  readonly #newestFirst: StatementSync;
  readonly #oldestFirst: StatementSync;
  readonly #macOf: StatementSync;
  readonly #last: StatementSync;
  readonly #firstSince: StatementSync;

  constructor(database: DatabaseSync) {
    this.#newestFirst = database.prepare(`${SELECT_BETWEEN} DESC LIMIT ?`);
    this.#oldestFirst = database.prepare(`${SELECT_BETWEEN} LIMIT ?`);
    this.#macOf = database.prepare(`${SELECT_MAC} WHERE v.key = ?`);
    this.#last = database.prepare(`${SELECT_MAC} ORDER BY v.key DESC LIMIT 1`);
    this.#firstSince = database.prepare(
      `SELECT key FROM resource_version AS v INDEXED BY resource_version_by_time
       WHERE written_at >= ?
         AND NOT EXISTS (SELECT 1 FROM set_back_version AS s WHERE s.version = v.key)
       ORDER BY written_at, key LIMIT 1`,
    );
  }

  read(request: ChangesRequest): ChangesAnswer {
    const { types, order, position, sinceMs, count } = request;
    const key = position === undefined ? undefined : this.#keyAt(position);
    if (position !== undefined && key === undefined) return UNKNOWN_POSITION;
    const since = sinceMs === undefined ? '' : instantText(sinceMs);
    const before = since === '' ? 0 : this.#lastBefore(since);
    const isNewestFirst = order === 'newest-first';
    const [statement, after, end] = isNewestFirst
      ? [this.#newestFirst, before, key ?? Number.MAX_SAFE_INTEGER]
      : [this.#oldestFirst, Math.max(key ?? 0, before), Number.MAX_SAFE_INTEGER];
    const rows = statement.iterate(after, end, since, JSON.stringify(types), count + 1);
    const page = historyPage(changesIn(rows), request);
    const last = this.#last.get();
    const lastPosition = last === undefined ? START_POSITION : positionOf(last);
    return changesAnswer({ kind: 'found', ...page, end: lastPosition });
  }

  /** All keys up to this one are of versions that were written before the time. */
  #lastBefore(since: string): number {
    const first = this.#firstSince.get(since)?.key;
    return first === undefined ? Number.MAX_SAFE_INTEGER : Number(first) - 1;
  }

  /** Undefined if no version has the position. */
  #keyAt(position: string): number | undefined {
    if (position === START_POSITION) return 0;
    const [, key, start] = /^([1-9]\d{0,14})-([0-9a-f]+)$/.exec(position) ?? [];
    const row = key === undefined ? undefined : this.#macOf.get(Number(key));
    return row !== undefined && macStart(row) === start ? Number(key) : undefined;
  }
}

type Row = Record<string, SQLOutputValue>;

const SELECT_MAC = `
  SELECT v.key, a.mac FROM resource_version AS v
  JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number`;

/**
 * With the plus sign, SQLite compares the times, but reads in the order of the keys. CROSS JOIN keeps
 * the order of the tables: SQLite would otherwise begin with all resources of the types, and sort
 * their versions.
 */
const SELECT_BETWEEN = `
  SELECT v.key, a.mac, ${VERSION_COLUMNS.text}
  FROM resource_version AS v
  CROSS JOIN resource AS r ON r.key = v.resource
  CROSS JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
  WHERE v.key > ? AND v.key < ? AND +v.written_at >= ?
    AND r.resource_type IN (SELECT value FROM json_each(?)) ORDER BY v.key`;

function* changesIn(rows: Iterable<Row>): Iterable<Change> {
  for (const row of rows) {
    yield { ...versionOf(row), type: String(row.resource_type), position: positionOf(row) };
  }
}

function positionOf(row: Row): string {
  return `${row.key}-${macStart(row)}`;
}

/** 32 bits: enough to tell two databases apart. */
function macStart({ mac }: Row): string {
  return mac instanceof Uint8Array ? Buffer.from(mac.subarray(0, 4)).toString('hex') : '';
}
