/** Calls of the repository and their results as values, for batches and for messages between threads. */
import type { Access } from '../../fhir/audit/audit.ts';
import type { Repository } from '../../fhir/stored/repository.ts';
import type { SavedDelivery } from '../../orders/subscriptions/delivery-store.ts';
import type { FoundChanges, FoundSearch } from './reader-answers.ts';

/** What the storage thread does. Other threads run searches and read changes, which it only records. */
interface StorageMethods extends Omit<Repository, ReaderMethod> {
  /** Records a search in the audit log, and keeps its matches for the links of its pages. */
  recordSearch(search: FoundSearch, access: Access): Promise<void>;
  /** Records in the audit log what a client got of the changes. */
  recordChanges(changes: FoundChanges, access: Access): Promise<void>;
  /** Stores how far subscriptions are. The audit log gets no entry. */
  saveDeliveries(states: readonly SavedDelivery[]): Promise<void>;
}

type ReaderMethod = 'search' | 'changes';

export type StorageCall = keyof StorageMethods;

export const STORAGE_CALLS: readonly StorageCall[] = [
  'create',
  'update',
  'updateMatching',
  'delete',
  'read',
  'history',
  'transact',
  'findMatch',
  'checkPreconditions',
  'recordRefusal',
  'recordSearch',
  'recordChanges',
  'saveDeliveries',
];

/** A call of the method `kind`. */
export interface OperationOf<Kind extends StorageCall> {
  readonly kind: Kind;
  readonly args: Parameters<StorageMethods[Kind]>;
}

/** The value that the promise of the method resolves to. */
export type ValueOf<Kind extends StorageCall> = Awaited<ReturnType<StorageMethods[Kind]>>;

export interface AnswerOf<Kind extends StorageCall> {
  readonly kind: Kind;
  readonly value: ValueOf<Kind>;
}

export type RepositoryOperation = { [Kind in StorageCall]: OperationOf<Kind> }[StorageCall];

export type RepositoryAnswer = { [Kind in StorageCall]: AnswerOf<Kind> }[StorageCall];

export type RepositoryResult =
  | RepositoryAnswer
  /** The store is unavailable. The message is for the client and says whether it stored anything. */
  | { readonly kind: 'unavailable'; readonly message: string }
  /** The server failed. */
  | { readonly kind: 'fault'; readonly message: string };

/** From a server thread: calls of the store, in the order that they were made. */
export interface RepositoryCalls {
  /** The number of the first call; the others follow. */
  readonly first: number;
  readonly operations: readonly RepositoryOperation[];
}

/** To a server thread: results of some of its calls. */
export interface RepositoryReturns {
  readonly numbers: readonly number[];
  readonly results: readonly RepositoryResult[];
  /** When the batch ran, if that is recorded. */
  readonly batch?: BatchTimes | undefined;
}

/** The transaction of a batch, in milliseconds since 1970. */
export interface BatchTimes {
  readonly startMs: number;
  readonly endMs: number;
  /** The number of its calls. */
  readonly calls: number;
}
