/** A repository in memory, for tests of the code that uses one. */
import { EventEmitter, once } from 'node:events';
import type { Access } from '../../src/fhir/audit/audit.ts';
import type { WriteMethod } from '../../src/fhir/request/interaction-code.ts';
import { versionEntries } from '../../src/fhir/search/resource-parameter.ts';
import { type ChangeFacts, matchesChange } from '../../src/fhir/stored/change-match.ts';
import type { MatchRequest, MatchResult } from '../../src/fhir/stored/match.ts';
import {
  brokenPrecondition,
  type PreconditionHeader,
  type PreconditionsResult,
} from '../../src/fhir/stored/preconditions.ts';
import type {
  Change,
  ChangesRequest,
  ChangesResult,
  ChangesWait,
  ConditionalUpdate,
  ConditionalUpdateResult,
  CreateResult,
  Creation,
  PreconditionsRequest,
  Repository,
  ResourceAddress,
  StoredVersion,
  TransactionAnswer,
  TransactionCall,
  TransactionResult,
  Update,
  UpdateResult,
  VersionAddress,
} from '../../src/fhir/stored/repository.ts';
import { stampText, type UnstampedText, withId } from '../../src/fhir/stored/stored-text.ts';
import { runCalls } from '../../src/fhir/stored/transaction.ts';
import { entriesOfText } from '../../src/storage/repository/search-rows.ts';
import { historyPage } from '../../src/storage/repository/stored-version.ts';
import { createMemorySearch, currentOf, type Kept, matchesAll } from './memory-search.ts';

export interface MemoryRepository extends Repository {
  /** The recorded operations, oldest first: `create create`, `update invalid`. */
  readonly journal: readonly { readonly entry: string; readonly access: Access }[];
  /** Every operation fails with this while it is set. */
  failure: Error | undefined;
}

export function createMemoryRepository(now: () => Date = () => new Date()): MemoryRepository {
  const resources = new Resources(now);
  const search = createMemorySearch(now);
  const journal: { entry: string; access: Access }[] = [];
  const note = (access: Access, entry: string): void => {
    if (repository.failure !== undefined) throw repository.failure;
    journal.push({ entry: `${access.interaction} ${entry}`, access });
  };
  const repository: MemoryRepository = {
    journal,
    failure: undefined,
    create: async (creation, access) => {
      note(access, 'create');
      return resources.create(creation);
    },
    update: async (update, access) => {
      note(access, 'update');
      return resources.update(update);
    },
    updateMatching: async (update, access) => {
      note(access, 'update-matching');
      return resources.updateMatching(update);
    },
    delete: async (deletion, access) => {
      note(access, 'delete');
      return resources.delete(deletion);
    },
    read: async (address, access) => {
      note(access, 'read');
      return resources.read(address);
    },
    findMatch: async (request, access) => {
      note(access, 'find-match');
      return resources.findMatch(request);
    },
    history: async (request, access) => {
      note(access, 'history');
      const { sinceMs = 0, before = Number.POSITIVE_INFINITY } = request;
      const versions = resources.find(request)?.versions;
      if (versions === undefined) return undefined;
      const since = versions.filter(({ writtenAt }) => Date.parse(writtenAt) >= sinceMs);
      const older = since.filter(({ version }) => version < before);
      return { ...historyPage(older.toReversed(), request), total: since.length };
    },
    changes: async (request, access, wait) => {
      note(access, 'changes');
      return wait === undefined ? resources.changes(request) : resources.firstPage(request, wait);
    },
    checkPreconditions: async (request) => {
      if (repository.failure !== undefined) throw repository.failure;
      return resources.check(request);
    },
    transact: async (calls) => {
      if (repository.failure !== undefined) throw repository.failure;
      const result = resources.transact(calls);
      for (const call of recordedOf(calls, result)) note(call.args[1], call.kind);
      return result;
    },
    search: async (request, access) => {
      note(access, 'search');
      return search(request, resources.all);
    },
    recordRefusal: async ({ reason }, access) => note(access, reason),
  };
  return repository;
}

/** The calls that the audit log gets an entry of. */
function recordedOf(
  calls: readonly TransactionCall[],
  result: TransactionResult,
): readonly TransactionCall[] {
  if (result.kind === 'done') return calls;
  return result.kind === 'failed' ? calls.slice(result.at, result.at + 1) : [];
}

