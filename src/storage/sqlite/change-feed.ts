/** Versions of any resources in the order of their writing, and the positions of that order. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { historyPage } from '../../fhir/history-page.ts';
import {
  type Change,
  type ChangesPage,
  type ChangesRequest,
  START_POSITION,
} from '../../fhir/repository.ts';
import type { ChangesAnswer, FoundChanges } from '../reader-answers.ts';
import { IS_ERASED, instantText, versionOf } from './resource-tables.ts';

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
    this.#newestFirst = database.prepare(`${SELECT} WHERE v.key < ? ${FILTER} DESC LIMIT ?`);
    this.#oldestFirst = database.prepare(`${SELECT} WHERE v.key > ? ${FILTER} LIMIT ?`);
    this.#macOf = database.prepare(`${SELECT_MAC} WHERE v.key = ?`);
    this.#last = database.prepare(`${SELECT_MAC} ORDER BY v.key DESC LIMIT 1`);
    this.#firstSince = database.prepare(
      `SELECT min(key) AS key FROM resource_version INDEXED BY resource_version_by_time
       WHERE written_at >= ?`,
    );
  }

  read(request: ChangesRequest): ChangesAnswer {
    const { types, order, position, sinceMs, count } = request;
    const key = position === undefined ? undefined : this.#keyAt(position);
    if (position !== undefined && key === undefined) {
      const found = { outcome: 'absent', types: [] } as const;
      return { kind: 'changes', result: { kind: 'unknown-position' }, found };
    }
    const since = sinceMs === undefined ? '' : instantText(sinceMs);
    const first = since === '' ? 0 : this.#firstSince.get(since)?.key;
    const [statement, from] =
      order === 'newest-first'
        ? [this.#newestFirst, key ?? Number.MAX_SAFE_INTEGER]
        : [this.#oldestFirst, key ?? 0];
    // If no version is young enough, no key is at least this one.
    const firstKey =
      first === null || first === undefined ? Number.MAX_SAFE_INTEGER : Number(first);
    const rows = statement.iterate(from, firstKey, since, JSON.stringify(types), count + 1);
    const page = historyPage(changesIn(rows), request);
    const last = this.#last.get();
    const end = last === undefined ? START_POSITION : positionOf(last);
    return { kind: 'changes', result: { kind: 'found', ...page, end }, found: foundOn(page) };
  }

  /** Undefined if no version has the position. */
  #keyAt(position: string): number | undefined {
    if (position === START_POSITION) return 0;
    const [, key, start] = /^([1-9]\d{0,14})-([0-9a-f]+)$/.exec(position) ?? [];
    const row = key === undefined ? undefined : this.#macOf.get(Number(key));
    return row !== undefined && macStart(row) === start ? Number(key) : undefined;
  }
}

function foundOn({ versions }: Pick<ChangesPage, 'versions'>): FoundChanges {
  const types = [...Map.groupBy(versions, ({ type }) => type)].map(([type, shown]) => ({
    type,
    count: shown.length,
    resources: [...new Set(shown.map(({ id }) => id))],
  }));
  return { outcome: 'found', types };
}

type Row = Record<string, SQLOutputValue>;

const SELECT_MAC = `
  SELECT v.key, a.mac FROM resource_version AS v
  JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number`;

const SELECT = `
  SELECT r.resource_type, r.id, v.key, v.version, v.written_at, v.method, v.text, a.mac, ${IS_ERASED}
  FROM resource_version AS v
  JOIN resource AS r ON r.key = v.resource
  JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number`;

/** With a plus sign, the times are compared, but the order of keys is read. */
const FILTER = `
  AND v.key >= ? AND +v.written_at >= ?
  AND r.resource_type IN (SELECT value FROM json_each(?)) ORDER BY v.key`;

function* changesIn(rows: Iterable<Row>): Iterable<Change> {
  for (const row of rows) {
    yield { ...versionOf(row), type: String(row['resource_type']), position: positionOf(row) };
  }
}

function positionOf(row: Row): string {
  return `${row['key']}-${macStart(row)}`;
}

/** 32 bits: enough to tell two databases apart. */
function macStart({ mac }: Row): string {
  return mac instanceof Uint8Array ? Buffer.from(mac.subarray(0, 4)).toString('hex') : '';
}
