/** Keeps order responses in `orders.db`: many calls of the store in one transaction, with one sync. */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Access } from '../../fhir/access.ts';
import type { AuditRecord } from '../../fhir/audit.ts';
import {
  brokenPrecondition,
  type PreconditionHeader,
  type Preconditions,
} from '../../fhir/preconditions.ts';
import type {
  BusinessIdentifier,
  CreateResult,
  Creation,
  HistoryPage,
  HistoryRequest,
  PreconditionsRequest,
  PreconditionsResult,
  Refusal,
  StoredVersion,
  Update,
  UpdateResult,
  VersionAddress,
} from '../../fhir/repository.ts';
import { createRefusalCounter } from '../refusal-counter.ts';
import type {
  RepositoryAnswer,
  RepositoryOperation,
  RepositoryResult,
} from '../repository-operation.ts';
import { StorageError, storageError } from '../storage-error.ts';
import { UNAVAILABLE } from '../unavailable.ts';
import { AuditLog } from './audit-log.ts';
import { inTransaction } from './database.ts';
import type { RepositoryDatabase } from './repository-database.ts';
import { instantText, newVersion, ResourceTables } from './resource-tables.ts';

export interface RepositoryOptions {
  readonly now?: () => Date;
  /** Told why nothing can be stored, and of faults; for the log. */
  readonly onFault?: (fault: Error) => void;
  /** Returns a more exact reason for a failed batch; see `write-health.ts`. */
  readonly explain?: (error: StorageError) => StorageError;
}

/** Over an open database, which it closes. Of one thread in one process at a time. */
export class SqliteRepository {
  readonly #database: DatabaseSync;
  readonly #tables: ResourceTables;
  readonly #audit: AuditLog;
  readonly #refusals = createRefusalCounter();
  readonly #now: () => Date;
  readonly #onFault: (fault: Error) => void;
  readonly #explain: (error: StorageError) => StorageError;
  #commits = 0;

  constructor({ database, auditKey }: RepositoryDatabase, options: RepositoryOptions = {}) {
    this.#database = database;
    this.#tables = new ResourceTables(database);
    this.#audit = new AuditLog(database, auditKey);
    this.#now = options.now ?? (() => new Date());
    this.#onFault = options.onFault ?? (() => {});
    this.#explain = options.explain ?? ((error) => error);
  }

  /** Transactions so far that were to be committed. */
  get commits(): number {
    return this.#commits;
  }

  /**
   * A result for each operation, in their order; each sees what those before it did. When it
   * returns, all is on the disk that is not told to have failed.
   */
  runBatch(operations: readonly RepositoryOperation[]): RepositoryResult[] {
    const nowMs = this.#now().getTime();
    const rest: RepositoryOperation[] = [];
    for (const operation of operations) {
      if (isCounted(operation)) this.#refusals.count(bounded(operation.access.address), nowMs);
      else rest.push(operation);
    }
    const results = rest.length === 0 ? [] : this.#runOrFail(rest, nowMs);
    if (rest.length === operations.length) return results;
    const next = results.values();
    return operations.map((operation) =>
      isCounted(operation) ? COUNTED : (next.next().value ?? COUNTED),
    );
  }

