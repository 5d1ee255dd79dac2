/** Places of contract suites for what commands do with a store: erase, hold, verify, export, move. */
import type { Repository } from '../../src/fhir/stored/repository.ts';
import type { DeliveryStore } from '../../src/orders/subscriptions/delivery-store.ts';
import type { Store } from '../../src/storage/store/store.ts';
import { ACCESS, type AuditedPlace, TYPE } from './repository.contract.ts';

export interface StorePlace extends AuditedPlace {
  readonly store: Repository & Pick<DeliveryStore, 'currentSubscriptions'>;
  /** What commands use, while the repository of the place writes. */
  readonly commands: Store;
  /** Changes rows as somebody does who has the database and knows SQL: no trigger refuses it. */
  tamper(sql: string): Promise<void>;
  /** Fills the search index if it is of other parameters, as the program does after an upgrade. */
  refill(): Promise<void>;
  /** Another store of the same kind without anything in it, which is removed with the place. */
  emptyStore(): Promise<Store>;
}

/** Searches as a server does, so that the audit log has an entry with the parameters. */
export async function searchFor(
  store: Repository,
  parameters: string,
  { type = TYPE, id }: { readonly type?: string; readonly id: string },
): Promise<void> {
  const { kind } = await store.search(
    {
      type,
      parameters,
      sort: [],
      count: 1000,
      keepMs: 60_000,
      lengthMax: 1e9,
      candidatesMax: 10_000,
      criteria: [{ type: 'token', field: '_id', values: [{ code: id }] }],
    },
    { ...ACCESS, interaction: 'search-type' },
  );
  if (kind !== 'found') throw new Error(kind);
}
