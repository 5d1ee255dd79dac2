/** Adds entries to the audit log about the calls of a transaction. */
import type { Access, AuditRecord } from '../../fhir/audit/audit.ts';
import { accessRecord, changesRecords, type SearchingAccess } from './access-record.ts';
import { type AuditNumber, parametersDigest, withSalt } from './audit-record.ts';
import type { FoundChanges, FoundSearch } from './reader-answers.ts';
import { instantText } from './stored-version.ts';
import type { TransactionTables } from './transaction-tables.ts';

/** `nowMs` is the time of the transaction. */
export class AccessRecorder {
  readonly #tables: TransactionTables;
  /** Adds the newest record to the audit log. */
  #recorded: (() => AuditNumber) | undefined;

  constructor(tables: TransactionTables) {
    this.#tables = tables;
  }

  /** With the parameters, if the client searched. */
  record(
    what: Omit<AuditRecord, 'address'>,
    { searched, ...access }: SearchingAccess,
    nowMs: number,
  ): AuditNumber {
    const recordedAt = instantText(nowMs);
    const search = searched && { ...searched, ...withSalt(searched.parameters) };
    const digest = search && { parametersDigest: parametersDigest(search) };
    const record = accessRecord({ ...what, ...digest }, access);
    this.#recorded = () => {
      const entry = this.#tables.append(recordedAt, record);
      if (search) this.#tables.addParameters({ ...search, entry, recordedAt });
      return entry;
    };
    return this.#recorded();
  }

  /** Adds the newest record again, because the transaction was undone. */
  repeat(): void {
    this.#recorded?.();
  }

  recordSearch(search: FoundSearch, access: Access, nowMs: number): void {
    const { type, outcome, resources, total, kept } = search;
    const about = { outcome, resourceType: type, count: resources.length, total, resources };
    this.record(about, { ...access, searched: search }, nowMs);
    if (kept !== undefined) this.#tables.keepSearch(type, kept, nowMs);
  }

  /** Adds an entry for each type with versions on the page. */
  recordChanges(changes: FoundChanges, access: Access, nowMs: number): void {
    for (const record of changesRecords(changes)) this.record(record, access, nowMs);
  }
}
