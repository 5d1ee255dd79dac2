/** What a reader thread does for each kind of call, in every kind of store. */
import type { ReaderAnswer, ReaderCall } from '../threads/reader-answers.ts';
import { readChanges, readFacts } from './change-feed.ts';
import { readDeliveries } from './deliveries.ts';
import type { SqlDialect } from './dialect.ts';
import type { FieldKeys } from './search.ts';
import { answerSearch } from './search-page.ts';
import type { SqlSteps } from './statement.ts';

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
  }
}
