/** Refusals that are counted in memory: how a store separates them from its other calls. */
import type { AuditRecord } from '../../fhir/audit/audit.ts';
import { bounded } from '../repository/access-record.ts';
import type {
  OperationOf,
  RepositoryAnswer,
  RepositoryOperation,
  RepositoryResult,
} from '../repository/repository-operation.ts';
import { instantText } from '../repository/stored-version.ts';
import type { RefusalCount, RefusalCounter } from './refusal-counter.ts';

/** Counts these refusals. `resultsOf` takes the results of the other calls, and returns those of all. */
export function withoutCounted(
  operations: readonly RepositoryOperation[],
  refusals: RefusalCounter,
  nowMs: number,
) {
  const rest: RepositoryOperation[] = [];
  for (const operation of operations) {
    if (isCounted(operation)) refusals.count(bounded(operation.args[1].address), nowMs);
    else rest.push(operation);
  }
  const resultsOf = (results: readonly RepositoryResult[]): readonly RepositoryResult[] => {
    if (rest.length === operations.length) return results;
    const next = results.values();
    return operations.map((operation) =>
      isCounted(operation) ? COUNTED : (next.next().value ?? COUNTED),
    );
  };
  return { rest, resultsOf };
}

export function refusalCountRecord({ address, count, fromMs }: RefusalCount): AuditRecord {
  return { outcome: 'unauthenticated', address, count, from: instantText(fromMs) };
}

/** Whether it is a refusal that is counted in memory instead of recorded one by one. */
function isCounted(operation: RepositoryOperation): operation is OperationOf<'recordRefusal'> {
  return operation.kind === 'recordRefusal' && operation.args[0].reason === 'unauthenticated';
}

const COUNTED: RepositoryAnswer = { kind: 'recordRefusal', value: undefined };
