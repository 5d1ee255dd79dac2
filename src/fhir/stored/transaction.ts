/** The calls of a transaction: how a store runs them, and which results refuse the transaction. */
import type { ExpectedResource, MovedResource } from './match.ts';
import type { TransactionAnswer, TransactionCall, TransactionResult } from './repository.ts';

/**
 * Runs the calls until one is refused. Calls that find another resource than expected do not end
 * the run, so that the caller learns about all of them at once.
 *
 * @param run one call, in the transaction of the store
 */
export function runCalls(
  calls: readonly TransactionCall[],
  run: (call: TransactionCall) => TransactionAnswer,
): TransactionResult {
  const answers: TransactionAnswer[] = [];
  const moved: MovedResource[] = [];
  for (const [at, call] of calls.entries()) {
    const answer = run(call);
    if (isRefused(call, answer)) {
      // With the right references, the call may succeed.
      if (moved.length > 0) return { kind: 'moved', resources: moved };
      return { kind: 'failed', at, answer };
    }
    const found = resourceOf(answer);
    if (found !== undefined && !isExpected(found, call.expected)) moved.push({ at, ...found });
    answers.push(answer);
  }
  if (moved.length > 0) return { kind: 'moved', resources: moved };
  return { kind: 'done', answers, writes: answers.filter(isWrite).length };
}

/** The resource that other calls can refer to, in the version that the call wrote or found. */
function resourceOf({ kind, value }: TransactionAnswer): Required<ExpectedResource> | undefined {
  if (kind === 'findMatch') {
    return value.kind === 'found' ? { id: value.id, version: value.version } : undefined;
  }
  if (kind !== 'create' && kind !== 'update') return undefined;
  if (!('stored' in value)) return undefined;
  return { id: value.stored.id, version: value.stored.version };
}

function isExpected(
  found: Required<ExpectedResource>,
  expected: ExpectedResource | undefined,
): boolean {
  if (expected === undefined) return true;
  const { id, version = found.version } = expected;
  return found.id === id && found.version === version;
}

function isWrite({ kind, value }: TransactionAnswer): boolean {
  return kind !== 'read' && value.kind === 'stored';
}

/** Whether the interaction that made the call answers this result with an error. */
function isRefused(call: TransactionCall, answer: TransactionAnswer): boolean {
  switch (answer.kind) {
    case 'create':
      return answer.value.kind !== 'stored' && answer.value.kind !== 'exists';
    case 'update':
      return answer.value.kind !== 'stored';
    case 'delete':
      if (answer.value.kind === 'absent') {
        return call.kind === 'delete' && call.args[0].preconditions.ifMatch !== undefined;
      }
      return answer.value.kind !== 'stored';
    case 'findMatch':
      return answer.value.kind !== 'found';
    case 'read':
      return answer.value?.text === undefined;
  }
}
