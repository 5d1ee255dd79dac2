/** The calls of a transaction, and what a repository answers to all of them. */
import type { Repository } from './repository.ts';

type TransactionMethod = 'create' | 'update' | 'delete' | 'read' | 'findMatch';

export type TransactionCall = {
  [Method in TransactionMethod]: {
    readonly kind: Method;
    readonly args: Parameters<Repository[Method]>;
    /** The resource that other calls refer to. If the call finds another one, nothing is changed. */
    readonly expected?: ExpectedResource;
  };
}[TransactionMethod];

export interface ExpectedResource {
  readonly id: string;
  /** Absent: any version. */
  readonly version?: number;
}

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
  | FailedTransaction
  /** Calls found other resources than expected: these. Nothing was changed or recorded. */
  | { readonly kind: 'moved'; readonly resources: readonly MovedResource[] };

/** The call at this index was refused. Nothing was changed, and only it is in the audit log. */
export interface FailedTransaction {
  readonly kind: 'failed';
  readonly at: number;
  readonly answer: TransactionAnswer;
}

export interface MovedResource extends Required<ExpectedResource> {
  /** The index of the call. */
  readonly at: number;
}
