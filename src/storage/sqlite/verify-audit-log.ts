/** Checks the audit log: the chain of each writer, and that what it records exists. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { CHAIN_START, type ChainHead } from '../repository/audit-chain.ts';
import { ONLY_WRITER, parseAuditRecord, type StoredRecord } from '../repository/audit-record.ts';
import { ChainCheck } from '../repository/chain-check.ts';
import { HoldCheck, SELECT_HOLDS } from '../repository/hold-check.ts';
import type { FindingList } from '../repository/verification.ts';
import { parametersFinding } from '../repository/verify-rows.ts';
import { StorageError } from '../storage-error.ts';
import type { VerifyOptions } from '../store.ts';
import { isMarkedUsed } from './audit-log.ts';
import type { RepositoryDatabase } from './repository-database.ts';
import { AuditIndexCheck } from './verify-audit-index.ts';

/** Returns the end of the log as it was found, also where something is wrong. */
export function verifyAuditLog(
  { database, auditKey }: RepositoryDatabase,
  findings: FindingList,
  { expectedHead, stopped }: VerifyOptions,
): ChainHead {
  const writers = database.prepare('SELECT DISTINCT writer FROM audit_entry').all();
  const heads = new Map<number, ChainHead>();
  const index = new AuditIndexCheck(database);
  const holds = new HoldCheck();
  const findingsBefore = findings.total;
  let entries = 0;
  let matches = 0;
  for (const writer of new Set([ONLY_WRITER, ...writers.map((row) => Number(row.writer))])) {
    const expected = writer === ONLY_WRITER &&
      expectedHead && { head: expectedHead, namedBy: '--head' };
    const chain = new ChainCheck({ key: auditKey, findings, ...(expected && { expected }) });
    const checkVersion = versionCheck(database, findings);
    for (const row of database.prepare(SELECT_CHAIN).iterate(writer)) {
      stopped?.throwIfAborted();
      chain.check(row);
      entries++;
      const record = recordOfWriter(row, writer, findings);
      if (record === undefined) continue;
      checkVersion(record, row);
      holds.addEntry(String(row.recorded_at), record);
      if (writer === ONLY_WRITER) index.check(Number(row.number), String(row.recorded_at), record);
    }
    heads.set(writer, chain.end());
    matches += chain.matches;
  }
  if (entries > 0 && matches === 0) throw wrongKey();
  checkParameters(database, findings);
  if (findings.total === findingsBefore) index.addTo(findings);
  checkHolds(database, holds, findings);
  const head = heads.get(ONLY_WRITER) ?? CHAIN_START;
  if (head.number === 0 && isMarkedUsed(database)) {
    findings.add('the audit log was emptied: it had entries and now has none');
  }
  return head;
}

/** One changed entry breaks one link of the chain. A wrong key breaks all links. */
function wrongKey(): StorageError {
  return new StorageError(
    'wrong-key',
    'no entry of the audit log matches audit.key, so this is the key of another audit log, or all ' +
      'entries were changed; put back the audit.key that belongs to this orders.db, from a backup',
  );
}

function checkParameters(database: DatabaseSync, findings: FindingList): void {
  for (const row of database.prepare(SELECT_PARAMETERS).iterate()) {
    const finding = parametersFinding(row);
    if (finding !== undefined) findings.add(finding);
  }
}

function checkHolds(database: DatabaseSync, holds: HoldCheck, findings: FindingList): void {
  for (const row of database.prepare(SELECT_HOLDS).iterate()) {
    const finding = holds.finding(row);
    if (finding !== undefined) findings.add(finding);
  }
  for (const finding of holds.missing()) findings.add(finding);
}

const SELECT_PARAMETERS = `
  SELECT p.number, p.salt, p.parameters, a.entry FROM audit_parameters AS p
  LEFT JOIN audit_entry AS a ON a.writer = p.writer AND a.number = p.number`;

type Row = Record<string, SQLOutputValue>;

const SELECT_CHAIN =
  'SELECT writer, number, recorded_at, entry, mac FROM audit_entry WHERE writer = ? ORDER BY number';

/** What the entry says, if it can be read. */
function recordOfWriter(
  { number, entry }: Row,
  writer: number,
  findings: FindingList,
): StoredRecord | undefined {
  const record = parseAuditRecord(String(entry));
  if (record === undefined) findings.add(`audit entry ${number} cannot be read`);
  else if (record.writer !== writer) {
    findings.add(`audit entry ${number} of writer ${writer} is of another writer`);
  }
  return record;
}

/** Checks that the version of an entry exists. `verify-repository.ts` checks its content. */
function versionCheck(database: DatabaseSync, findings: FindingList) {
  const find = database.prepare(
    `SELECT 1 FROM resource AS r JOIN resource_version AS v ON v.resource = r.key
     WHERE r.resource_type = ? AND r.id = ? AND v.version = ?
       AND v.audit_writer = ? AND v.audit_number = ?`,
  );
  return (record: StoredRecord, { writer, number }: Row): void => {
    if (record.outcome !== 'stored') return;
    const { resourceType = '', resource = '', version = 0 } = record;
    if (find.get(resourceType, resource, version, Number(writer), Number(number))) return;
    findings.add(
      `version ${version} of ${resource} is missing, but audit entry ${number} records it`,
    );
  };
}
