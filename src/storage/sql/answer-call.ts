/** What a reader thread does for each kind of call, in every kind of store. */

import type {
  CurrentAnswer,
  DeliveriesAnswer,
  ReaderAnswer,
  ReaderCall,
} from '../repository/reader-answers.ts';
import { all, type SqlSteps, sql } from '../repository/statement.ts';
import { NO_CONTENT } from '../repository/stored-version.ts';
import { readChanges, readFacts } from './change-feed.ts';
import type { SqlDialect } from './dialect.ts';
import type { FieldKeys } from './search.ts';
import { answerSearch } from './search-page.ts';

/** Run it in a transaction with one snapshot. `nowMs` decides which kept searches have expired. */
export function answerCall(
  dialect: SqlDialect,
  fields: FieldKeys,
  call: ReaderCall,
  nowMs: number,
): SqlSteps<ReaderAnswer> {
  switch (call.kind) {
    case 'search':
      return answerSearch(dialect, fields, call.request, nowMs);
    case 'changes':
      return readChanges(dialect, call.request);
    case 'facts':
      return readFacts(dialect, call.request);
    case 'deliveries':
      return readDeliveries();
    case 'current':
      return readCurrent(call.type);
  }
}

function* readDeliveries(): SqlSteps<DeliveriesAnswer> {
  const rows = yield* all(
    sql`SELECT subscription, position, written_at, failing_since, problem
      FROM subscription_delivery ORDER BY subscription`,
  );
  return {
    kind: 'deliveries',
    result: {
      kind: 'states',
      states: rows.map((row) => ({
        subscription: String(row.subscription),
        position: String(row.position),
        writtenAt: String(row.written_at),
        failingSinceMs: row.failing_since === null ? null : Number(row.failing_since),
        problem: String(row.problem),
      })),
    },
  };
}

function* readCurrent(type: string): SqlSteps<CurrentAnswer> {
  const rows = yield* all(
    sql`SELECT r.id, r.current_version FROM resource AS r
      JOIN resource_version AS v ON v.resource = r.key AND v.version = r.current_version
      WHERE r.resource_type = ${type} AND v.text <> ${NO_CONTENT}`,
  );
  const current = rows.map((row) => ({
    id: String(row.id),
    version: Number(row.current_version),
  }));
  return { kind: 'current', result: { kind: 'current', current } };
}
