/** Checks order responses and their audit log: nothing is missing, and nothing was changed. */
import { hash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { AuditRecord } from '../../fhir/audit.ts';
import { identifiersOf } from '../../fhir/stored-text.ts';
import { CHAIN_START, type ChainHead, macOf } from '../audit-chain.ts';
import type { VerifyOptions } from '../store.ts';
import { createFindings, type FindingList } from '../verification.ts';
import { isMarkedUsed } from './audit-log.ts';
import { schemaFindings } from './check-schema.ts';
import { demandIntegrity } from './database.ts';
import { REPOSITORY_MIGRATIONS, type RepositoryDatabase } from './repository-database.ts';

export interface RepositoryVerdict {
  /** Sentences; none where all is sound. At most a hundred. */
  readonly findings: readonly string[];
  /** How many there are in all. */
  readonly findingsTotal: number;
  readonly orderResponses: number;
  readonly versions: number;
  /** The end of the log as it was found, also where something is wrong. */
  readonly head: ChainHead;
}

/**
 * Reads everything once, in little memory. Faults of SQLite, such as a file that is none of its
 * databases, are thrown as they are.
 */
export function verifyRepository(
  { database, auditKey }: RepositoryDatabase,
  options: VerifyOptions = {},
): RepositoryVerdict {
  const findings = createFindings();
  demandIntegrity(database);
  const head = checkLog(database, auditKey, findings, options);
  checkVersions(database, findings);
  checkIdentifiers(database, findings, options);
  for (const finding of schemaFindings(database, REPOSITORY_MIGRATIONS)) findings.add(finding);
  const count = (table: string) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  return {
    findings: findings.list,
    findingsTotal: findings.total,
    orderResponses: count('order_response'),
    versions: count('order_response_version'),
    head,
  };
}

type Row = Record<string, SQLOutputValue>;

/** The chain, entry by entry, with the version that an entry is about. */
function checkLog(
  database: DatabaseSync,
  key: Uint8Array,
  findings: FindingList,
  { expectedHead, stopped }: VerifyOptions,
): ChainHead {
  let head: ChainHead = CHAIN_START;
  const seen = (at: ChainHead) => {
    if (at.number !== expectedHead?.number) return;
    if (Buffer.compare(at.mac, expectedHead.mac) === 0) return;
    findings.add(`audit entry ${at.number} is not the one that --head names`);
  };
  seen(head);
  for (const row of database.prepare(SELECT_LOG).iterate()) {
    stopped?.throwIfAborted();
    const number = Number(row.number);
    const [text, mac] = [String(row.entry), bytesOf(row.mac)];
    if (number > head.number + 1) findings.add(missingText(head.number + 1, number - 1));
    const expected = macOf(key, head.mac, {
      number,
      recordedAt: String(row.recorded_at),
      entry: text,
    });
    if (Buffer.compare(expected, mac) !== 0) {
      findings.add(`audit entry ${number} or the one before it was changed, removed or moved`);
    }
    checkEntry(number, text, row, findings);
    // What follows is held to what is there, so that one change is one finding.
    head = { number, mac };
    seen(head);
  }
  if (head.number === 0 && isMarkedUsed(database)) {
    findings.add('the audit log was emptied: it had entries and now has none');
  }
  if (expectedHead !== undefined && expectedHead.number > head.number) {
    findings.add(
      `the audit log ends with entry ${head.number}, and had ${expectedHead.number}: ` +
        'its end was cut off',
    );
  }
  return head;
}

const SELECT_LOG = `
  SELECT a.number, a.recorded_at, a.entry, a.mac,
    v.id, v.version, v.written_at, v.method, v.text
  FROM audit_entry AS a LEFT JOIN order_response_version AS v ON v.audit_entry = a.number
  ORDER BY a.number`;

function missingText(from: number, to: number): string {
  return from === to
    ? `audit entry ${from} is missing`
    : `audit entries ${from} to ${to} are missing`;
}

/** An entry of a write and its version tell the same. */
function checkEntry(number: number, text: string, row: Row, findings: FindingList): void {
  const record = parseRecord(text);
  if (record === undefined) {
    findings.add(`audit entry ${number} cannot be read`);
    return;
  }
  const isWrite = record.outcome === 'stored';
  if (row.id === null) {
    const named = `version ${record.version} of ${record.resource}`;
    if (isWrite) findings.add(`${named} is missing, of which audit entry ${number} tells`);
    return;
  }
  const name = `version ${row.version} of ${row.id}`;
  const isSame =
    isWrite &&
    record.resource === row.id &&
    record.version === Number(row.version) &&
    (record.interaction === 'create' ? 'POST' : 'PUT') === row.method;
  const body = String(row.text);
  if (!isSame) findings.add(`${name} is not what audit entry ${number} tells of`);
  else if (hash('sha256', body) !== record.digest) findings.add(`the text of ${name} was changed`);
  else if (!body.includes(`"${row.version}","lastUpdated":"${row.written_at}"`)) {
    findings.add(`the date of ${name} was changed`);
  }
}

function parseRecord(text: string): AuditRecord | undefined {
  try {
    const record: AuditRecord | null = JSON.parse(text);
    return record ?? undefined;
  } catch {
    return undefined;
  }
}

function checkVersions(database: DatabaseSync, findings: FindingList): void {
  for (const { id, version } of database.prepare(SELECT_UNENTERED).iterate()) {
    findings.add(`version ${version} of ${id} has no audit entry`);
  }
  for (const row of database.prepare(SELECT_GAPS).iterate()) {
    findings.add(
      `${row.id} has ${row.versions} versions up to ${row.last}, and ` +
        `${row.current_version ?? 'none'} is said to be the current one`,
    );
  }
  for (const { id } of database.prepare(SELECT_EMPTY).iterate()) {
    findings.add(`${id} has no version`);
  }
}

const SELECT_UNENTERED = `
  SELECT id, version FROM order_response_version AS v
  WHERE NOT EXISTS (SELECT 1 FROM audit_entry AS a WHERE a.number = v.audit_entry)`;

const SELECT_GAPS = `
  SELECT v.id, count(*) AS versions, max(v.version) AS last, o.current_version
  FROM order_response_version AS v LEFT JOIN order_response AS o ON o.id = v.id
  GROUP BY v.id
  HAVING min(v.version) <> 1 OR max(v.version) <> count(*)
    OR o.current_version IS NOT max(v.version)`;

const SELECT_EMPTY = `
  SELECT id FROM order_response AS o
  WHERE NOT EXISTS (SELECT 1 FROM order_response_version AS v WHERE v.id = o.id)`;

function checkIdentifiers(
  database: DatabaseSync,
  findings: FindingList,
  { stopped }: VerifyOptions,
): void {
  const listed = database.prepare(
    'SELECT system, value FROM order_response_identifier WHERE id = ?',
  );
  for (const { id, text } of database.prepare(SELECT_CURRENT).iterate()) {
    stopped?.throwIfAborted();
    const inTable = listed.all(String(id)).map(({ system, value }) => pair(system, value));
    const inText = new Set(identifierPairs(String(text)));
    if (inTable.length !== inText.size || !inTable.every((each) => inText.has(each))) {
      findings.add(`the identifiers of ${id} are not those of its current version`);
    }
  }
  for (const { id } of database.prepare(SELECT_STRAY).iterate()) {
    findings.add(`an identifier names ${id}, which is not there`);
  }
}

const SELECT_CURRENT = `
  SELECT o.id, v.text FROM order_response AS o
  JOIN order_response_version AS v ON v.id = o.id AND v.version = o.current_version`;

const SELECT_STRAY = `
  SELECT DISTINCT id FROM order_response_identifier AS i
  WHERE NOT EXISTS (SELECT 1 FROM order_response AS o WHERE o.id = i.id)`;

function identifierPairs(text: string): string[] {
  try {
    return identifiersOf(JSON.parse(text)).map(({ system, value }) => pair(system, value));
  } catch {
    return []; // that it was changed, is found above
  }
}

function pair(system: unknown, value: unknown): string {
  return JSON.stringify([system, value]);
}

function bytesOf(value: SQLOutputValue | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}
