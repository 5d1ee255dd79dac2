/**
 * The tables of the database as the calls of one batch see them: what was loaded, and over it what
 * the calls before have written. Nothing is sent to the database; see `write-batch.ts`.
 */
import type { AuditRecord, Identity } from '../../../fhir/audit/audit.ts';
import {
  type FieldEntry,
  matches,
  type ResourceCriterion,
} from '../../../fhir/search/criterion.ts';
import { versionEntries } from '../../../fhir/search/resource-parameter.ts';
import type {
  HistoryPage,
  HistoryRequest,
  ResourceAddress,
  StoredVersion,
} from '../../../fhir/stored/repository.ts';
import type { SavedDelivery } from '../../../orders/subscriptions/delivery-store.ts';
import { type ChainedEntry, type ChainHead, chainedAfter } from '../../repository/audit-chain.ts';
import { type AuditNumber, auditRecordText, identityIn } from '../../repository/audit-record.ts';
import type { KeptSearch } from '../../repository/reader-answers.ts';
import type {
  AddedParameters,
  AddedVersion,
  TransactionTables,
} from '../../repository/transaction-tables.ts';
import { storableJson } from '../tables/arrays.ts';
import { addressKey, conditionKey } from './batch-needs.ts';

/** The rows that `load-batch.ts` read. */
export interface LoadedRows {
  /** By `addressKey`; undefined: the resource does not exist. */
  readonly current: ReadonlyMap<string, LoadedResource | undefined>;
  /** By `addressKey`, a slash and the version. */
  readonly versions: ReadonlyMap<string, StoredVersion>;
  readonly histories: ReadonlyMap<HistoryRequest, HistoryPage | undefined>;
  /** By `conditionKey`: ids; undefined: the search is too costly. */
  readonly matches: ReadonlyMap<string, readonly string[] | undefined>;
  /** By the key of a resource: the audit entry of its first version, if the batch needs it. */
  readonly firstEntries: ReadonlyMap<number, string>;
  /** By `addressKey`: who created each resource with content, of the types with limits. */
  readonly creators: ReadonlyMap<string, Identity | undefined>;
  /** Keys for new resources. */
  readonly newKeys: readonly number[];
}

export interface LoadedResource {
  readonly key: number;
  readonly stored: StoredVersion;
}

/** A resource that the batch writes. */
export interface WrittenResource extends LoadedResource, ResourceAddress {
  readonly isNew: boolean;
  /** Of the current version. */
  readonly entries: readonly FieldEntry[];
}

export interface WrittenVersion {
  readonly key: number;
  readonly stored: StoredVersion;
  readonly entry: AuditNumber;
}

/** The rows that the batch adds to the database. */
export interface BatchWrites {
  resources: Map<string, WrittenResource>;
  versions: WrittenVersion[];
  entries: ChainedEntry[];
  parameters: AddedParameters[];
  searches: (KeptSearch & { readonly type: string; readonly expiresMs: number })[];
  /** By subscription. */
  deliveries: Map<string, SavedDelivery>;
}

/** The chain of the writer that the entries of the batch continue. */
export interface WriterChain {
  readonly writer: number;
  readonly key: Uint8Array;
  readonly head: ChainHead;
}

export class BatchTables implements TransactionTables {
  readonly #loaded: LoadedRows;
  readonly #chain: WriterChain;
  #writes = copyOf({});
  #keysUsed = 0;

  constructor(loaded: LoadedRows, chain: WriterChain) {
    this.#loaded = loaded;
    this.#chain = chain;
  }

  get writes(): BatchWrites {
    return this.#writes;
  }

  /** The end of the writer's chain after the batch. */
  get head(): ChainHead {
    return this.#writes.entries.at(-1) ?? this.#chain.head;
  }

  current(address: ResourceAddress): StoredVersion | undefined {
    return this.#resource(address)?.stored;
  }

