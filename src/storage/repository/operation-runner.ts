/** Runs the calls of the repository: what each one reads and writes within a transaction. */
import { hash } from 'node:crypto';
import type { Access, AuditOutcome, Identity } from '../../fhir/audit/audit.ts';
import type { FieldEntry } from '../../fhir/search/criterion.ts';
import type { TooMany } from '../../fhir/stored/count-limits.ts';
import type { MatchRequest, MatchResult } from '../../fhir/stored/match.ts';
import {
  brokenPrecondition,
  type PreconditionHeader,
  type PreconditionsResult,
} from '../../fhir/stored/preconditions.ts';
import type {
  ConditionalUpdate,
  ConditionalUpdateResult,
  CreateResult,
  Creation,
  HistoryPage,
  HistoryRequest,
  PreconditionsRequest,
  StoredVersion,
  TransactionAnswer,
  TransactionCall,
  TransactionResult,
  Update,
  UpdateResult,
  VersionAddress,
} from '../../fhir/stored/repository.ts';
import { withId } from '../../fhir/stored/stored-text.ts';
import { runCalls } from '../../fhir/stored/transaction.ts';
import {
  historyRecord,
  recordOf,
  refusalRecord,
  type SearchingAccess,
  searchedBy,
  versionNumber,
} from './access-record.ts';
import { AccessRecorder } from './access-recorder.ts';
import { findMatch } from './find-match.ts';
import { exceededLimit, OUTCOMES, refusedWrite } from './refused-write.ts';
import type {
  AnswerOf,
  OperationOf,
  RepositoryAnswer,
  RepositoryOperation,
  StorageCall,
  ValueOf,
} from './repository-operation.ts';
import { instantText, NO_CONTENT, newVersion, type VersionStamp } from './stored-version.ts';
import type { TransactionTables } from './transaction-tables.ts';

/** The methods of the repository within a transaction, whose time is `nowMs`. */
type Methods = {
  readonly [Kind in StorageCall]: (args: OperationOf<Kind>['args'], nowMs: number) => ValueOf<Kind>;
};

