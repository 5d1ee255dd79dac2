/** Calls of the repository and their results as values, for batches and for messages between threads. */
import type { Repository } from '../fhir/repository.ts';

type Name = keyof Repository;

/** A call of the method `kind`. */
export interface OperationOf<Kind extends Name> {
  readonly kind: Kind;
  readonly args: Parameters<Repository[Kind]>;
}

/** The value that the promise of the method resolves to. */
export type ValueOf<Kind extends Name> = Awaited<ReturnType<Repository[Kind]>>;

export interface AnswerOf<Kind extends Name> {
  readonly kind: Kind;
  readonly value: ValueOf<Kind>;
}

export type RepositoryOperation = { [Kind in Name]: OperationOf<Kind> }[Name];

export type RepositoryAnswer = { [Kind in Name]: AnswerOf<Kind> }[Name];

export type RepositoryResult =
  | RepositoryAnswer
  /** The store is unavailable. The message is for the client and says whether it stored anything. */
  | { readonly kind: 'unavailable'; readonly message: string }
  /** The server failed. */
  | { readonly kind: 'fault'; readonly message: string };
