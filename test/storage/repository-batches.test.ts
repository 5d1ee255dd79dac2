/** Batches of calls from several server threads: what each gets back, and what ends a batch. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRepositoryBatches } from '../../src/storage/repository/repository-batches.ts';
import type {
  RepositoryOperation,
  RepositoryResult,
  RepositoryReturns,
} from '../../src/storage/repository/repository-operation.ts';
import { ACCESS } from './repository.contract.ts';
import { readOperation } from './repository-place.ts';

/** Results that tell which id was read. */
function run(operations: readonly RepositoryOperation[]): RepositoryResult[] {
  return operations.map((operation) => ({
    kind: 'unavailable',
    message: operation.kind === 'read' ? operation.args[0].id : '',
  }));
}

function callerThat(accepts: (returns: RepositoryReturns) => boolean) {
  const got = new Map<number, RepositoryResult | undefined>();
  const postMessage = (returns: RepositoryReturns) => {
    if (!accepts(returns)) throw new DOMException('too large', 'DataCloneError');
    for (const [at, number] of returns.numbers.entries()) got.set(number, returns.results[at]);
  };
  return { got, postMessage };
}

it('a result that cannot be handed over is a fault for its call alone', () => {
  const ids = (returns: RepositoryReturns) =>
    returns.results.map((result) => 'message' in result && result.message);
  const frail = callerThat((returns) => !ids(returns).includes('b'));
  const sound = callerThat(() => true);
  const batches = createRepositoryBatches(run);
  batches.add(frail, 0, [readOperation('a'), readOperation('b'), readOperation('c')]);
  batches.add(sound, 0, [readOperation('b')]);
  batches.flush();
  assert.deepEqual(
    [...frail.got],
    [
      [0, { kind: 'unavailable', message: 'a' }],
      [
        1,
        {
          kind: 'fault',
          message: 'the call was committed, but its result cannot be sent: too large',
        },
      ],
      [2, { kind: 'unavailable', message: 'c' }],
    ],
  );
  assert.deepEqual([...sound.got], [[0, { kind: 'unavailable', message: 'b' }]]);
});

it('a batch holds few histories whose pages may be long', () => {
  const history = (lengthMax: number): RepositoryOperation => ({
    kind: 'history',
    args: [{ type: 'OrderResponse', id: 'a', count: 20, lengthMax }, ACCESS],
  });
  const sizesWith = (lengthMax: number) => {
    const sizes: number[] = [];
    const batches = createRepositoryBatches((operations) => {
      sizes.push(operations.length);
      return run(operations);
    });
    const caller = callerThat(() => true);
    batches.add(
      caller,
      0,
      Array.from({ length: 40 }, () => history(lengthMax)),
    );
    batches.flush();
    return sizes;
  };
  assert.deepEqual(sizesWith(1000), [40]);
  assert.deepEqual(sizesWith(4 * 1024 * 1024), Array(10).fill(4));
});

for (const many of [3, 30]) {
  it(`a call alone is answered although ${many} came together before`, async () => {
    const sizes: number[] = [];
    const batches = createRepositoryBatches((operations) => {
      sizes.push(operations.length);
      return run(operations);
    });
    for (const size of [many, 1]) {
      const { promise: answered, resolve: postMessage } =
        Promise.withResolvers<RepositoryReturns>();
      const operations = Array.from({ length: size }, () => readOperation('a'));
      batches.add({ postMessage }, 0, operations);
      assert.equal((await answered).results.length, size);
    }
    assert.deepEqual(sizes, [many, 1]);
  });
}