export class OperationRunner {
  readonly #tables: TransactionTables;
  readonly #recorder: AccessRecorder;
  readonly #methods: Methods = {
    create: ([creation, access], nowMs) => this.#create(creation, access, nowMs),
    update: ([update, access], nowMs) => this.#update(update, access, nowMs),
    updateMatching: ([update, access], nowMs) => this.#updateMatching(update, access, nowMs),
    delete: ([deletion, access], nowMs) => this.#delete(deletion, access, nowMs),
    read: ([address, access], nowMs) => this.#read(address, access, nowMs),
    findMatch: ([request, access], nowMs) => this.#findMatch(request, access, nowMs),
    history: ([request, access], nowMs) => this.#history(request, access, nowMs),
    checkPreconditions: ([request]) => this.#checkPreconditions(request),
    recordRefusal: ([refusal, access], nowMs) => {
      this.#recorder.record(refusalRecord(refusal), access, nowMs);
    },
    recordSearch: ([search, access], nowMs) => this.#recorder.recordSearch(search, access, nowMs),
    recordChanges: ([changes, access], nowMs) =>
      this.#recorder.recordChanges(changes, access, nowMs),
    saveDeliveries: ([states]) => this.#tables.saveDeliveries(states),
    transact: ([calls], nowMs) => this.#transact(calls, nowMs),
  };

  constructor(tables: TransactionTables) {
    this.#tables = tables;
    this.#recorder = new AccessRecorder(tables);
  }

  /** Call it in a transaction. `nowMs` is the time of the transaction. */
  run(operation: RepositoryOperation, nowMs: number): RepositoryAnswer {
    return this.#answer(operation, nowMs) as RepositoryAnswer;
  }

  /** For one kind of operation. TypeScript cannot infer it for the union of all. */
  #answer<Kind extends StorageCall>(
    { kind, args }: OperationOf<Kind>,
    nowMs: number,
  ): AnswerOf<Kind> {
    return { kind, value: this.#methods[kind](args, nowMs) };
  }

  /** Of a transaction that is undone, only the refused call gets an audit entry. */
  #transact(calls: readonly TransactionCall[], nowMs: number): TransactionResult {
    const result = this.#tables.undoUnlessDone(() =>
      runCalls(calls, (call) => this.run(call, nowMs) as TransactionAnswer),
    );
    if (result.kind === 'failed') this.#recorder.repeat();
    return result;
  }

  #create(creation: Creation, client: Access, nowMs: number): CreateResult {
    const { type, id, text, entries, ifNoneExist } = creation;
    const found =
      ifNoneExist === undefined ? [] : this.#tables.matching(type, ifNoneExist.criteria);
    const access = { ...client, ...(ifNoneExist && searchedBy(ifNoneExist, type, found)) };
    if (found === undefined) {
      this.#recorder.record({ outcome: 'invalid', resourceType: type }, access, nowMs);
      return { kind: 'too-costly' };
    }
    const [existing, ...others] = found;
    if (others.length > 0) {
      const count = others.length + 1;
      const resources = access.searched?.resources ?? [];
      const several = { outcome: 'several', resourceType: type, count, resources } as const;
      this.#recorder.record(several, access, nowMs);
      return { kind: 'several', count };
    }
    const stored =
      existing === undefined ? undefined : this.#tables.current({ type, id: existing });
    if (stored !== undefined) {
      const address = recordOf({ type, id: stored.id });
      const exists = { outcome: 'exists', ...address, version: stored.version } as const;
      this.#recorder.record(exists, access, nowMs);
      return { kind: 'exists', stored };
    }
    const tooMany = this.#tooMany(creation, access.identity, access, nowMs);
    if (tooMany !== undefined) return tooMany;
    const first = newVersion('create', { id, version: 1, writtenAt: instantText(nowMs) }, text);
    return { kind: 'stored', stored: this.#add(type, first, entries, access, nowMs) };
  }

  #update(update: Update, access: SearchingAccess, nowMs: number): UpdateResult {
    return this.#replace(update, access, nowMs, (current, stamp) => {
      if (current.text === undefined) {
        const tooMany = this.#tooMany(update, this.#tables.creator(update), access, nowMs);
        if (tooMany !== undefined) return tooMany;
      }
      const next = newVersion('update', stamp, update.text);
      const stored = this.#add(update.type, next, update.entries, access, nowMs);
      return { kind: 'stored', stored, ...(current.text === undefined && { isRestored: true }) };
    });
  }

  /** Whether one more resource of `creator` exceeds a limit. Then it adds the audit entry. */
  #tooMany(
    request: Creation | Update,
    creator: Identity | undefined,
    access: SearchingAccess,
    nowMs: number,
  ): TooMany | undefined {
    const { type, limits } = request;
    const tooMany = limits && exceededLimit(limits, this.#tables.creators(type), creator);
    // The id of a create is of no resource.
    const about = 'preconditions' in request ? recordOf(request) : { resourceType: type };
    if (tooMany) this.#recorder.record({ outcome: 'invalid', ...about }, access, nowMs);
    return tooMany;
  }

  #updateMatching(
    update: ConditionalUpdate,
    client: Access,
    nowMs: number,
  ): ConditionalUpdateResult {
    const { type, id, text, entries, condition, sentId, preconditions } = update;
    const found = this.#tables.matching(type, condition.criteria);
    const access = { ...client, ...searchedBy(condition, type, found) };
    const refuse = (outcome: AuditOutcome, result: ConditionalUpdateResult) => {
      const { resources } = access.searched;
      const count = result.kind === 'several' ? { count: result.count } : {};
      this.#recorder.record({ outcome, resourceType: type, ...count, resources }, access, nowMs);
      return result;
    };
    if (found === undefined) return refuse('invalid', { kind: 'too-costly' });
    const [match, ...others] = found;
    if (others.length > 0) return refuse('several', { kind: 'several', count: found.length });
    if (sentId !== undefined && sentId !== match) {
      return refuse('invalid', { kind: 'other-id', ...(match !== undefined && { found: match }) });
    }
    if (match !== undefined) {
      const change = { type, id: match, text: withId(text, id, match), entries, preconditions };
      const result = this.#update(change, access, nowMs);
      return result.kind === 'conflict' ? { ...result, id: match } : result;
    }
    if (preconditions.ifMatch !== undefined) return refuse('absent', { kind: 'absent' });
    const first = newVersion('update', { id, version: 1, writtenAt: instantText(nowMs) }, text);
    return { kind: 'stored', stored: this.#add(type, first, entries, access, nowMs) };
  }

  #delete(deletion: PreconditionsRequest, access: Access, nowMs: number): UpdateResult {
    return this.#replace(deletion, access, nowMs, (current, stamp) => {
      const { version, text } = current;
      if (text === undefined) {
        this.#recorder.record({ outcome: 'gone', ...recordOf(deletion), version }, access, nowMs);
        return { kind: 'stored', stored: current };
      }
      const next = newVersion('delete', stamp);
      return { kind: 'stored', stored: this.#add(deletion.type, next, [], access, nowMs) };
    });
  }

  /** Calls `write` if the resource exists and the preconditions are true for its current version. */
  #replace(
    request: PreconditionsRequest,
    access: SearchingAccess,
    nowMs: number,
    write: (current: StoredVersion, next: VersionStamp) => UpdateResult,
  ): UpdateResult {
    const current = this.#tables.current(request);
    if (current === undefined) {
      this.#recorder.record({ outcome: 'absent', ...recordOf(request) }, access, nowMs);
      return { kind: 'absent' };
    }
    const header = this.#broken(request, current);
    if (header !== undefined) {
      this.#recorder.record({ outcome: 'conflict', ...recordOf(request) }, access, nowMs);
      return { kind: 'conflict', header, currentVersion: current.version };
    }
    if (current.isErased) {
      this.#recorder.record({ outcome: 'gone', ...recordOf(request) }, access, nowMs);
      return { kind: 'erased', current };
    }
    const refused = refusedWrite(request, current, access, () => this.#tables.creator(request));
    if (refused !== undefined) {
      const outcome = OUTCOMES[refused.kind];
      this.#recorder.record({ outcome, ...recordOf(request) }, access, nowMs);
      return refused;
    }
    // The clock may have been set back.
    const now = instantText(nowMs);
    const writtenAt = now < current.writtenAt ? current.writtenAt : now;
    return write(current, { id: request.id, version: current.version + 1, writtenAt });
  }

  #read(address: VersionAddress, access: Access, nowMs: number): StoredVersion | undefined {
    const found = this.#find(address);
    const version = found?.version ?? versionNumber(address.version);
    const seen = version !== undefined && { version };
    const outcome = found === undefined ? 'absent' : found.text === undefined ? 'gone' : 'found';
    this.#recorder.record({ outcome, ...recordOf(address), ...seen }, access, nowMs);
    return found;
  }

  #find(address: VersionAddress): StoredVersion | undefined {
    if (address.version === undefined) return this.#tables.current(address);
    const version = versionNumber(address.version);
    return version === undefined ? undefined : this.#tables.version(address, version);
  }

  #findMatch(request: MatchRequest, client: Access, nowMs: number): MatchResult {
    const { result, record, searched } = findMatch(request, this.#tables);
    this.#recorder.record(record, { ...client, searched }, nowMs);
    return result;
  }

  #history(request: HistoryRequest, access: Access, nowMs: number): HistoryPage | undefined {
    const page = this.#tables.history(request);
    this.#recorder.record(historyRecord(request, page), access, nowMs);
    return page;
  }

  #checkPreconditions(request: PreconditionsRequest): PreconditionsResult | undefined {
    const current = this.#tables.current(request);
    if (current === undefined) return undefined;
    const { version: currentVersion, text } = current;
    const header = this.#broken(request, current);
    return {
      currentVersion,
      ...(text !== undefined && { text }),
      ...(header !== undefined && { header }),
    };
  }

  #broken(request: PreconditionsRequest, current: StoredVersion): PreconditionHeader | undefined {
    return brokenPrecondition(request.preconditions, current, () =>
      this.#tables.version(request, current.version - 1),
    );
  }

  #add(
    type: string,
    stored: StoredVersion,
    entries: readonly FieldEntry[],
    access: SearchingAccess,
    nowMs: number,
  ): StoredVersion {
    const { id, version, text = NO_CONTENT } = stored;
    const digest = hash('sha256', text);
    const what = { outcome: 'stored', ...recordOf({ type, id }), version, digest } as const;
    const entry = this.#recorder.record(what, access, nowMs);
    this.#tables.add({ type, stored, entries, entry });
    return stored;
  }
}
