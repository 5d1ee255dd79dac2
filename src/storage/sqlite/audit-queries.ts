/** Finds audit entries, and reads them as resources. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { AuditEntry } from '../../fhir/audit/audit.ts';
import { parseAuditEventId } from '../../fhir/audit/audit-event.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import type { ReferenceValue } from '../../fhir/search/reference.ts';
import type { SearchStart, StoredVersion } from '../../fhir/stored/repository.ts';
import { PATIENT_PARAMETERS } from '../../order-response/search-parameters.ts';
import { auditEntryOf, auditEventVersion } from '../repository/audit-event-version.ts';
import { ONLY_WRITER } from '../repository/audit-record.ts';
import type { Sql } from '../sql/criterion-sql.ts';
import { blockSelection, entryCondition } from './audit-criterion-sql.ts';
import { BLOCK_ENTRIES, blockOf, hourOf } from './audit-index.ts';
import { isAuditIndexFilled, lastNumber } from './fill-audit-index.ts';
import { SearchQueries } from './search-queries.ts';

type EntrySearch = Pick<SearchStart, 'criteria' | 'sort' | 'candidatesMax'>;

export interface EntryQuery {
  readonly criteria: readonly ResourceCriterion[];
  /** Further conditions on the row `a` of the table of entries. */
  readonly conditions?: readonly Sql[];
  /** The number of the first entry that can match. */
  readonly from?: number;
  /** The most entries to look at. */
  readonly entriesMax: number;
  readonly order: 'oldest-first' | 'newest-first';
}

export interface FoundEntry {
  readonly number: number;
  readonly recordedAt: string;
}

