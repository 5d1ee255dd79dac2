/** Checks versions, index and audit log: nothing is missing, and nothing was changed. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { FieldEntry } from '../../fhir/search/criterion.ts';
import type { ChainHead } from '../repository/audit-chain.ts';
import { createFindings, type FindingList } from '../repository/verification.ts';
import {
  erasureFinding,
  numberingFinding,
  SELECT_ERASURES,
  versionFinding,
} from '../repository/verify-rows.ts';
import { type EntryRow, entriesOfText, rowsOf } from '../sql/search-rows.ts';
import type { VerifyOptions } from '../store.ts';
import { schemaFindings } from './check-schema.ts';
import { requireIntegrity, schemaVersion } from './database.ts';
import { indexedTo } from './fill-search-index.ts';
import { REPOSITORY_MIGRATIONS, type RepositoryDatabase } from './repository-database.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

export interface RepositoryVerdict {
  /** The first hundred, as sentences. */
  readonly findings: readonly string[];
  readonly findingsTotal: number;
  readonly resources: number;
  readonly versions: number;
  /** The end of the audit log as it was found, also where something is wrong. */
  readonly head: ChainHead;
}

/**
 * Reads everything once, in little memory. Throws the errors of SQLite as they are, such as that a
 * file is not a database.
 */
export function verifyRepository(
  orders: RepositoryDatabase,
  options: VerifyOptions = {},
): RepositoryVerdict {
  const { database } = orders;
  const findings = createFindings();
  requireIntegrity(database);
  const head = verifyAuditLog(orders, findings, options);
  checkVersions(database, findings, options);
  checkNumbering(database, findings);
  checkErasures(database, findings);
  checkIndex(database, findings, options);
  const migrations = REPOSITORY_MIGRATIONS.slice(0, schemaVersion(database));
  for (const finding of schemaFindings(database, migrations)) findings.add(finding);
  const count = (table: string) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  return {
    findings: findings.list,
    findingsTotal: findings.total,
    resources: count('resource'),
    versions: count('resource_version'),
    head,
  };
}

type Row = Record<string, SQLOutputValue>;

function checkVersions(
  database: DatabaseSync,
  findings: FindingList,
  { stopped }: VerifyOptions,
): void {
  let latest = '';
  for (const row of database.prepare(SELECT_VERSIONS_WITH_ENTRIES).iterate()) {
    stopped?.throwIfAborted();
    const finding = versionFinding(row);
    if (finding !== undefined) findings.add(finding);
    const writtenAt = String(row.written_at);
    if (writtenAt < latest !== (row.set_back !== null)) {
      findings.add(`the order of version ${row.version} of ${row.id} was changed`);
    }
    if (writtenAt > latest) latest = writtenAt;
  }
}

/** SQL: the id of the resource of a version. If the resource is missing, its key is its name. */
const ID = `coalesce(r.id, 'the resource with key ' || v.resource) AS id`;

const SELECT_VERSIONS_WITH_ENTRIES = `
  SELECT r.resource_type, ${ID}, v.version, v.written_at, v.method, v.text, v.audit_number, a.entry,
    coalesce(e.resource, x.resource) AS erased, s.version AS set_back
  FROM resource_version AS v
  LEFT JOIN resource AS r ON r.key = v.resource
  LEFT JOIN audit_entry AS a ON a.writer = v.audit_writer AND a.number = v.audit_number
  LEFT JOIN erasure AS e ON e.resource = v.resource
  LEFT JOIN version_erasure AS x ON x.resource = v.resource AND x.version = v.version
  LEFT JOIN set_back_version AS s ON s.version = v.key
  ORDER BY v.key`;

function checkNumbering(database: DatabaseSync, findings: FindingList): void {
  for (const row of database.prepare(SELECT_GAPS).iterate()) {
    findings.add(numberingFinding(row));
  }
  for (const { id } of database.prepare(SELECT_EMPTY).iterate()) {
    findings.add(`${id} has no version`);
  }
}

const SELECT_GAPS = `
  SELECT ${ID}, count(*) AS versions, max(v.version) AS last, r.current_version
  FROM resource_version AS v
  LEFT JOIN resource AS r ON r.key = v.resource
  GROUP BY v.resource
  HAVING min(v.version) <> 1 OR max(v.version) <> count(*)
    OR r.current_version IS NOT max(v.version)`;

const SELECT_EMPTY = `
  SELECT id FROM resource AS r
  WHERE NOT EXISTS (SELECT 1 FROM resource_version AS v WHERE v.resource = r.key)`;

/** Each erasure must have the audit entry that records it. */
function checkErasures(database: DatabaseSync, findings: FindingList): void {
  for (const row of database.prepare(SELECT_ERASURES).iterate()) {
    const finding = erasureFinding(row);
    if (finding !== undefined) findings.add(finding);
  }
}

/** The next start of the server adds the entries of the resources to which the index is not filled. */
function checkIndex(
  database: DatabaseSync,
  findings: FindingList,
  { stopped }: VerifyOptions,
): void {
  for (const { resource } of database.prepare(SELECT_STRAY).iterate()) {
    findings.add(`a search entry names ${resource}, which does not exist`);
  }
  const filledTo = indexedTo(database);
  if (filledTo === undefined) return;
  const listed = database.prepare(
    `SELECT f.name, e.value, e.detail FROM search_entry AS e
     JOIN search_field AS f ON f.key = e.field WHERE e.resource = ?`,
  );
  for (const row of database.prepare(SELECT_CURRENT).iterate()) {
    stopped?.throwIfAborted();
    const inTable = listed.all(row.key ?? null).map(entryKey);
    const inText = new Set(entriesOfCurrent(row).flatMap(rowsOf).map(entryKey));
    const isWhole =
      inTable.length === inText.size || (inTable.length === 0 && Number(row.key) > filledTo);
    if (!isWhole || !inTable.every((each) => inText.has(each))) {
      findings.add(`the search entries of ${row.id} are not those of its current version`);
    }
  }
}

const SELECT_CURRENT = `
  SELECT r.key, r.resource_type, r.id, v.written_at, v.text FROM resource AS r
  JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version`;

const SELECT_STRAY = `
  SELECT DISTINCT resource FROM search_entry AS e
  WHERE NOT EXISTS (SELECT 1 FROM resource AS r WHERE r.key = e.resource)`;

function entriesOfCurrent({ resource_type, written_at, text }: Row): readonly FieldEntry[] {
  return entriesOfText(String(resource_type), String(text), String(written_at));
}

function entryKey({ name, value, detail }: Row | EntryRow): string {
  return JSON.stringify([name, value, detail]);
}
