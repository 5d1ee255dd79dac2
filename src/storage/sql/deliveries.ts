/** How far the deliveries of subscriptions are, in every kind of store. */
import type { DeliveryState } from '../../subscriptions/delivery-store.ts';
import { all, type SqlSteps, sql } from './statement.ts';

export interface DeliveriesAnswer {
  readonly kind: 'deliveries';
  readonly result: { readonly kind: 'states'; readonly states: readonly DeliveryState[] };
}

export function* readDeliveries(): SqlSteps<DeliveriesAnswer> {
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
