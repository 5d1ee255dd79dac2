/** Resources that clients write, version by version: what interactions ask of a service. */
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