  /** Puts down the counted refusals, if it is time or `isLast`; they stay counted where it fails. */
  recordRefusals({ isLast = false } = {}): void {
    const nowMs = this.#now().getTime();
    if (!this.#refusals.isDue(nowMs) && !(isLast && this.#refusals.counts.length > 0)) return;
    this.#endTransaction();
    try {
      this.#commit([], nowMs, true);
    } catch (fault) {
      this.#failureOf(fault);
    }
  }

  close(): void {
    this.recordRefusals({ isLast: true });
    this.#database.close();
  }

  #runOrFail(operations: readonly RepositoryOperation[], nowMs: number): RepositoryResult[] {
    this.#endTransaction();
    try {
      return this.#commit(operations, nowMs, this.#refusals.isDue(nowMs));
    } catch (fault) {
      if (operations.length > 1 && !isOfStorage(fault)) {
        // One of them is at fault: the others are not to suffer for it.
        return operations.flatMap((operation) => this.#runOrFail([operation], nowMs));
      }
      const failure = this.#failureOf(fault);
      return operations.map(() => failure);
    }
  }

  /** One that could not even be undone would take in all that follows: where it stays, we throw. */
  #endTransaction(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  #commit(operations: readonly RepositoryOperation[], nowMs: number, withRefusals: boolean) {
    this.#commits++;
    const answers = inTransaction(this.#database, () => {
      this.#audit.begin();
      if (withRefusals) this.#putDownRefusals(nowMs);
      return operations.map((operation) => this.#run(operation, nowMs));
    });
    if (withRefusals) this.#refusals.clear();
    return answers;
  }

