/** What the store of order responses is asked and answers, as values: for batches and for threads. */
import type { Access } from '../fhir/access.ts';
import type {
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
} from '../fhir/repository.ts';

/** A call of the port `Repository`. */
export type RepositoryOperation =
  | { readonly kind: 'create'; readonly creation: Creation; readonly access: Access }
  | { readonly kind: 'update'; readonly update: Update; readonly access: Access }
  | { readonly kind: 'read'; readonly address: VersionAddress; readonly access: Access }
  | { readonly kind: 'history'; readonly request: HistoryRequest; readonly access: Access }
  | { readonly kind: 'check-preconditions'; readonly request: PreconditionsRequest }
  | { readonly kind: 'record-refusal'; readonly refusal: Refusal; readonly access: Access };

export type RepositoryAnswer =
  | { readonly kind: 'create'; readonly value: CreateResult }
  | { readonly kind: 'update'; readonly value: UpdateResult }
  | { readonly kind: 'read'; readonly value: StoredVersion | undefined }
  | { readonly kind: 'history'; readonly value: HistoryPage | undefined }
  | { readonly kind: 'check-preconditions'; readonly value: PreconditionsResult | undefined }
  | { readonly kind: 'record-refusal'; readonly value: undefined };

export type RepositoryResult =
  | RepositoryAnswer
  /** It cannot be done now, for a reason that a client may know; says whether it was stored. */
  | { readonly kind: 'unavailable'; readonly message: string }
  /** A fault of ours. */
  | { readonly kind: 'fault'; readonly message: string };
