/** The calls of a transaction: how a store runs them, and which results refuse the transaction. */
import type { TransactionAnswer, TransactionCall, TransactionResult } from './repository.ts';

/**
 * Runs the calls until one is refused. Creates that find another id than expected do not end the
 * run, so that the caller learns about all of them at once.
 *
 * @param run one call, in the transaction of the store
 */
export function runCalls(
  calls: readonly TransactionCall[],
  run: (call: TransactionCall) => TransactionAnswer,
): TransactionResult {
  const answers: TransactionAnswer[] = [];
  const moved: { at: number; id: string }[] = [];
  for (const [at, call] of calls.entries()) {
    const answer = run(call);
    if (isRefused(call, answer)) {
      // With the right ids, the call may succeed.
      return moved.length > 0 ? { kind: 'moved', ids: moved } : { kind: 'failed', at, answer };
    }
    const id = idOf(answer);
    if (call.expectedId !== undefined && id !== undefined && id !== call.expectedId) {
      moved.push({ at, id });
    }
    answers.push(answer);
  }
  if (moved.length > 0) return { kind: 'moved', ids: moved };
  return { kind: 'done', answers, writes: answers.filter(isWrite).length };
}

function idOf({ kind, value }: TransactionAnswer): string | undefined {
  return kind === 'create' && 'stored' in value ? value.stored.id : undefined;
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
    case 'read':
      return answer.value?.text === undefined;
  }
}
