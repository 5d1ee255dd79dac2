/** Checks order responses: nothing is missing, and nothing was changed. */
import { hash } from 'node:crypto';
import { WRITE_METHODS } from '../../fhir/request/interaction-code.ts';
import type { ChainHead } from '../repository/audit-chain.ts';
import {
  parametersDigest,
  parseAuditRecord,
  type StoredRecord,
} from '../repository/audit-record.ts';
import { ChainCheck, type ChainCheckOptions } from '../repository/chain-check.ts';
import { type EntryRow, entriesOfText, rowsOf } from '../repository/search-rows.ts';
import { each, type Row, type Sql, type SqlSteps, sql } from '../repository/statement.ts';
import { NO_CONTENT } from '../repository/stored-version.ts';
import {
  createFindings,
  type FindingList,
  HoldCheck,
  SELECT_HOLDS,
} from '../repository/verification.ts';
import type { SqlDialect } from './dialect.ts';
import { type StoredCounts, storedCounts } from './stored-counts.ts';

export interface OrdersVerdict extends StoredCounts {
  /** The first hundred, as sentences. */
  readonly findings: readonly string[];
  readonly findingsTotal: number;
  /** The end of the audit log as it was found, also where something is wrong. */
  readonly head: ChainHead;
  /** What to do about the findings, as sentences; absent: restore a backup. */
  readonly remedy?: string;
}

/** A verification that runs. */
export class OrdersCheck {
  readonly findings: FindingList = createFindings();
  readonly #dialect: SqlDialect;
  readonly #stopped: AbortSignal | undefined;
  readonly #holds = new HoldCheck();

  constructor(dialect: SqlDialect, stopped: AbortSignal | undefined) {
    this.#dialect = dialect;
    this.#stopped = stopped;
  }

  /** Adds what `check` finds in each row. */
  each(query: Sql, check: (row: Row) => string | undefined): SqlSteps<void> {
    return each(query, (row) => {
      this.#stopped?.throwIfAborted();
      const finding = check(row);
      if (finding !== undefined) this.findings.add(finding);
    });
  }

  /**
   * Follows the chain of each writer. Returns the chains by writer: those of `writers`, and of all
   * others that have entries. `checkEntry` gets each entry that can be read.
   */
  *checkEntries(
    writers: Iterable<number>,
    optionsOf: (writer: number) => Omit<ChainCheckOptions, 'findings'>,
    checkEntry: (row: Row, record: StoredRecord) => void = () => {},
  ): SqlSteps<ReadonlyMap<number, ChainCheck>> {
    const { findings } = this;
    const chains = new Map<number, ChainCheck>();
    const chainOf = (writer: number): ChainCheck => {
      const known = chains.get(writer);
      if (known !== undefined) return known;
      const made = new ChainCheck({ ...optionsOf(writer), findings });
      chains.set(writer, made);
      return made;
    };
    const query = sql`
      SELECT writer, number, recorded_at, entry, mac FROM audit_entry ORDER BY writer, number`;
    yield* this.each(query, (row) => {
      const writer = Number(row.writer);
      chainOf(writer).check(row);
      const record = parseAuditRecord(String(row.entry));
      if (record === undefined) return `audit entry ${row.number} cannot be read`;
      this.#holds.addEntry(String(row.recorded_at), record);
      checkEntry(row, record);
      return record.writer === writer
        ? undefined
        : `audit entry ${row.number} of writer ${writer} is of another writer`;
    });
    for (const writer of writers) chainOf(writer);
    for (const chain of chains.values()) chain.end();
    return chains;
  }