  version(address: ResourceAddress, version: number): StoredVersion | undefined {
    const resource = this.#resource(address);
    if (resource?.stored.version === version) return resource.stored;
    const written = this.#writes.versions.find(
      ({ key, stored }) => key === resource?.key && stored.version === version,
    );
    return written?.stored ?? this.#loaded.versions.get(`${addressKey(address)}/${version}`);
  }

  creator(address: ResourceAddress): Identity | undefined {
    const key = this.#resource(address)?.key;
    const first = this.#writes.versions.find(
      (written) => written.key === key && written.stored.version === 1,
    );
    const written = this.#writes.entries.find(({ number }) => number === first?.entry.number);
    return identityIn(written?.entry ?? this.#loaded.firstEntries.get(key ?? 0) ?? '');
  }

  creators(type: string): (Identity | undefined)[] {
    const isOfType = (address: string) => address.startsWith(addressKey({ type, id: '' }));
    const creators = new Map([...this.#loaded.creators].filter(([address]) => isOfType(address)));
    for (const [address, written] of this.#writes.resources) {
      if (!isOfType(address)) continue;
      if (written.stored.text === undefined) creators.delete(address);
      // Of a resource that another call only changed, the batch may not know its first entry.
      else if (!creators.has(address)) creators.set(address, this.creator(written));
    }
    return [...creators.values()];
  }

  /** As it was before the batch: no call waits for another one of its batch. */
  history(request: HistoryRequest): HistoryPage | undefined {
    return this.#loaded.histories.get(request);
  }

  matching(type: string, criteria: readonly ResourceCriterion[]): string[] | undefined {
    const loaded = this.#loaded.matches.get(conditionKey({ type, criteria }));
    if (loaded === undefined) return undefined;
    const written = [...this.#writes.resources.values()].filter((each) => each.type === type);
    const changed = new Set(written.map(({ id }) => id));
    const found = written.filter(({ id, stored, entries }) => {
      if (stored.text === undefined) return false;
      const all = [...entries, ...versionEntries(id, stored.writtenAt)];
      return criteria.every((criterion) => matches(criterion, all));
    });
    return [...found.map(({ id }) => id), ...loaded.filter((id) => !changed.has(id))];
  }

  add({ type, stored, entries, entry }: AddedVersion): void {
    const { id, version } = stored;
    const address = addressKey({ type, id });
    const before = this.#writes.resources.get(address) ?? this.#loaded.current.get(address);
    if (version === 1 && before !== undefined) throw new Error(`the id of ${address} was used`);
    const key = before?.key ?? this.#newKey();
    const isNew = version === 1 || this.#writes.resources.get(address)?.isNew === true;
    this.#writes.resources.set(address, { type, id, key, stored, entries, isNew });
    this.#writes.versions.push({ key, stored, entry });
  }

  append(recordedAt: string, record: AuditRecord): AuditNumber {
    const { writer, key } = this.#chain;
    const entry = storableJson(auditRecordText(writer, record));
    const chained = chainedAfter(this.head, key, { recordedAt, entry });
    this.#writes.entries.push(chained);
    return { writer, number: chained.number };
  }

  addParameters(parameters: AddedParameters): void {
    this.#writes.parameters.push(parameters);
  }

  keepSearch(type: string, search: KeptSearch, nowMs: number): void {
    this.#writes.searches.push({ type, ...search, expiresMs: Math.floor(nowMs + search.keepMs) });
  }

  saveDeliveries(states: readonly SavedDelivery[]): void {
    for (const state of states) this.#writes.deliveries.set(state.subscription, state);
  }

  undoUnlessDone<Result extends { readonly kind: string }>(action: () => Result): Result {
    const before = copyOf(this.#writes);
    const result = action();
    if (result.kind !== 'done') this.#writes = before;
    return result;
  }

  #resource(address: ResourceAddress): LoadedResource | undefined {
    const key = addressKey(address);
    return this.#writes.resources.get(key) ?? this.#loaded.current.get(key);
  }

  #newKey(): number {
    const key = this.#loaded.newKeys[this.#keysUsed++];
    if (key === undefined) throw new Error('the batch has more new resources than keys');
    return key;
  }
}

function copyOf(writes: Partial<BatchWrites>): BatchWrites {
  const { versions = [], entries = [], parameters = [], searches = [] } = writes;
  return {
    resources: new Map(writes.resources),
    versions: [...versions],
    entries: [...entries],
    parameters: [...parameters],
    searches: [...searches],
    deliveries: new Map(writes.deliveries),
  };
}
