/** How a failed batch is run again in parts, and how refusals wait, in every kind of store. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StorageError } from '../../src/storage/files/storage-error.ts';
import {
  type Batch,
  type BatchOutcome,
  BatchRunner,
  type BatchSteps,
  batchFailure,
} from '../../src/storage/repository/batch-runner.ts';
import type { RepositoryOperation } from '../../src/storage/repository/repository-operation.ts';

const ACCESS = { address: '192.0.2.1', requestId: 'r-1', interaction: 'read' } as const;
const refusal: RepositoryOperation = {
  kind: 'recordRefusal',
  args: [{ reason: 'unauthenticated', type: 'OrderResponse' }, ACCESS],
};
const reads = ['a', 'b', 'c'].map(
  (id): RepositoryOperation => ({ kind: 'read', args: [{ type: 'OrderResponse', id }, ACCESS] }),
);
const done = ({ operations }: Batch): BatchOutcome =>
  operations.map(() => ({ kind: 'read', value: undefined }));
const isOfB = (operation: RepositoryOperation) => operation === reads[1];
const failAtB = (batch: Batch) =>
  batch.operations.some(isOfB) ? batchFailure(new Error('b is at fault')) : done(batch);

/** Runs the steps with `commit`. Returns their result, and the sizes of the transactions. */
function finish<Result>(steps: BatchSteps<Result>, commit: (batch: Batch) => BatchOutcome) {
  const sizes: string[] = [];
  let next = steps.next([]);
  while (!next.done) {
    const { operations, refusals } = next.value;
    sizes.push(
      `${operations.length} calls, ${refusals.reduce((sum, { count }) => sum + count, 0)}`,
    );
    next = steps.next(commit(next.value));
  }
  return { result: next.value, sizes };
}

describe('the runner of batches', () => {
  let clockMs = 0;
  const faults: string[] = [];
  const create = () => {
    clockMs = 1_000_000;
    faults.length = 0;
    return new BatchRunner({
      now: () => new Date(clockMs),
      onFault: ({ message }) => faults.push(message),
    });
  };

  it('runs the calls one by one if one of them fails, and reports only that one', () => {
    const { result, sizes } = finish(create().run(reads), failAtB);
    assert.deepEqual(
      result.map(({ kind }) => kind),
      ['read', 'fault', 'read'],
    );
    assert.deepEqual(sizes, ['3 calls, 0', '1 calls, 0', '1 calls, 0', '1 calls, 0']);
    assert.deepEqual(faults, ['b is at fault']);
  });

  it('does not try the calls again if the store fails', () => {
    const full = batchFailure(new StorageError('full', 'orders.db: there is no space left'));
    const { result, sizes } = finish(create().run(reads), () => full);
    assert.deepEqual(
      result.map(({ kind }) => kind),
      ['unavailable', 'unavailable', 'unavailable'],
    );
    assert.deepEqual(sizes, ['3 calls, 0']);
    assert.deepEqual(faults, ['orders.db: there is no space left']);
  });

  it('records refusals with the calls after a minute, and until a transaction succeeds', () => {
    const runner = create();
    assert.deepEqual(finish(runner.run([refusal, refusal]), done).sizes, []);
    assert.deepEqual(finish(runner.recordRefusals(), done).sizes, []);
    clockMs += 60_000;
    const first = finish(runner.run(reads.slice(1)), failAtB);
    assert.deepEqual(first.sizes, ['2 calls, 2', '1 calls, 2', '1 calls, 2']);
    assert.deepEqual(finish(runner.recordRefusals({ isLast: true }), done).sizes, []);
  });
});
