/**
 * From calls to their results, in every kind of store: counts refusals, and finds the call at which
 * a transaction fails. Its methods are generators that yield each transaction, because SQLite runs
 * it at once, and PostgreSQL later.
 */
import { StorageError } from '../files/storage-error.ts';
import { UNAVAILABLE } from '../files/unavailable.ts';
import { createRefusalCounter, type RefusalCount, withoutCounted } from './refusal-counter.ts';
import type { RepositoryOperation, RepositoryResult } from './repository-operation.ts';

/** A transaction: it records the counted refusals, and then runs the calls. */
export interface Batch {
  readonly operations: readonly RepositoryOperation[];
  readonly refusals: readonly RefusalCount[];
}

/** A result for each call, or why nothing was committed. */
export type BatchOutcome = readonly RepositoryResult[] | BatchFailure;

export interface BatchFailure {
  readonly error: Error;
  /** The text for clients, if the store failed. Undefined: a call failed. */
  readonly unavailable: string | undefined;
}

/** Yields transactions to run, and is resumed with the outcome of each. Ends with `Result`. */
export type BatchSteps<Result> = Generator<Batch, Result, BatchOutcome>;

export interface BatchRunnerOptions {
  readonly now: () => Date;
  /** Called with the reason of each failure that becomes a result. */
  readonly onFault: (fault: Error) => void;
}

export class BatchRunner {
  readonly #refusals = createRefusalCounter();
  readonly #options: BatchRunnerOptions;

  constructor(options: BatchRunnerOptions) {
    this.#options = options;
  }

  /** Ends with a result for each operation, in their order. */
  *run(operations: readonly RepositoryOperation[]): BatchSteps<readonly RepositoryResult[]> {
    const { rest, resultsOf } = withoutCounted(operations, this.#refusals, this.#nowMs());
    return resultsOf(rest.length === 0 ? [] : yield* this.#runOrFail(rest));
  }

  /** Records the counted refusals if it is time or `isLast`. If that fails, they stay counted. */
  *recordRefusals({ isLast = false } = {}): BatchSteps<void> {
    const refusals = this.#refusals.take(this.#nowMs(), isLast);
    if (refusals.length > 0) yield* this.#runOrFail([], refusals);
  }

  *#runOrFail(
    operations: readonly RepositoryOperation[],
    refusals = this.#refusals.take(this.#nowMs(), false),
  ): BatchSteps<readonly RepositoryResult[]> {
    const outcome = yield { operations, refusals };
    if (!('error' in outcome)) return outcome;
    this.#refusals.restore(refusals);
    const { error, unavailable } = outcome;
    if (unavailable === undefined && operations.length > 1) {
      // One of them is at fault: the others succeed on their own.
      const results: RepositoryResult[] = [];
      for (const operation of operations) results.push(...(yield* this.#runOrFail([operation])));
      return results;
    }
    this.#options.onFault(error);
    const failure: RepositoryResult =
      unavailable === undefined
        ? { kind: 'fault', message: error.message }
        : { kind: 'unavailable', message: unavailable };
    return operations.map(() => failure);
  }

  #nowMs(): number {
    return this.#options.now().getTime();
  }
}

/** Why a transaction failed. The store failed if `fault` is a `StorageError`. */
export function batchFailure(fault: unknown): BatchFailure {
  const error = fault instanceof Error ? fault : new Error(String(fault));
  const unavailable = error instanceof StorageError ? UNAVAILABLE[error.kind] : undefined;
  return { error, unavailable };
}
