/** The repository of resources that clients write: every store of them implements this port. */
import type { Access } from './access.ts';
import type { Finding } from './finding.ts';
import type { Limits } from './format/limits.ts';
import type { Resource } from './format/resource.ts';
import type { PreconditionHeader, Preconditions } from './preconditions.ts';

/** One version of a resource; it never changes. */
export interface StoredVersion {
  readonly id: string;
  /** From 1, without gaps. */
  readonly version: number;
  /** `2026-11-21T09:30:00.123+00:00`; never before that of an earlier version of the resource. */
  readonly writtenAt: string;
  /** How it came: POST made the resource, PUT updated it. */
  readonly method: 'POST' | 'PUT';
  /** The whole resource in JSON, `id`, `meta.versionId` and `meta.lastUpdated` included. */
  readonly text: string;
}

/** A business identifier of a resource, both parts as they were sent. */
export interface BusinessIdentifier {
  readonly system: string;
  readonly value: string;
}

export type CreateResult =
  | { readonly kind: 'stored'; readonly stored: StoredVersion }
  /** `ifNoneExist` found one: its current version. */
  | { readonly kind: 'exists'; readonly stored: StoredVersion }
  /** `ifNoneExist` found more than one. */
  | { readonly kind: 'several'; readonly count: number };

export type UpdateResult =
  | { readonly kind: 'stored'; readonly stored: StoredVersion }
  | { readonly kind: 'absent' }
  /** A precondition is false for the current version. */
  | {
      readonly kind: 'conflict';
      readonly header: PreconditionHeader;
      readonly currentVersion: number;
    };

export interface VersionAddress {
  readonly id: string;
  /** As in the address of the request; absent: the current one. */
  readonly version?: string;
}

export interface HistoryRequest {
  readonly id: string;
  readonly count: number;
  /** Characters of their texts in all, from which on a page ends; it has one version at least. */
  readonly lengthMax: number;
  /** Versions written at or after this; milliseconds since 1970. */
  readonly sinceMs?: number;
  /** Versions before this one. */
  readonly before?: number;
}

export interface HistoryPage {
  /** Newest first. */
  readonly versions: readonly StoredVersion[];
  /** Of all versions since `sinceMs`, whatever `before`. */
  readonly total: number;
  /** Whether there are more, older ones. */
  readonly hasMore: boolean;
}

/** Why an access was refused before the store was asked. */
export type RefusalReason =
  /** No token, or none that holds. */
  | 'unauthenticated'
  /** A valid token without the scope. */
  | 'forbidden'
  /** A request or a body that breaks a rule. */
  | 'invalid'
  /** A fault of ours. */
  | 'fault';

export interface Refusal extends Partial<VersionAddress> {
  readonly reason: RefusalReason;
  /** Of an update: what has to hold of the current version. */
  readonly preconditions?: Preconditions;
}

/** The version that a refused update would have replaced. */
export interface RefusedUpdate {
  readonly currentVersion: number;
  /** The first precondition that does not hold of it. */
  readonly header?: PreconditionHeader | undefined;
}

/**
 * The JSON text of a resource, but for its version and date, which the store gives it:
 * `start` ends within `"versionId":"`, `end` begins after the date. See `stampText`.
 */
export interface UnstampedText {
  readonly start: string;
  readonly end: string;
}

/** The text as it is stored and read; `writtenAt` is an instant in UTC with milliseconds. */
export function stampText(
  { start, end }: UnstampedText,
  version: number,
  writtenAt: string,
): string {
  return `${start}${version}","lastUpdated":"${writtenAt}${end}`;
}

/** The page that a request gets of the versions that it asks for, which are read no further than needed. */
export function historyPage(
  newestFirst: Iterable<StoredVersion>,
  { count, lengthMax }: Pick<HistoryRequest, 'count' | 'lengthMax'>,
  total: number,
): HistoryPage {
  const versions: StoredVersion[] = [];
  let length = 0;
  for (const stored of newestFirst) {
    length += stored.text.length;
    if (versions.length === count || (versions.length > 0 && length > lengthMax)) {
      return { versions, total, hasMore: true };
    }
    versions.push(stored);
  }
  return { versions, total, hasMore: false };
}

export interface Creation {
  /** Never used before: a UUID of version 7. */
  readonly id: string;
  readonly text: UnstampedText;
  readonly identifiers: readonly BusinessIdentifier[];
  /** Nothing is created where a current version has this identifier. */
  readonly ifNoneExist?: BusinessIdentifier;
}

export interface Update {
  readonly id: string;
  readonly text: UnstampedText;
  readonly identifiers: readonly BusinessIdentifier[];
  /** Nothing is stored where one of them is false for the current version. */
  readonly preconditions: Preconditions;
}

/**
 * Each rejects with an `RepositoryError` where it cannot be done; nothing is then stored, unless
 * its message says that this is not known.
 */
export interface Repository {
  create(creation: Creation, access: Access): Promise<CreateResult>;
  update(update: Update, access: Access): Promise<UpdateResult>;
  /** The current version, or the one that is named; nothing where there is none. */
  read(address: VersionAddress, access: Access): Promise<StoredVersion | undefined>;
  history(request: HistoryRequest, access: Access): Promise<HistoryPage | undefined>;
  /** Records a refused request; see `VersionedType`. */
  refuse(refusal: Refusal, access: Access): Promise<RefusedUpdate | undefined>;
}

/** The store cannot do it now: the disk is full or read-only, or the store is starting again. */
export class RepositoryError extends Error {
  override readonly name = 'RepositoryError';
}

/** What is wrong with a resource beyond its FHIR version's rules, and what is only to be told. */
export interface Review {
  readonly findings: readonly Finding[];
  /** Sentences. */
  readonly warnings: readonly string[];
}

/**
 * What can be done with the versions of a type. What is answered is on the disk, together with its
 * entry in the audit log. Rejects with a FhirError where that cannot be done; nothing is then
 * stored, unless it says that this is not known.
 */
export interface VersionedType {
  readonly limits: Partial<Limits>;
  /** Whether an update has to say which version it is of. */
  readonly demandsIfMatch: boolean;
  readonly review: (resource: Resource) => Review;
  readonly create: (
    resource: Resource,
    ifNoneExist: BusinessIdentifier | undefined,
    access: Access,
  ) => Promise<CreateResult>;
  readonly update: (
    id: string,
    resource: Resource,
    preconditions: Preconditions,
    access: Access,
  ) => Promise<UpdateResult>;
  readonly read: (address: VersionAddress, access: Access) => Promise<StoredVersion | undefined>;
  readonly history: (request: HistoryRequest, access: Access) => Promise<HistoryPage | undefined>;
  /**
   * Records a refused access. Brings what an update with preconditions was about, if there is such
   * a resource.
   */
  readonly refuse: (refusal: Refusal, access: Access) => Promise<RefusedUpdate | undefined>;
}
