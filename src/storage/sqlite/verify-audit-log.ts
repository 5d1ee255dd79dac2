/** Checks the audit log: the chain of each writer, and that each version that it records exists. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { CHAIN_START, type ChainHead, macOf } from '../audit-chain.ts';
import { ONLY_WRITER, parseAuditRecord, type StoredRecord } from '../audit-record.ts';
import { parametersDigest } from '../salted-parameters.ts';
import type { VerifyOptions } from '../store.ts';
import type { FindingList } from '../verification.ts';
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
  const findingsBefore = findings.total;
  for (const writer of new Set([ONLY_WRITER, ...writers.map((row) => Number(row.writer))])) {
    const expected = writer === ONLY_WRITER ? expectedHead : undefined;
    const chain = new Chain(writer, auditKey, findings, expected);
    const checkVersion = versionCheck(database, findings);
    for (const row of database.prepare(SELECT_CHAIN).iterate(writer)) {
      stopped?.throwIfAborted();
      const record = chain.check(row);
      if (record === undefined) continue;
      checkVersion(record, row);
      if (writer === ONLY_WRITER)
        index.check(Number(row['number']), String(row['recorded_at']), record);
    }
    heads.set(writer, chain.end());
  }
  checkParameters(database, findings);
  if (findings.total === findingsBefore) index.addTo(findings);
  const head = heads.get(ONLY_WRITER) ?? CHAIN_START;
  if (head.number === 0 && isMarkedUsed(database)) {
    findings.add('the audit log was emptied: it had entries and now has none');
  }
  return head;
}

/** Parameters that are missing were erased, which is no finding. */
function checkParameters(database: DatabaseSync, findings: FindingList): void {
  for (const { number, salt, parameters, entry } of database.prepare(SELECT_PARAMETERS).iterate()) {
    const record = parseAuditRecord(String(entry));
    const bytes = salt instanceof Uint8Array ? salt : new Uint8Array();
    if (
      record?.parametersDigest === parametersDigest({ salt: bytes, parameters: String(parameters) })
    )
      continue;
    findings.add(`the parameters of audit entry ${number} were changed`);
  }
}

const SELECT_PARAMETERS = `
  SELECT p.number, p.salt, p.parameters, a.entry FROM audit_parameters AS p
  LEFT JOIN audit_entry AS a ON a.writer = p.writer AND a.number = p.number`;

type Row = Record<string, SQLOutputValue>;

const SELECT_CHAIN =
  'SELECT writer, number, recorded_at, entry, mac FROM audit_entry WHERE writer = ? ORDER BY number';

/** Follows the entries of one writer. */
class Chain {
  readonly #writer: number;
  readonly #key: Uint8Array;
  readonly #findings: FindingList;
  readonly #expectedHead: ChainHead | undefined;
  #head = CHAIN_START;

  constructor(
    writer: number,
    key: Uint8Array,
    findings: FindingList,
    expectedHead: ChainHead | undefined,
  ) {
    this.#writer = writer;
    this.#key = key;
    this.#findings = findings;
    this.#expectedHead = expectedHead;
    this.#compareWithExpected();
  }

  /** Returns what the entry says, if it can be read. */
  check(row: Row): StoredRecord | undefined {
    const number = Number(row.number);
    const [entry, recordedAt] = [String(row.entry), String(row.recorded_at)];
    const mac = row.mac instanceof Uint8Array ? row.mac : new Uint8Array();
    if (number > this.#head.number + 1) {
      this.#findings.add(missingText(this.#head.number + 1, number - 1));
    }
    const expected = macOf(this.#key, this.#head.mac, { number, recordedAt, entry });
    if (Buffer.compare(expected, mac) !== 0) {
      this.#findings.add(
        `audit entry ${number} or the one before it was changed, removed or moved`,
      );
    }
    const record = parseAuditRecord(entry);
    if (record === undefined) {
      this.#findings.add(`audit entry ${number} cannot be read`);
    } else if (record.writer !== this.#writer) {
      this.#findings.add(`audit entry ${number} of writer ${this.#writer} is of another writer`);
    }
    // The next entry is compared with what is there, so that one change is one finding.
    this.#head = { number, mac };
    this.#compareWithExpected();
    return record;
  }

  end(): ChainHead {
    const { number } = this.#head;
    if (this.#expectedHead !== undefined && this.#expectedHead.number > number) {
      this.#findings.add(
        `the audit log ends with entry ${number}, and had ${this.#expectedHead.number}: ` +
          'its end was cut off',
      );
    }
    return this.#head;
  }

  #compareWithExpected(): void {
    const { number, mac } = this.#head;
    if (number !== this.#expectedHead?.number) return;
    if (Buffer.compare(mac, this.#expectedHead.mac) === 0) return;
    this.#findings.add(`audit entry ${number} is not the one that --head names`);
  }
}

function missingText(from: number, to: number): string {
  return from === to
    ? `audit entry ${from} is missing`
    : `audit entries ${from} to ${to} are missing`;
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
