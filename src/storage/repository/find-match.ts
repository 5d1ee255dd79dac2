/** Finds the one resource that a conditional reference means. */
import type { AuditRecord } from '../../fhir/audit/audit.ts';
import type { MatchRequest, MatchResult } from '../../fhir/stored/match.ts';
import type { StoredVersion } from '../../fhir/stored/repository.ts';
import { type SearchingAccess, searchedBy } from './access-record.ts';
import type { TransactionTables } from './transaction-tables.ts';

interface FoundMatch extends Required<Pick<SearchingAccess, 'searched'>> {
  readonly result: MatchResult;
  /** For the audit log. */
  readonly record: Omit<AuditRecord, 'address'>;
}

export function findMatch(
  { type, condition }: MatchRequest,
  tables: Pick<TransactionTables, 'matching' | 'current'>,
): FoundMatch {
  const found = tables.matching(type, condition.criteria);
  const [id, ...others] = found ?? [];
  const isOne = id !== undefined && others.length === 0;
  const result = resultOf(found, isOne ? tables.current({ type, id }) : undefined);
  const { searched } = searchedBy(condition, type, found);
  return {
    result,
    record: {
      outcome: result.kind === 'too-costly' ? 'invalid' : result.kind,
      resourceType: type,
      count: found?.length ?? 0,
      resources: searched.resources,
    },
    searched,
  };
}

/** `found`: the ids of all matches. `match`: the current version of the only one. */
function resultOf(
  found: readonly string[] | undefined,
  match: StoredVersion | undefined,
): MatchResult {
  if (found === undefined) return { kind: 'too-costly' };
  if (found.length > 1) return { kind: 'several', count: found.length };
  if (match === undefined) return { kind: 'absent' };
  return { kind: 'found', id: match.id, version: match.version };
}
