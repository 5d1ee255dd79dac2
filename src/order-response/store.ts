/**
 * The store of order responses, as the service needs it. Whatever it answers is on the disk,
 * together with its entry in the audit log, and stays: versions are never changed or removed.
 */
import type { Access } from '../fhir/access.ts';
import type { Preconditions } from '../fhir/preconditions.ts';
import type {
  BusinessIdentifier,
  CreateResult,
  HistoryPage,
  HistoryRequest,
  Refusal,
  RefusedUpdate,
  StoredVersion,
  UpdateResult,
  VersionAddress,
} from '../fhir/versions.ts';

export type {
  BusinessIdentifier,
  CreateResult,
  HistoryPage,
  HistoryRequest,
  Refusal,
  RefusalReason,
  RefusedUpdate,
  StoredVersion,
  UpdateResult,
  VersionAddress,
} from '../fhir/versions.ts';

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
 * Each rejects with an `OrderStoreError` where it cannot be done; nothing is then stored, unless
 * its message says that this is not known.
 */
export interface OrderStore {
  create(creation: Creation, access: Access): Promise<CreateResult>;
  update(update: Update, access: Access): Promise<UpdateResult>;
  /** The current version, or the one that is named; nothing where there is none. */
  read(address: VersionAddress, access: Access): Promise<StoredVersion | undefined>;
  history(request: HistoryRequest, access: Access): Promise<HistoryPage | undefined>;
  /** Records a refused access; see `VersionedType`. */
  refuse(refusal: Refusal, access: Access): Promise<RefusedUpdate | undefined>;
}

/** The store cannot do it now: the disk is full or read-only, or the store is starting again. */
export class OrderStoreError extends Error {
  override readonly name = 'OrderStoreError';
}
