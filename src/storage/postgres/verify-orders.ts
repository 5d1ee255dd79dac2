/** Checks order responses in a database: chains, versions and index; nothing is missing or changed. */
import { CHAIN_START, type ChainHead, parseHead } from '../repository/audit-chain.ts';
import { parseAuditRecord } from '../repository/audit-record.ts';
import { ChainCheck, type ChainWords } from '../repository/chain-check.ts';
import { HoldCheck, SELECT_HOLDS } from '../repository/hold-check.ts';
import { createFindings, type FindingList } from '../repository/verification.ts';
import {
  erasureFinding,
  numberingFinding,
  parametersFinding,
  SELECT_ERASURES,
  versionFinding,
} from '../repository/verify-rows.ts';
import { entriesOfText, rowsOf } from '../sql/search-rows.ts';
import type { Row } from '../sql/statement.ts';
import type { VerifyOptions } from '../store.ts';
import { binaryOf, type HeadMark } from './audit-writers.ts';
import type { Connection } from './connection.ts';
import { cursorRows } from './cursor.ts';
import { storedEntry } from './search-values.ts';
import {
  emptiedFinding,
  epochFinding,
  placeFinding,
  SELECT_EMPTIED,
  SELECT_EPOCHS,
  SELECT_MISPLACED,
} from './verify-feed.ts';
import { triggerFindings } from './verify-triggers.ts';

export interface DatabaseVerdict {
  /** The first hundred, as sentences. */
  readonly findings: readonly string[];
  readonly findingsTotal: number;
  readonly resources: number;
  readonly versions: number;
  /** The end of the list of writers. */
  readonly head: ChainHead;
}

/** Reads everything once, in little memory. Call it in a transaction with one snapshot. */
export async function verifyOrders(
  connection: Connection,
  key: Uint8Array,
  options: VerifyOptions = {},
): Promise<DatabaseVerdict> {
  const findings = createFindings();
  const stop = () => options.stopped?.throwIfAborted();
  const each = async (query: string, check: (row: Row) => string | undefined) => {
    for await (const row of cursorRows(connection, query)) {
      stop();
      const finding = check(row);
      if (finding !== undefined) findings.add(finding);
    }
  };
  const { writers, head } = await checkWriters(connection, key, findings, options.expectedHead);
  const holds = await checkEntries(connection, key, writers, findings, stop);
  await each(SELECT_PARAMETERS, parametersFinding);
  await each(SELECT_VERSIONS, versionFinding);
  await each(SELECT_UNWRITTEN, unwrittenFinding);
  await each(SELECT_GAPS, numberingFinding);
  await each(SELECT_EMPTY, ({ id }) => `${id} has no version`);
  await each(SELECT_ERASURES, erasureFinding);
  await each(SELECT_HOLDS, (row) => holds.finding(row));
  for (const finding of holds.missing()) findings.add(finding);
  await each(
    SELECT_STRAY,
    ({ resource }) => `a search entry names ${resource}, which does not exist`,
  );
  await each(SELECT_CURRENT, indexFinding);
  await each(SELECT_EPOCHS, epochFinding);
  await each(SELECT_MISPLACED, placeFinding);
  await each(SELECT_EMPTIED, emptiedFinding);
  for (const finding of await triggerFindings(connection)) findings.add(finding);
  const [counts = {}] = await connection.query(
    `SELECT (SELECT count(*) FROM resource) AS resources,
       (SELECT count(*) FROM resource_version) AS versions`,
  );
  return {
    findings: findings.list,
    findingsTotal: findings.total,
    resources: Number(counts.resources),
    versions: Number(counts.versions),
    head,
  };
}

interface Writer {
  /** The head before its first entry. */
  readonly start: ChainHead;
  /** The last head that the list of writers notes. */
  noted?: ChainHead;
}

/** By writer. */
type Heads = Readonly<Record<string, string>>;

const LIST_WORDS: ChainWords = {
  chain: 'the list of the writers of the audit log',
  entry: 'in the list of the writers of the audit log, line',
  entries: 'in the list of the writers of the audit log, lines',
};

async function checkWriters(
  connection: Connection,
  key: Uint8Array,
  findings: FindingList,
  expectedHead: ChainHead | undefined,
) {
  const expected = expectedHead && { head: expectedHead, namedBy: '--head' };
  const chain = new ChainCheck({ key, findings, expected, words: LIST_WORDS });
  const writers = new Map<number, Writer>();
  const lost: Heads[] = [];
  const rows = cursorRows(
    connection,
    'SELECT number, recorded_at, entry, mac FROM audit_writer ORDER BY number',
  );
  for await (const row of rows) {
    chain.check(row);
    const number = Number(row.number);
    const line = lineIn(String(row.entry));
    if (line.heads === undefined) {
      writers.set(number, { start: { number: 0, mac: binaryOf(row.mac) } });
      continue;
    }
    if (line.isConfirmed) lost.length = 0;
    if (line.isLost) lost.push(line.heads);
    else noteIn(writers, line.heads);
  }
  for (const heads of lost) noteIn(writers, heads);
  return { writers, head: chain.end() };
}

function noteIn(writers: ReadonlyMap<number, Writer>, heads: Heads): void {
  for (const [writer, text] of Object.entries(heads)) {
    const known = writers.get(Number(writer));
    const head = parseHead(text);
    if (known !== undefined && head !== undefined && head.number > 0) known.noted = head;
  }
}