/** Statements over an open database. The caller closes it. */
export class AuditQueries {
  readonly #database: DatabaseSync;
  readonly #resources: SearchQueries;
  readonly #entry: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#resources = new SearchQueries(database);
    this.#entry = database.prepare(`${SELECT_ENTRY} WHERE a.writer = ? AND a.number = ?`);
  }

  /**
   * The numbers of the matching entries in order; without sort keys the newest entry comes first.
   * Undefined if more than `candidatesMax` match, or too many entries would have to be read.
   */
  matching({ criteria, sort, candidatesMax }: EntrySearch): Uint32Array | undefined {
    const own = this.#withoutPatients(criteria, candidatesMax);
    const entriesMax = candidatesMax * ENTRIES_OF_CANDIDATE;
    const parts = own && this.#parts({ criteria: own, entriesMax, order: 'newest-first' });
    if (parts === undefined) return undefined;
    const found: FoundEntry[] = [];
    for (const part of parts) {
      found.push(...part);
      if (found.length > candidatesMax) return undefined;
    }
    const [key] = sort;
    if (key !== undefined) {
      // A clock that was set back gives later entries earlier dates.
      found.sort((a, b) => compareTexts(b.recordedAt, a.recordedAt));
      if (!key.isDescending) found.reverse();
    }
    return Uint32Array.from(found, ({ number }) => number);
  }

  /** The matching entries, however many there are. */
  *find(query: Omit<EntryQuery, 'entriesMax'>): Generator<FoundEntry> {
    const criteria = this.#withoutPatients(query.criteria, Number.MAX_SAFE_INTEGER - 1) ?? [];
    const parts = this.#parts({ ...query, criteria, entriesMax: Number.MAX_SAFE_INTEGER }) ?? [];
    for (const part of parts) yield* part;
  }

  /** The number of the first entry that was recorded at or after the time, in the form of the log. */
  firstSince(recordedAt: string): number {
    const block = isAuditIndexFilled(this.#database)
      ? this.#database
          .prepare(
            "SELECT min(block) AS first FROM audit_block WHERE field = 'hour' AND value >= ?",
          )
          .get(hourOf(recordedAt))?.first
      : 0;
    const row = this.#database
      .prepare(
        `SELECT number FROM audit_entry WHERE writer = ? AND number > ? * ${BLOCK_ENTRIES}
         AND recorded_at >= ? ORDER BY number LIMIT 1`,
      )
      .get(ONLY_WRITER, block ?? Number.MAX_SAFE_INTEGER, recordedAt);
    return Number(row?.number ?? Number.MAX_SAFE_INTEGER);
  }

  /** Throws if the entry cannot be read. */
  entry(number: number, writer = ONLY_WRITER): AuditEntry | undefined {
    const row = this.#entry.get(writer, number);
    if (row === undefined) return undefined;
    return auditEntryOf({ number, ...row }, 'orders.db');
  }

  /** An entry as a resource, which has one version. */
  resource(number: number, writer = ONLY_WRITER): StoredVersion | undefined {
    const entry = this.entry(number, writer);
    return entry && auditEventVersion(entry);
  }

  /** The resource with the id. */
  resourceWithId(id: string): StoredVersion | undefined {
    const name = parseAuditEventId(id);
    return name && this.resource(name.number, name.writer);
  }

  /** Finds the resources of patients, whose entries then match. Undefined: there are too many. */
  #withoutPatients(
    criteria: readonly ResourceCriterion[],
    candidatesMax: number,
  ): readonly ResourceCriterion[] | undefined {
    const own: ResourceCriterion[] = [];
    for (const criterion of criteria) {
      const sources = 'field' in criterion ? PATIENT_PARAMETERS.get(criterion.field) : undefined;
      if (sources === undefined) {
        own.push(criterion);
        continue;
      }
      const values: ReferenceValue[] = [];
      for (const { type, field } of sources) {
        const query = { type, criteria: [{ ...criterion, field }], sort: [], candidatesMax };
        const keys = this.#resources.matching(query);
        if (keys === undefined) return undefined;
        for (const id of this.#idsOf(keys)) values.push({ id, prefixes: [`${type}/`] });
      }
      own.push({ type: 'reference', field: 'reference', values });
    }
    return own;
  }

  #idsOf(keys: Iterable<number>): readonly string[] {
    return this.#list(
      `SELECT json_group_array(id) AS list FROM resource
       WHERE key IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...keys]),
    );
  }

  /** The matching entries, part by part. Undefined if too many would have to be read. */
  #parts(query: EntryQuery): Generator<readonly FoundEntry[]> | undefined {
    const source = this.#sourceOf(query);
    return source && this.#read(source, query);
  }

  *#read(source: Source, query: EntryQuery): Generator<readonly FoundEntry[]> {
    const { criteria, conditions = [], from = 1, order } = query;
    const isNewestFirst = order === 'newest-first';
    const all = [...criteria.map(entryCondition), ...conditions];
    const statement = this.#database.prepare(
      `SELECT json_group_array(json_object('number', number, 'recordedAt', recorded_at)) AS list FROM (
         SELECT a.number, a.recorded_at FROM json_each(?) AS part CROSS JOIN audit_entry AS a
         WHERE a.writer = ? AND ${IN_PART[source.kind]} AND a.number >= ?
           AND ((${all.map(({ sql }) => sql).join(' AND ') || 'TRUE'}) OR NOT json_valid(a.entry))
         ORDER BY a.number ${isNewestFirst ? 'DESC' : 'ASC'})`,
    );
    const parameters = all.flatMap((each) => each.parameters);
    const values = isNewestFirst ? source.values.toReversed() : source.values;
    const inPart = PART_ENTRIES / (source.kind === 'blocks' ? BLOCK_ENTRIES : 1);
    for (let at = 0; at < values.length; at += inPart) {
      const part = JSON.stringify(values.slice(at, at + inPart));
      yield listIn(statement.get(part, ONLY_WRITER, from, ...parameters));
    }
  }

  /** Where to look for matches: at the entries of a resource, or in blocks. */
  #sourceOf({ criteria, from = 1, entriesMax }: EntryQuery): Source | undefined {
    const isFilled = isAuditIndexFilled(this.#database);
    const [shortest] = isFilled
      ? criteria
          .flatMap((criterion) => this.#entriesAbout(criterion, from, entriesMax))
          .toSorted((a, b) => a.length - b.length)
      : [];
    if (shortest !== undefined && shortest.length <= entriesMax) {
      return { kind: 'entries', values: shortest };
    }
    const values = isFilled ? this.#blocks(criteria, from) : this.#allBlocks(from);
    // The last block is not full.
    return (values.length - 1) * BLOCK_ENTRIES > entriesMax
      ? undefined
      : { kind: 'blocks', values };
  }

  /** The entries about the resources of a criterion, if it names some. */
  #entriesAbout(
    criterion: ResourceCriterion,
    from: number,
    entriesMax: number,
  ): (readonly number[])[] {
    if (criterion.type === 'token' && criterion.field === '_id') {
      const names = criterion.values.flatMap(({ code = '' }) => parseAuditEventId(code) ?? []);
      const numbers = new Set(names.map(({ number }) => number));
      return [[...numbers].toSorted((a, b) => a - b)];
    }
    if (criterion.type !== 'reference') return [];
    const ids = JSON.stringify(criterion.values.map(({ id }) => id));
    return [
      this.#list(
        `SELECT json_group_array(entry) AS list FROM (
           SELECT DISTINCT entry FROM audit_resource
           WHERE id IN (SELECT value FROM json_each(?)) AND entry >= ? ORDER BY entry LIMIT ?)`,
        ids,
        from,
        entriesMax + 1,
      ),
    ];
  }

  /** The blocks that every criterion selects. */
  #blocks(criteria: readonly ResourceCriterion[], from: number): readonly number[] {
    const selections = criteria.flatMap((criterion) => blockSelection(criterion) ?? []);
    if (selections.length === 0) return this.#allBlocks(from);
    return this.#list(
      `SELECT json_group_array(block) AS list FROM (
         SELECT DISTINCT block FROM (${selections.map(({ sql }) => sql).join(' INTERSECT ')})
         WHERE block >= ? ORDER BY block)`,
      ...selections.flatMap(({ parameters }) => parameters),
      blockOf(from),
    );
  }

  #allBlocks(from: number): readonly number[] {
    const first = blockOf(from);
    const length = Math.max(0, blockOf(lastNumber(this.#database)) - first + 1);
    return Array.from({ length }, (_, at) => first + at);
  }

  #list<Item>(sql: string, ...parameters: (string | number)[]): readonly Item[] {
    return listIn(this.#database.prepare(sql).get(...parameters));
  }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

interface Source {
  readonly kind: 'entries' | 'blocks';
  /** In ascending order. */
  readonly values: readonly number[];
}

const IN_PART = {
  entries: 'a.number = part.value',
  blocks: `a.number BETWEEN part.value * ${BLOCK_ENTRIES} + 1 AND (part.value + 1) * ${BLOCK_ENTRIES}`,
} as const;

/** Reading this number of entries takes a few milliseconds. */
const PART_ENTRIES = 16 * BLOCK_ENTRIES;

/** The most entries to read for each one that may match. */
const ENTRIES_OF_CANDIDATE = 10;

const SELECT_ENTRY = `
  SELECT a.recorded_at, a.entry, p.parameters FROM audit_entry AS a
  LEFT JOIN audit_parameters AS p ON p.writer = a.writer AND p.number = a.number`;

/** One text of a whole list is read several times faster than a row for each item. */
function listIn<Item>(row: Record<string, SQLOutputValue> | undefined): readonly Item[] {
  return JSON.parse(String(row?.list ?? '[]'));
}
