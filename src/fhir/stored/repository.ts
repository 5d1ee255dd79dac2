/** The repository of resources that clients write. Every store of such resources implements this port. */
import type { Access, Refusal } from '../audit/audit.ts';
import type { WriteMethod } from '../request/interaction-code.ts';
import type { Condition, FieldEntry, ResourceCriterion, TooCostly } from '../search/criterion.ts';
import type { SortKey } from '../search/resource-search.ts';
import type { CountLimits, TooMany } from './count-limits.ts';
import type { ExpectedResource, MatchRequest, MatchResult, MovedResource } from './match.ts';
import type {
  Conflict,
  Preconditions,
  PreconditionsResult,
  RefusedWrite,
} from './preconditions.ts';
import type { UnstampedText } from './stored-text.ts';

/** A resource: its type and its logical id. */
export interface ResourceAddress {
  readonly type: string;
  readonly id: string;
}

/** One version of a resource; it never changes. */
export interface StoredVersion {
  readonly id: string;
  /** From 1, without gaps. */
  readonly version: number;
  /** `2026-11-21T09:30:00.123+00:00`; never before that of an earlier version of the resource. */
  readonly writtenAt: string;
  /** The HTTP method that wrote it. */
  readonly method: WriteMethod;
  /**
   * The whole resource in JSON, `id`, `meta.versionId` and `meta.lastUpdated` included. Absent if
   * the version deleted the resource, or if its content was erased.
   */
  readonly text?: string;
  readonly isErased?: true;
}

export type CreateResult =
  | { readonly kind: 'stored'; readonly stored: StoredVersion }
  /** `ifNoneExist` found one: its current version. */
  | { readonly kind: 'exists'; readonly stored: StoredVersion }
  /** `ifNoneExist` found more than one. */
  | { readonly kind: 'several'; readonly count: number }
  | TooCostly
  | TooMany;

export type UpdateResult =
  /** `isRestored`: the version before it deleted the resource. */
  | { readonly kind: 'stored'; readonly stored: StoredVersion; readonly isRestored?: boolean }
  | { readonly kind: 'absent' }
  /** The content of the resource was erased, so nothing more is written. */
  | { readonly kind: 'erased'; readonly current: StoredVersion }
  /** The resource had been deleted. */
  | TooMany
  | RefusedWrite
  | Conflict;

export interface VersionAddress extends ResourceAddress {
  /** As in the address of the request. Absent: the current version. */
  readonly version?: string;
}

export interface HistoryRequest extends ResourceAddress {
  /** The most versions on a page. */
  readonly count: number;
  /** The most characters of all texts on a page. A page has at least one version. */
  readonly lengthMax: number;
  /** Only versions written at or after this time; milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Only versions before this one. */
  readonly before?: number;
}

export interface HistoryPage {
  /** Newest first. */
  readonly versions: readonly StoredVersion[];
  /** The number of all versions since `sinceMs`; `before` does not change it. */
  readonly total: number;
  /** Whether there are more, older ones. */
  readonly hasMore: boolean;
}

/** A version with its place in the order of writing, which never changes. */
export interface Change extends StoredVersion {
  readonly type: string;
  /** Opaque: digits and full stops; a hyphen and eight hexadecimal digits can follow. */
  readonly position: string;
}

export interface ChangesPage {
  readonly kind: 'found';
  /** In the order of the request. */
  readonly versions: readonly Change[];
  /** With criteria, also true if the store has looked at as many versions as it may for one page. */
  readonly hasMore: boolean;
  /** The position to go on from: after the page, and after versions that do not match. */
  readonly next: string;
  /**
   * Nothing will be added before this position. A client that has all versions up to it, and then
   * reads those after it, misses none.
   */
  readonly end: string;
}

export type ChangesResult =
  | ChangesPage
  /** The store has no version at this position. */
  | { readonly kind: 'unknown-position' };

export interface PreconditionsRequest extends ResourceAddress {
  readonly preconditions: Preconditions;
}

export interface Creation extends ResourceAddress {
  /** The id must be new: a UUID of version 7. */
  readonly id: string;
  readonly text: UnstampedText;
  /** The values by which searches find the resource. */
  readonly entries: readonly FieldEntry[];
  /** Nothing is created if the current version of a resource of this type matches all of them. */
  readonly ifNoneExist?: Condition;
  readonly limits?: CountLimits;
}

export interface Update extends PreconditionsRequest {
  readonly text: UnstampedText;
  readonly entries: readonly FieldEntry[];
  /** Checked if the update brings a deleted resource back. */
  readonly limits?: CountLimits;
}

/** An update of the resource that matches, or a create if none does. */
export interface ConditionalUpdate extends Update {
  /** For a new resource: a UUID of version 7, which the text has too. */
  readonly id: string;
  /** The id that the client sent. It must be the id of the match. */
  readonly sentId?: string;
  readonly condition: Condition;
}

export type ConditionalUpdateResult =
  | Exclude<UpdateResult, { kind: 'conflict' }>
  /** `id` is the id of the match. */
  | (Conflict & { readonly id: string })
  | TooCostly
  | { readonly kind: 'several'; readonly count: number }
  /** The client sent another id than that of the match, or one although nothing matches. */
  | { readonly kind: 'other-id'; readonly found?: string };

/** What every page of a search has. */
interface PageRequest {
  readonly type: string;
  /** The most matches on the page. 0: only the total is wanted. */
  readonly count: number;
  /** The most characters of all texts on the page. A page has at least one match. */
  readonly lengthMax: number;
  /** The parameters of the search as a query string; for the audit log. */
  readonly parameters: string;
}

