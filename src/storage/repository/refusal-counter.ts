/** Refusals that are counted in memory by address, so that accesses without a valid token cannot fill the disk. */
import { OTHER_ADDRESSES } from '../../fhir/audit/audit.ts';
import { bounded } from './access-record.ts';
import type {
  OperationOf,
  RepositoryAnswer,
  RepositoryOperation,
  RepositoryResult,
} from './repository-operation.ts';
import { instantText } from './stored-version.ts';
import type { TransactionTables } from './transaction-tables.ts';

export interface RefusalCounter {
  count(address: string, nowMs: number): void;
  /** The counts, if it is time to record them or `isLast`. They start again from zero. */
  take(nowMs: number, isLast: boolean): readonly RefusalCount[];
  /** Counts again the refusals that could not be recorded. */
  restore(earlier: readonly RefusalCount[]): void;
}

export interface RefusalCount {
  readonly address: string;
  readonly count: number;
  /** The time of the first access. */
  readonly fromMs: number;
}

/** The most entries in a minute for an attacker with many addresses. All further addresses share one. */
const ADDRESSES_MAX = 1000;
const PERIOD_MS = 60_000;

export function createRefusalCounter(): RefusalCounter {
  const counts = new Map<string, RefusalCount>();
  let beganMs = 0;
  return {
    count(address, nowMs) {
      if (counts.size === 0) beganMs = nowMs;
      const name = counts.has(address) || counts.size < ADDRESSES_MAX ? address : OTHER_ADDRESSES;
      const { count, fromMs } = counts.get(name) ?? { count: 0, fromMs: nowMs };
      counts.set(name, { address: name, count: count + 1, fromMs });
    },
    take: (nowMs, isLast) => {
      // The absolute value, so that a clock that was set back does not delay the record for long.
      if (!isLast && Math.abs(nowMs - beganMs) < PERIOD_MS) return [];
      const taken = [...counts.values()];
      counts.clear();
      return taken;
    },
    restore: (earlier) => {
      for (const { address, count, fromMs } of earlier) {
        const known = counts.get(address);
        counts.set(address, { address, count: count + (known?.count ?? 0), fromMs });
      }
    },
  };
}

export interface UncountedOperations {
  /** The calls that are no counted refusals. */
  readonly rest: readonly RepositoryOperation[];
  /** Takes the results of these calls, and returns those of all. */
  resultsOf(results: readonly RepositoryResult[]): readonly RepositoryResult[];
}

/** Counts the refusals among the calls. */
export function withoutCounted(
  operations: readonly RepositoryOperation[],
  refusals: RefusalCounter,
  nowMs: number,
): UncountedOperations {
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

/** Adds an entry to the audit log for each of the counts. */
export function appendRefusals(
  tables: Pick<TransactionTables, 'append'>,
  refusals: readonly RefusalCount[],
  nowMs: number,
): void {
  for (const { address, count, fromMs } of refusals) {
    const from = instantText(fromMs);
    tables.append(instantText(nowMs), { outcome: 'unauthenticated', address, count, from });
  }
}

/** Whether it is a refusal that is counted in memory instead of recorded one by one. */
function isCounted(operation: RepositoryOperation): operation is OperationOf<'recordRefusal'> {
  return operation.kind === 'recordRefusal' && operation.args[0].reason === 'unauthenticated';
}

const COUNTED: RepositoryAnswer = { kind: 'recordRefusal', value: undefined };
