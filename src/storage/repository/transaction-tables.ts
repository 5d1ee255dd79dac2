/** What the calls of a transaction read and write, in every kind of store. */
import type { AuditRecord, Identity } from '../../fhir/audit/audit.ts';
import type { FieldEntry, ResourceCriterion } from '../../fhir/search/criterion.ts';
import type {
  HistoryPage,
  HistoryRequest,
  ResourceAddress,
  StoredVersion,
} from '../../fhir/stored/repository.ts';
import type { SavedDelivery } from '../../orders/subscriptions/delivery-store.ts';
import type { AuditNumber, SaltedParameters } from './audit-record.ts';
import type { KeptSearch, SearchMatches } from './reader-answers.ts';

/** A version of a resource, with its index entries, and the audit entry of its writing. */
export interface AddedVersion {
  readonly type: string;
  readonly stored: StoredVersion;
  readonly entries: readonly FieldEntry[];
  readonly entry: AuditNumber;
}

/** The parameters of a search, what it returned, and its audit entry. */
export interface AddedParameters extends SaltedParameters, SearchMatches {
  readonly entry: AuditNumber;
  readonly recordedAt: string;
}

export interface TransactionTables {
  /**
   * Of the type AuditEvent, an entry of the audit log. Throws if the resource exists without its
   * current version.
   */
  current(address: ResourceAddress): StoredVersion | undefined;
  version(address: ResourceAddress, version: number): StoredVersion | undefined;
  /** Who wrote the first version of a resource that exists; undefined without a token. */
  creator(address: ResourceAddress): Identity | undefined;
  /** Who created each resource of the type that has content. */
  creators(type: string): readonly (Identity | undefined)[];
  history(request: HistoryRequest): HistoryPage | undefined;
  /** The ids of the resources that match; undefined if the search is too costly. */
  matching(type: string, criteria: readonly ResourceCriterion[]): readonly string[] | undefined;
  /** Adds the first version, or the next one, of a resource. */
  add(written: AddedVersion): void;
  /** Adds an entry to the audit log. */
  append(recordedAt: string, record: AuditRecord): AuditNumber;
  /** Adds the parameters of a search, unless something that it returned was erased since. */
  addParameters(parameters: AddedParameters): void;
  keepSearch(type: string, search: KeptSearch, nowMs: number): void;
  saveDeliveries(states: readonly SavedDelivery[]): void;
  /** Runs `action`, and undoes what it did unless its result is `done`. */
  undoUnlessDone<Result extends { readonly kind: string }>(action: () => Result): Result;
}

/**
 * The most resources that a conditional write may look at. It is less than for a search, because
 * other writes wait meanwhile.
 */
export const CONDITION_CANDIDATES_MAX = 1000;
