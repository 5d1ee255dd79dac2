/** Checks that the index of the audit log has what the entries say, and nothing else. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AuditRecord } from '../../fhir/audit/audit.ts';
import { createFindings, type FindingList } from '../repository/verification.ts';
import { blockOf, termsOf } from './audit-index.ts';
import { isAuditIndexFilled } from './fill-audit-index.ts';

/** An index that is not filled lacks entries: the next start of the server adds them. */
export class AuditIndexCheck {
  readonly #database: DatabaseSync;
  readonly #isFilled: boolean;
  readonly #findings = createFindings();
  readonly #hasId: StatementSync;
  readonly #hasTrait: StatementSync;
  #ids = 0;
  #traits = 0;
  #block = -1;
  readonly #known = new Set<string>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#isFilled = isAuditIndexFilled(database);
    this.#hasId = database.prepare('SELECT 1 FROM audit_resource WHERE id = ? AND entry = ?');
    this.#hasTrait = database.prepare(
      'SELECT 1 FROM audit_block WHERE field = ? AND value = ? AND block = ?',
    );
  }

  /** Call it for each entry in the order of their numbers. */
  check(number: number, recordedAt: string, record: AuditRecord): void {
    if (!this.#isFilled) return;
    const { ids, traits } = termsOf(recordedAt, record);
    const missing = [...new Set(ids)].filter((id) => {
      this.#ids += 1;
      return this.#hasId.get(id, number) === undefined;
    });
    const block = blockOf(number);
    if (block !== this.#block) this.#known.clear();
    this.#block = block;
    for (const [field, value] of traits) {
      const trait = `${field} ${value}`;
      if (this.#known.has(trait)) continue;
      this.#known.add(trait);
      this.#traits += 1;
      if (this.#hasTrait.get(field, value, block) === undefined) missing.push(trait);
    }
    if (missing.length > 0) {
      this.#findings.add(`the index of the audit log lacks audit entry ${number}`);
    }
  }

  /** Call it after the last entry, if the log itself is sound. */
  addTo(findings: FindingList): void {
    for (const finding of this.#findings.list) findings.add(finding);
    if (!this.#isFilled || this.#findings.total > 0) return;
    const rows = this.#rowsOf('audit_resource') + this.#rowsOf('audit_block');
    const strays = rows - this.#ids - this.#traits;
    if (strays > 0) {
      findings.add(`the index of the audit log has ${strays} rows without an audit entry`);
    }
  }

  #rowsOf(table: string): number {
    return Number(this.#database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  }
}
