/** Checks order responses in a data folder: versions, index, audit log and schema. */
import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../files/storage-error.ts';
import { CHAIN_START, type ChainHead } from '../repository/audit-chain.ts';
import { ONLY_WRITER } from '../repository/audit-record.ts';
import { type SqlSteps, sql } from '../repository/statement.ts';
import type { VerifyOptions } from '../repository/verification.ts';
import { OrdersCheck, type OrdersVerdict, RESOURCE_NAME } from '../sql/verify.ts';
import { AuditIndexCheck, DISCARD_AUDIT_INDEX } from './audit-index.ts';
import { isMarkedUsed } from './audit-log.ts';
import { requireIntegrity, schemaFindings, schemaVersion } from './database/database.ts';
import { indexedTo } from './entry-index.ts';
import { REPOSITORY_MIGRATIONS, type RepositoryDatabase } from './repository-database.ts';
import { SqliteSession } from './session.ts';
import { SQLITE } from './sqlite-dialect.ts';

/**
 * Reads everything once, in little memory. Throws the errors of SQLite as they are, such as that a
 * file is not a database.
 */
export function verifyRepository(
  orders: RepositoryDatabase,
  options: VerifyOptions = {},
): OrdersVerdict {
  requireIntegrity(orders.database);
  return new SqliteSession(orders.database).run(verify(orders, options));
}

function* verify(
  { database, auditKey }: RepositoryDatabase,
  { expectedHead, stopped }: VerifyOptions,
): SqlSteps<OrdersVerdict> {
  const check = new OrdersCheck(SQLITE, stopped);
  const { head, isIndexDamaged } = yield* verifyLog(check, database, auditKey, expectedHead);
  yield* check.checkRows(indexedTo(database));
  yield* check.each(
    SELECT_DISORDER,
    ({ version, id }) => `the order of version ${version} of ${id} was changed`,
  );
  const migrations = REPOSITORY_MIGRATIONS.slice(0, schemaVersion(database));
  for (const finding of schemaFindings(database, migrations)) check.findings.add(finding);
  const isOnlyIndex = isIndexDamaged && check.findings.total === 1;
  return { ...(yield* check.verdict(head)), ...(isOnlyIndex && { remedy: REBUILD }) };
}

const REBUILD =
  'Searches of the audit log miss entries until its index is rebuilt: stop the server, run ' +
  `sqlite3 orders.db '${DISCARD_AUDIT_INDEX}' in the data folder, and start the server.`;

/** Returns the end of the log as it was found, also where something is wrong. */
function* verifyLog(
  check: OrdersCheck,
  database: DatabaseSync,
  key: Uint8Array,
  expectedHead: ChainHead | undefined,
): SqlSteps<{ head: ChainHead; isIndexDamaged: boolean }> {
  const { findings } = check;
  const index = new AuditIndexCheck(database);
  let hasEntries = false;
  const chains = yield* check.checkEntries(
    [ONLY_WRITER],
    (writer) => ({
      key,
      expected:
        writer === ONLY_WRITER && expectedHead
          ? { head: expectedHead, namedBy: '--head' }
          : undefined,
    }),
    ({ writer, number, recorded_at }, record) => {
      hasEntries = true;
      if (writer === ONLY_WRITER) index.check(Number(number), String(recorded_at), record);
    },
  );
  const all = [...chains.values()];
  if (hasEntries && all.every(({ matches }) => matches === 0)) throw wrongKey();
  const isIndexDamaged = findings.total === 0 && index.addTo(findings);
  const head = chains.get(ONLY_WRITER)?.head ?? CHAIN_START;
  if (head.number === 0 && isMarkedUsed(database)) {
    findings.add('the audit log was emptied: it had entries and now has none');
  }
  return { head, isIndexDamaged };
}

/** One changed entry breaks one link of the chain. A wrong key breaks all links. */
function wrongKey(): StorageError {
  return new StorageError(
    'wrong-key',
    'no entry of the audit log matches audit.key, so this is the key of another audit log, or all ' +
      'entries were changed; put back the audit.key that belongs to this orders.db, from a backup',
  );
}

/** Versions that were written before an earlier one, or not, against the note of a set-back clock. */
const SELECT_DISORDER = sql`
  SELECT v.version, ${RESOURCE_NAME} AS id FROM (
    SELECT key, resource, version, written_at, max(written_at) OVER (
      ORDER BY key ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest
    FROM resource_version) AS v
  LEFT JOIN resource AS r ON r.key = v.resource
  LEFT JOIN set_back_version AS s ON s.version = v.key
  WHERE coalesce(v.written_at < v.latest, FALSE) <> (s.version IS NOT NULL) ORDER BY v.key`;