/** A line that cannot be read was changed, which is a finding of the chain. */
function lineIn(text: string): { readonly heads?: Heads } & HeadMark {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** Returns the holds that the entries record. */
async function checkEntries(
  connection: Connection,
  key: Uint8Array,
  writers: ReadonlyMap<number, Writer>,
  findings: FindingList,
  stop: () => void,
): Promise<HoldCheck> {
  const holds = new HoldCheck();
  const chains = new Map<number, ChainCheck>();
  const chainOf = (number: number): ChainCheck => {
    const known = chains.get(number);
    if (known !== undefined) return known;
    const { start, noted } = writers.get(number) ?? { start: CHAIN_START };
    const made = new ChainCheck({
      key,
      findings,
      start,
      expected: noted && { head: noted, namedBy: 'the list of the writers' },
      words: wordsOf(number),
    });
    if (!writers.has(number))
      findings.add(`the audit log has entries of the unknown writer ${number}`);
    chains.set(number, made);
    return made;
  };
  const rows = cursorRows(
    connection,
    'SELECT writer, number, recorded_at, entry, mac FROM audit_entry ORDER BY writer, number',
  );
  for await (const row of rows) {
    stop();
    const writer = Number(row.writer);
    chainOf(writer).check(row);
    const record = parseAuditRecord(String(row.entry));
    if (record === undefined) {
      findings.add(`audit entry ${row.number} cannot be read`);
      continue;
    }
    holds.addEntry(String(row.recorded_at), record);
    if (record.writer !== writer) {
      findings.add(`audit entry ${row.number} of writer ${writer} is of another writer`);
    }
  }
  for (const number of writers.keys()) chainOf(number).end();
  return holds;
}

function wordsOf(writer: number): ChainWords {
  return {
    chain: `the audit log of writer ${writer}`,
    entry: `of writer ${writer}, audit entry`,
    entries: `of writer ${writer}, audit entries`,
  };
}

const SELECT_PARAMETERS = `
  SELECT p.number, p.salt, p.parameters, a.entry FROM audit_parameters AS p
  LEFT JOIN audit_entry AS a ON a.writer = p.writer AND a.number = p.number`;

/** The id of the resource of a version. If the resource is missing, its key is its name. */
const ID = `coalesce(r.id, 'the resource with key ' || v.resource) AS id`;

const SELECT_VERSIONS = `
  SELECT r.resource_type, ${ID}, v.version, v.written_at, v.method, v.text, v.audit_number, a.entry,
    coalesce(e.resource, x.resource) AS erased
  FROM resource_version AS v
  LEFT JOIN resource AS r ON r.key = v.resource
  LEFT JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
  LEFT JOIN erasure AS e ON e.resource = v.resource
  LEFT JOIN version_erasure AS x ON x.resource = v.resource AND x.version = v.version
  ORDER BY v.epoch, v.xid, v.key`;

/** Entries of writes without their version. The text of an entry begins with few known members. */
const SELECT_UNWRITTEN = `
  SELECT a.number, a.entry FROM audit_entry AS a
  WHERE a.entry LIKE '%"outcome":"stored"%' AND NOT EXISTS (
    SELECT 1 FROM resource_version AS v
    WHERE v.audit_writer = a.writer AND v.audit_number = a.number)`;

function unwrittenFinding({ number, entry }: Row): string | undefined {
  const record = parseAuditRecord(String(entry));
  if (record?.outcome !== 'stored') return undefined;
  const { version, resource } = record;
  return `version ${version} of ${resource} is missing, but audit entry ${number} records it`;
}

const SELECT_GAPS = `
  SELECT min(${ID.replace(' AS id', '')}) AS id, count(*) AS versions, max(v.version) AS last,
    min(r.current_version) AS current_version
  FROM resource_version AS v
  LEFT JOIN resource AS r ON r.key = v.resource
  GROUP BY v.resource
  HAVING min(v.version) <> 1 OR max(v.version) <> count(*)
    OR min(r.current_version) IS DISTINCT FROM max(v.version)`;

const SELECT_EMPTY = `
  SELECT id FROM resource AS r
  WHERE NOT EXISTS (SELECT 1 FROM resource_version AS v WHERE v.resource = r.key)`;

const SELECT_STRAY = `
  SELECT DISTINCT resource FROM search_entry AS e
  WHERE NOT EXISTS (SELECT 1 FROM resource AS r WHERE r.key = e.resource)`;

const SELECT_CURRENT = `
  SELECT r.resource_type, r.id, v.written_at, v.text, (
    SELECT json_agg(json_build_array(f.name, e.value, e.detail))::text FROM search_entry AS e
    JOIN search_field AS f ON f.key = e.field WHERE e.resource = r.key) AS entries
  FROM resource AS r
  JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version`;

function indexFinding({ resource_type, id, written_at, text, entries }: Row) {
  const inTable: readonly unknown[] = JSON.parse(String(entries ?? '[]'));
  const inText = new Set(
    entriesOfText(String(resource_type), String(text), String(written_at))
      .flatMap(rowsOf)
      .map(storedEntry)
      .map(({ name, value, detail }) => JSON.stringify([name, value, detail])),
  );
  const isSame =
    inTable.length === inText.size && inTable.every((row) => inText.has(JSON.stringify(row)));
  return isSame ? undefined : `the search entries of ${id} are not those of its current version`;
}