  /**
   * Checks all other tables, after the entries. The index may lack the entries of resources with a
   * key above `indexedTo`; undefined: it has none that can be checked.
   */
  *checkRows(indexedTo: number | undefined): SqlSteps<void> {
    const { versionOrder } = this.#dialect;
    yield* this.each(SELECT_PARAMETERS, parametersFinding);
    yield* this.each(sql`${SELECT_VERSIONS} ORDER BY ${versionOrder}`, versionFinding);
    yield* this.each(SELECT_UNWRITTEN, unwrittenFinding);
    yield* this.each(SELECT_GAPS, numberingFinding);
    yield* this.each(SELECT_EMPTY, ({ id }) => `${id} has no version`);
    yield* this.each(SELECT_ERASURES, erasureFinding);
    yield* this.each(SELECT_HOLDS, (row) => this.#holds.finding(row));
    for (const finding of this.#holds.missing()) this.findings.add(finding);
    yield* this.each(
      SELECT_STRAY,
      ({ resource }) => `a search entry names ${resource}, which does not exist`,
    );
    if (indexedTo === undefined) return;
    yield* this.each(currentVersions(this.#dialect), (row) => this.#indexFinding(row, indexedTo));
  }

  *verdict(head: ChainHead): SqlSteps<OrdersVerdict> {
    const counts = yield* storedCounts();
    return {
      findings: this.findings.list,
      findingsTotal: this.findings.total,
      ...counts,
      head,
    };
  }

  #indexFinding(row: Row, indexedTo: number): string | undefined {
    const inTable: readonly unknown[] = JSON.parse(String(row.entries ?? '[]'));
    if (inTable.length === 0 && Number(row.key) > indexedTo) return undefined;
    const { resource_type, text, written_at } = row;
    const entries = entriesOfText(String(resource_type), String(text), String(written_at));
    const inText = new Set(entries.flatMap(rowsOf).map(this.#dialect.storedEntry).map(entryKey));
    const isSame =
      inTable.length === inText.size && inTable.every((entry) => inText.has(JSON.stringify(entry)));
    return isSame
      ? undefined
      : `the search entries of ${row.id} are not those of its current version`;
  }
}

function entryKey({ name, value, detail }: EntryRow): string {
  return JSON.stringify([name, value, detail]);
}

/** The id of the resource of a version. If the resource is missing, its key is its name. */
export const RESOURCE_NAME = sql`coalesce(r.id, 'the resource with key ' || v.resource)`;

const SELECT_PARAMETERS = sql`
  SELECT p.number, p.salt, p.parameters, a.entry FROM audit_parameters AS p
  LEFT JOIN audit_entry AS a ON a.writer = p.writer AND a.number = p.number`;

const SELECT_VERSIONS = sql`
  SELECT r.resource_type, ${RESOURCE_NAME} AS id, v.version, v.written_at, v.method, v.text,
    v.audit_number, a.entry, coalesce(e.resource, x.resource) AS erased
  FROM resource_version AS v
  LEFT JOIN resource AS r ON r.key = v.resource
  LEFT JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
  LEFT JOIN erasure AS e ON e.resource = v.resource
  LEFT JOIN version_erasure AS x ON x.resource = v.resource AND x.version = v.version`;

/** Entries of writes without their version. The text of an entry begins with few known members. */
const SELECT_UNWRITTEN = sql`
  SELECT a.number, a.entry FROM audit_entry AS a
  LEFT JOIN resource_version AS v ON v.audit_writer = a.writer AND v.audit_number = a.number
  WHERE v.version IS NULL AND a.entry LIKE '%"outcome":"stored"%'`;

const SELECT_GAPS = sql`
  SELECT min(${RESOURCE_NAME}) AS id, count(*) AS versions, max(v.version) AS last,
    min(r.current_version) AS current_version
  FROM resource_version AS v
  LEFT JOIN resource AS r ON r.key = v.resource
  GROUP BY v.resource
  HAVING min(v.version) <> 1 OR max(v.version) <> count(*)
    OR min(r.current_version) IS DISTINCT FROM max(v.version)`;

const SELECT_EMPTY = sql`
  SELECT id FROM resource AS r
  WHERE NOT EXISTS (SELECT 1 FROM resource_version AS v WHERE v.resource = r.key)`;

/** The erasures of resources, whose version is NULL, and of single versions. */
const SELECT_ERASURES = sql`
  SELECT r.resource_type, coalesce(r.id, 'the resource with key ' || e.resource) AS id, e.version,
    a.entry
  FROM (
    SELECT resource, NULL AS version, audit_writer, audit_number FROM erasure
    UNION ALL SELECT resource, version, audit_writer, audit_number FROM version_erasure
  ) AS e
  LEFT JOIN resource AS r ON r.key = e.resource
  LEFT JOIN audit_entry AS a ON a.writer = e.audit_writer AND a.number = e.audit_number`;

const SELECT_STRAY = sql`
  SELECT DISTINCT resource FROM search_entry AS e
  WHERE NOT EXISTS (SELECT 1 FROM resource AS r WHERE r.key = e.resource)`;

function currentVersions({ jsonRows }: SqlDialect): Sql {
  return sql`
    SELECT r.key, r.resource_type, r.id, v.written_at, v.text, (
      SELECT ${jsonRows(sql`f.name, e.value, e.detail`)} FROM search_entry AS e
      JOIN search_field AS f ON f.key = e.field WHERE e.resource = r.key) AS entries
    FROM resource AS r
    JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version`;
}

/** A version must have the values that the audit entry of its write records. */
function versionFinding(row: Row): string | undefined {
  const name = `version ${row.version} of ${row.id}`;
  if (row.entry === null) return `${name} has no audit entry`;
  const record = parseAuditRecord(String(row.entry));
  if (record === undefined) return undefined; // a finding of the audit log
  const isSame =
    record.outcome === 'stored' &&
    record.resourceType === row.resource_type &&
    record.resource === row.id &&
    record.version === Number(row.version) &&
    METHODS.get(record.interaction) === row.method;
  if (!isSame) return `${name} differs from audit entry ${row.audit_number}`;
  const text = String(row.text);
  if (row.erased !== null)
    return text === NO_CONTENT ? undefined : `the text of ${name} was not erased`;
  if (hash('sha256', text) !== record.digest) return `the text of ${name} was changed`;
  if (text === NO_CONTENT) return undefined;
  return text.includes(`"${row.version}","lastUpdated":"${row.written_at}"`)
    ? undefined
    : `the date of ${name} was changed`;
}

const METHODS: ReadonlyMap<unknown, string> = new Map(Object.entries(WRITE_METHODS));

function unwrittenFinding({ number, entry }: Row): string | undefined {
  const record = parseAuditRecord(String(entry));
  if (record?.outcome !== 'stored') return undefined;
  const { version, resource } = record;
  return `version ${version} of ${resource} is missing, but audit entry ${number} records it`;
}

function numberingFinding(row: Row): string {
  return (
    `${row.id} has ${row.versions} versions up to ${row.last}, and ` +
    `its current version is recorded as ${row.current_version ?? 'none'}`
  );
}

/** An erasure must have the audit entry that records it. */
function erasureFinding(row: Row): string | undefined {
  const record = parseAuditRecord(String(row.entry));
  const isRecorded =
    record !== undefined &&
    (record.interaction === 'erase' || record.interaction === 'retention') &&
    record.resourceType === row.resource_type &&
    record.resource === row.id &&
    (record.version ?? 0) === Number(row.version ?? 0);
  return isRecorded ? undefined : `the erasure of ${row.id} differs from the audit log`;
}

/** Parameters that are missing were erased, which is no finding. */
function parametersFinding(row: Row): string | undefined {
  const { number, salt, parameters, entry } = row;
  const record = parseAuditRecord(String(entry));
  const bytes = salt instanceof Uint8Array ? salt : new Uint8Array();
  const digest = parametersDigest({ salt: bytes, parameters: String(parameters) });
  return record?.parametersDigest === digest
    ? undefined
    : `the parameters of audit entry ${number} were changed`;
}