/** The versions of each resource. */
class Resources {
  #byAddress = new Map<string, Kept>();
  #written: Change[] = [];
  readonly #writes = new EventEmitter().setMaxListeners(0);
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** In the order of their creation. */
  get all(): readonly Kept[] {
    return [...this.#byAddress.values()];
  }

  find({ type, id }: ResourceAddress): Kept | undefined {
    return this.#byAddress.get(`${type}/${id}`);
  }

  transact(calls: readonly TransactionCall[]): TransactionResult {
    const before = this.#copy();
    let result: TransactionResult | undefined;
    try {
      result = runCalls(calls, (call) => this.#run(call));
      return result;
    } finally {
      if (result?.kind !== 'done') {
        this.#byAddress = before.resources;
        this.#written = before.written;
      }
    }
  }

  #copy() {
    const copies = [...this.#byAddress].map(([address, { type, versions, entries }]) => {
      const [first, ...others] = versions;
      return [address, { type, versions: [first, ...others], entries } satisfies Kept] as const;
    });
    return { resources: new Map<string, Kept>(copies), written: [...this.#written] };
  }

  #run(call: TransactionCall): TransactionAnswer {
    switch (call.kind) {
      case 'create':
        return { kind: 'create', value: this.create(call.args[0]) };
      case 'update':
        return { kind: 'update', value: this.update(call.args[0]) };
      case 'delete':
        return { kind: 'delete', value: this.delete(call.args[0]) };
      case 'read':
        return { kind: 'read', value: this.read(call.args[0]) };
      case 'findMatch':
        return { kind: 'findMatch', value: this.findMatch(call.args[0]) };
    }
  }

  read(address: VersionAddress): StoredVersion | undefined {
    const versions = this.find(address)?.versions ?? [];
    if (address.version === undefined) return versions.at(-1);
    return versions.find(({ version }) => String(version) === address.version);
  }

  check(request: PreconditionsRequest): PreconditionsResult | undefined {
    const kept = this.find(request);
    if (kept === undefined) return undefined;
    const header = brokenIn(kept, request);
    const { version: currentVersion, text } = currentOf(kept);
    return {
      currentVersion,
      ...(text !== undefined && { text }),
      ...(header !== undefined && { header }),
    };
  }

  /** Waits for a write, as `Repository.changes` says. */
  async firstPage(request: ChangesRequest, { ms, signal }: ChangesWait): Promise<ChangesResult> {
    const end = AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]);
    for (;;) {
      const found = this.changes(request);
      if (found.kind !== 'found' || found.versions.length > 0 || end.aborted) return found;
      await once(this.#writes, 'write', { signal: end }).catch(() => {});
    }
  }

  changes(request: ChangesRequest): ChangesResult {
    const { types, order, position, sinceMs = 0, criteria = [], ...page } = request;
    const isNewestFirst = order === 'newest-first';
    const at = position === undefined ? undefined : Number(position);
    if (at !== undefined && !(at <= this.#written.length)) return { kind: 'unknown-position' };
    const changes = this.#written.filter(
      ({ type, writtenAt, position: own }) =>
        types.includes(type) &&
        Date.parse(writtenAt) >= sinceMs &&
        (at === undefined || (isNewestFirst ? Number(own) < at : Number(own) > at)),
    );
    // Reading the entries of all texts takes long.
    const shown =
      criteria.length === 0
        ? changes
        : changes.filter((change) => matchesChange(criteria, this.#factsOf(change)));
    const ordered = isNewestFirst ? shown.toReversed() : shown;
    const { versions, hasMore } = historyPage(ordered, page);
    const end = String(this.#written.length);
    const next = hasMore
      ? (versions.at(-1)?.position ?? end)
      : (changes.at(-1)?.position ?? position ?? '0');
    return { kind: 'found', versions, hasMore, next, end };
  }

  #factsOf({ type, id, version }: Change): ChangeFacts {
    const [before, now] = [version - 1, version].map((each) => {
      const { text, writtenAt = '' } = this.find({ type, id })?.versions[each - 1] ?? {};
      if (text === undefined) return undefined;
      return [...entriesOfText(type, text, writtenAt), ...versionEntries(id, writtenAt)];
    });
    return {
      ...(now && { entries: now }),
      ...(before && { before: { entries: before, isErased: false } }),
    };
  }

  create({ type, id, text, entries, ifNoneExist }: Creation): CreateResult {
    const [first, ...others] = [...this.#byAddress.values()].filter(
      (kept) => ifNoneExist && kept.type === type && matchesAll(kept, ifNoneExist.criteria),
    );
    if (others.length > 0) return { kind: 'several', count: others.length + 1 };
    if (first !== undefined) return { kind: 'exists', stored: currentOf(first) };
    if (this.find({ type, id }) !== undefined) throw new Error(`${type}/${id} was used`);
    const stored = this.#stamp(type, id, text, 1, '');
    this.#byAddress.set(`${type}/${id}`, { type, versions: [stored], entries });
    return { kind: 'stored', stored };
  }

  update(update: Update): UpdateResult {
    return this.#replace(update, (kept, current) => {
      const stored = this.#stamp(
        update.type,
        update.id,
        update.text,
        current.version + 1,
        current.writtenAt,
      );
      kept.versions.push(stored);
      kept.entries = update.entries;
      return { kind: 'stored', stored, ...(current.text === undefined && { isRestored: true }) };
    });
  }

