/** A type whose resources a repository has, and the service's rules for those that clients write. */

import type { Identity } from '../audit/audit.ts';
import type { Limits } from '../format/limits.ts';
import type { Resource } from '../format/resource.ts';
import type { Finding } from '../request/finding.ts';
import type { ResourceSearch } from '../search/resource-search.ts';
import type { CountRule } from './count-limits.ts';
import type { Repository } from './repository.ts';

export interface StoredType {
  readonly repository: Repository;
  /** What its resources can be found by. */
  readonly search: ResourceSearch;
  /** Absent: clients only read the type. */
  readonly writing?: WriteRules;
}

/** The rules of a type that clients write. */
export interface WriteRules {
  readonly limits: Partial<Limits>;
  /** Whether an update must send If-Match. */
  readonly requiresIfMatch: boolean;
  /** Whether only the client that created a resource may change it. */
  readonly requiresCreator: boolean;
  /**
   * Checks the rules of the service for a complete resource, in addition to those of FHIR. `isNew`:
   * the address names no resource that it replaces.
   */
  readonly review?: (resource: Resource, isNew: boolean) => Review;
  /**
   * Changes a valid resource before it is stored under the id. Rejects with a FhirError if this
   * client may not store it.
   */
  readonly prepare?: (resource: Resource, id: string, writer: Writer) => Promise<Resource>;
  /** Absent: clients can create any number. */
  readonly countRule?: CountRule;
  /** Makes the id of a new resource. */
  readonly newId: () => string;
}

/** The client that writes a resource. */
export interface Writer {
  /** Undefined if the service asks for no token. */
  readonly identity: Identity | undefined;
  /** Whether it may read a type. Rejects if the token cannot be checked now. */
  mayRead(type: string): Promise<boolean>;
  /** The resource that it replaces. Undefined if it is new, was deleted or was erased. */
  current(): Promise<Resource | undefined>;
}

/** The result of a service's own rules: findings refuse a resource, warnings do not. */
export interface Review {
  readonly findings: readonly Finding[];
  /** Sentences. */
  readonly warnings: readonly string[];
}