  #putDownRefusals(nowMs: number): void {
    for (const { address, count, fromMs } of this.#refusals.counts) {
      const from = instantText(fromMs);
      this.#audit.append(instantText(nowMs), { outcome: 'unauthenticated', address, count, from });
    }
  }

  #failureOf(fault: unknown): RepositoryResult {
    const known = storageError(fault, 'orders.db');
    const error = known instanceof StorageError ? this.#explain(known) : faultOf(known);
    this.#onFault(error);
    return error instanceof StorageError
      ? { kind: 'unavailable', message: UNAVAILABLE[error.kind] }
      : { kind: 'fault', message: error.message };
  }

  #run(operation: RepositoryOperation, nowMs: number): RepositoryAnswer {
    const { kind } = operation;
    switch (kind) {
      case 'create':
        return { kind, value: this.#create(operation.creation, operation.access, nowMs) };
      case 'update':
        return { kind, value: this.#update(operation.update, operation.access, nowMs) };
      case 'read':
        return { kind, value: this.#read(operation.address, operation.access, nowMs) };
      case 'history':
        return { kind, value: this.#history(operation.request, operation.access, nowMs) };
      case 'check-preconditions':
        return { kind, value: this.#checkPreconditions(operation.request) };
      case 'record-refusal':
        return { kind, value: this.#recordRefusal(operation.refusal, operation.access, nowMs) };
    }
  }

  #create(creation: Creation, access: Access, nowMs: number): CreateResult {
    const { id, text, identifiers, ifNoneExist } = creation;
    const [existing, ...others] =
      ifNoneExist === undefined ? [] : this.#tables.withIdentifier(ifNoneExist);
    if (existing === undefined) {
      const stored = newVersion(id, 1, text, instantText(nowMs));
      return { kind: 'stored', stored: this.#add(stored, identifiers, access, nowMs) };
    }
    if (others.length > 0) {
      const count = others.length + 1;
      this.#record({ outcome: 'several', count }, access, nowMs);
      return { kind: 'several', count };
    }
    const stored = this.#current(existing);
    this.#record({ outcome: 'exists', resource: existing, version: stored.version }, access, nowMs);
    return { kind: 'exists', stored };
  }

  #update(update: Update, access: Access, nowMs: number): UpdateResult {
    const { id, text, identifiers, preconditions } = update;
    if (this.#tables.currentVersion(id) === undefined) {
      this.#record({ outcome: 'absent', resource: id }, access, nowMs);
      return { kind: 'absent' };
    }
    const current = this.#current(id);
    const { version: currentVersion, writtenAt: lastWrittenAt } = current;
    const header = this.#broken(preconditions, current);
    if (header !== undefined) {
      this.#record({ outcome: 'conflict', resource: id }, access, nowMs);
      return { kind: 'conflict', header, currentVersion };
    }
    // The clock may have been set back.
    const now = instantText(nowMs);
    const writtenAt = now < lastWrittenAt ? lastWrittenAt : now;
    const stored = newVersion(id, currentVersion + 1, text, writtenAt);
    return { kind: 'stored', stored: this.#add(stored, identifiers, access, nowMs) };
  }

  #read({ id, version }: VersionAddress, access: Access, nowMs: number): StoredVersion | undefined {
    const wanted = version === undefined ? this.#tables.currentVersion(id) : versionNumber(version);
    const found = wanted === undefined ? undefined : this.#tables.version(id, wanted);
    const seen = wanted === undefined ? {} : { version: wanted };
    const outcome = found === undefined ? 'absent' : 'found';
    this.#record({ outcome, resource: id, ...seen }, access, nowMs);
    return found;
  }

  #history(request: HistoryRequest, access: Access, nowMs: number): HistoryPage | undefined {
    const { id } = request;
    const currentVersion = this.#tables.currentVersion(id);
    if (currentVersion === undefined) {
      this.#record({ outcome: 'absent', resource: id }, access, nowMs);
      return undefined;
    }
    const page = this.#tables.history(request, currentVersion);
    const { length: count, 0: last, [count - 1]: first } = page.versions;
    const shown = first && last && { firstVersion: first.version, lastVersion: last.version };
    this.#record({ outcome: 'found', resource: id, count, ...shown }, access, nowMs);
    return page;
  }

  #recordRefusal(refusal: Refusal, access: Access, nowMs: number): undefined {
    const { reason, id, version } = refusal;
    const number = version === undefined ? undefined : versionNumber(version);
    this.#record(
      {
        outcome: reason,
        ...(id !== undefined && { resource: bounded(id) }),
        ...(number !== undefined && { version: number }),
      },
      access,
      nowMs,
    );
    return undefined;
  }

  #checkPreconditions({
    id,
    preconditions,
  }: PreconditionsRequest): PreconditionsResult | undefined {
    if (this.#tables.currentVersion(id) === undefined) return undefined;
    const current = this.#current(id);
    const header = this.#broken(preconditions, current);
    return { currentVersion: current.version, ...(header !== undefined && { header }) };
  }

  #broken(preconditions: Preconditions, current: StoredVersion): PreconditionHeader | undefined {
    return brokenPrecondition(preconditions, current, () =>
      this.#tables.version(current.id, current.version - 1),
    );
  }

  #current(id: string): StoredVersion {
    const version = this.#tables.currentVersion(id);
    const stored = version === undefined ? undefined : this.#tables.version(id, version);
    if (stored === undefined) throw new Error(`the current version of ${id} is missing`);
    return stored;
  }

  #add(
    stored: StoredVersion,
    identifiers: readonly BusinessIdentifier[],
    access: Access,
    nowMs: number,
  ): StoredVersion {
    const { id, version, text } = stored;
    const digest = hash('sha256', text);
    const entry = this.#record({ outcome: 'stored', resource: id, version, digest }, access, nowMs);
    this.#tables.add(stored, identifiers, entry);
    return stored;
  }

  #record(what: Omit<AuditRecord, 'address'>, access: Access, nowMs: number): number {
    const { outcome, ...about } = what;
    const { interaction, identity, address, requestId } = access;
    return this.#audit.append(instantText(nowMs), {
      interaction,
      outcome,
      ...about,
      ...(identity && { subject: bounded(identity.subject) }),
      ...(identity?.client !== undefined && { client: bounded(identity.client) }),
      address: bounded(address),
      requestId: bounded(requestId),
    });
  }
}

/** A refusal that is counted in memory, not put down one by one. */
function isCounted(
  operation: RepositoryOperation,
): operation is Extract<RepositoryOperation, { kind: 'record-refusal' }> {
  return operation.kind === 'record-refusal' && operation.refusal.reason === 'unauthenticated';
}

function isOfStorage(fault: unknown): boolean {
  return storageError(fault, '') instanceof StorageError;
}

function faultOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

const COUNTED: RepositoryAnswer = { kind: 'record-refusal', value: undefined };

/** As in an address: `01` and `1.0` name no version. */
function versionNumber(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** What a sender chooses must not make entries grow without limit. */
function bounded(text: string): string {
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX)}…`;
}

const TEXT_LENGTH_MAX = 256;