  updateMatching(update: ConditionalUpdate): ConditionalUpdateResult {
    const { type, id, text, entries, condition, sentId, preconditions } = update;
    const { criteria } = condition;
    const found = this.all.filter((kept) => kept.type === type && matchesAll(kept, criteria));
    if (found.length > 1) return { kind: 'several', count: found.length };
    const match = found[0]?.versions[0].id;
    if (sentId !== undefined && sentId !== match) {
      return { kind: 'other-id', ...(match !== undefined && { found: match }) };
    }
    if (match !== undefined) {
      const result = this.update({ ...update, id: match, text: withId(text, id, match) });
      return result.kind === 'conflict' ? { ...result, id: match } : result;
    }
    if (preconditions.ifMatch !== undefined) return { kind: 'absent' };
    const created = this.#stamp(type, id, text, 1, '', 'PUT');
    this.#byAddress.set(`${type}/${id}`, { type, versions: [created], entries });
    return { kind: 'stored', stored: created };
  }

  findMatch({ type, condition }: MatchRequest): MatchResult {
    const found = this.all.filter(
      (kept) => kept.type === type && matchesAll(kept, condition.criteria),
    );
    if (found.length > 1) return { kind: 'several', count: found.length };
    if (found[0] === undefined) return { kind: 'absent' };
    const { id, version } = currentOf(found[0]);
    return { kind: 'found', id, version };
  }

  delete(deletion: PreconditionsRequest): UpdateResult {
    return this.#replace(deletion, (kept, current) => {
      if (current.text === undefined) return { kind: 'stored', stored: current };
      const stored = this.#stamp(
        deletion.type,
        deletion.id,
        undefined,
        current.version + 1,
        current.writtenAt,
      );
      kept.versions.push(stored);
      kept.entries = [];
      return { kind: 'stored', stored };
    });
  }

  #replace(
    request: PreconditionsRequest,
    write: (kept: Kept, current: StoredVersion) => UpdateResult,
  ): UpdateResult {
    const kept = this.find(request);
    if (kept === undefined) return { kind: 'absent' };
    const current = currentOf(kept);
    const header = brokenIn(kept, request);
    if (header !== undefined) return { kind: 'conflict', header, currentVersion: current.version };
    return write(kept, current);
  }

  #stamp(
    type: string,
    id: string,
    text: UnstampedText | undefined,
    version: number,
    notBefore: string,
    method: WriteMethod = text === undefined ? 'DELETE' : version === 1 ? 'POST' : 'PUT',
  ): StoredVersion {
    const now = this.#now().toISOString().replace('Z', '+00:00');
    const writtenAt = now < notBefore ? notBefore : now;
    const stored: StoredVersion = {
      id,
      version,
      writtenAt,
      method,
      ...(text !== undefined && { text: stampText(text, version, writtenAt) }),
    };
    // The resource has the version when the readers that wait look.
    setImmediate(() => this.#writes.emit('write'));
    this.#written.push({ ...stored, type, position: String(this.#written.length + 1) });
    return stored;
  }
}

function brokenIn(
  kept: Kept,
  { preconditions }: PreconditionsRequest,
): PreconditionHeader | undefined {
  return brokenPrecondition(preconditions, currentOf(kept), () => kept.versions.at(-2));
}