export interface SearchStart extends PageRequest {
  readonly criteria: readonly ResourceCriterion[];
  /** Without keys, the newest resource comes first. */
  readonly sort: readonly SortKey[];
  /** The most resources that the narrowest criterion may match. */
  readonly candidatesMax: number;
  /** Links to other pages lead to these matches until then; milliseconds. */
  readonly keepMs: number;
}

/** Another page of a search whose matches were kept under the name `MatchPage.result`. */
export interface SearchContinuation extends PageRequest {
  readonly result: string;
  /** How many matches precede the page: at least so many if it has an end. */
  readonly offset: number;
  /** The page ends before this match. It is filled from there, and begins later if it is long. */
  readonly before?: number | undefined;
}

export type SearchPageRequest = SearchStart | SearchContinuation;

export interface MatchPage {
  readonly kind: 'found';
  /** All matches, as they were when the search began. */
  readonly total: number;
  /** Matches that no longer have content are left out. */
  readonly matches: readonly StoredVersion[];
  /** The name of the kept matches; absent if all of them are on this page. */
  readonly result?: string;
  /** How many matches precede the page. */
  readonly offset: number;
  /** The offset of the next page; absent on the last one. */
  readonly nextOffset?: number;
}

export type RepositorySearchResult =
  | MatchPage
  | TooCostly
  /** The matches have expired. */
  | { readonly kind: 'expired' };

type TransactionMethod = 'create' | 'update' | 'delete' | 'read' | 'findMatch';

export type TransactionCall = {
  [Method in TransactionMethod]: {
    readonly kind: Method;
    readonly args: Parameters<Repository[Method]>;
    /** The resource that other calls refer to. If the call finds another one, nothing is changed. */
    readonly expected?: ExpectedResource;
  };
}[TransactionMethod];

export type TransactionAnswer = {
  [Method in TransactionMethod]: {
    readonly kind: Method;
    readonly value: Awaited<ReturnType<Repository[Method]>>;
  };
}[TransactionMethod];

export type TransactionResult =
  | {
      readonly kind: 'done';
      readonly answers: readonly TransactionAnswer[];
      readonly writes: number;
    }
  /** The call at this index was refused. Nothing was changed, and only it is in the audit log. */
  | { readonly kind: 'failed'; readonly at: number; readonly answer: TransactionAnswer }
  /** Calls found other resources than expected: these. Nothing was changed or recorded. */
  | { readonly kind: 'moved'; readonly resources: readonly MovedResource[] };

/**
 * Each call that takes an `Access` settles after its audit entry is durable, together with the
 * version that it wrote. A call rejects with a `RepositoryError` while the store is unavailable.
 * Nothing is then stored, unless the message says that the outcome is unknown.
 */
export interface Repository {
  create(creation: Creation, access: Access): Promise<CreateResult>;
  /** Stores nothing if one of the preconditions is false for the current version. */
  update(update: Update, access: Access): Promise<UpdateResult>;
  /** Updates the one resource that matches all criteria, or creates one if none does. */
  updateMatching(update: ConditionalUpdate, access: Access): Promise<ConditionalUpdateResult>;
  /** Adds a version without content. Adds none if the current version has no content. */
  delete(deletion: PreconditionsRequest, access: Access): Promise<UpdateResult>;
  /** The current version or the given one; undefined if it does not exist. */
  read(address: VersionAddress, access: Access): Promise<StoredVersion | undefined>;
  /** The current version of the one resource that matches. */
  findMatch(request: MatchRequest, access: Access): Promise<MatchResult>;
  /** Undefined if the resource does not exist. */
  history(request: HistoryRequest, access: Access): Promise<HistoryPage | undefined>;
  /** A page of the current versions that match; or of the audit log, see `audit-event.ts`. */
  search(request: SearchPageRequest, access: Access): Promise<RepositorySearchResult>;
  /**
   * A page of the versions of the types. With `wait`, a request that is `oldest-first` and has a
   * position waits while there is no such version: it needs no thread and no connection meanwhile.
   * A page without versions and more then means that the time is over.
   */
  changes(request: ChangesRequest, access: Access, wait?: ChangesWait): Promise<ChangesResult>;
  /**
   * Finds out whether a write would be refused, and changes nothing. Undefined if the resource
   * does not exist. The audit log gets no entry: the caller records the refusal.
   */
  checkPreconditions(request: PreconditionsRequest): Promise<PreconditionsResult | undefined>;
  /** Makes the calls in their order. If one is refused, nothing is changed; see `transaction.ts`. */
  transact(calls: readonly TransactionCall[]): Promise<TransactionResult>;
  /** Records a request in the audit log that was refused before it reached the repository. */
  recordRefusal(refusal: Refusal, access: Access): Promise<void>;
}

/** The position before the first version. */
export const START_POSITION = '0';

/** A request for the versions of several resources, in the order of their writing. */
export interface ChangesRequest {
  readonly types: readonly string[];
  /** The most versions on a page. */
  readonly count: number;
  /** The most characters of all texts on a page. A page has at least one version. */
  readonly lengthMax: number;
  readonly order: 'newest-first' | 'oldest-first';
  /** Only versions beyond this one in the order. Absent: from the start of the order. */
  readonly position?: string;
  /** Only versions written at or after this time; milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Only versions that match all of these, or that follow one that did; see `change-match.ts`. */
  readonly criteria?: readonly ResourceCriterion[];
}

/** How long a request for changes waits for the first one. */
export interface ChangesWait {
  /** The most milliseconds. */
  readonly ms: number;
  /** When it aborts, the answer is a page without versions. */
  readonly signal?: AbortSignal | undefined;
}
