/** Stores how far subscriptions are. One write has all that have moved since the one before. */
import { RepositoryError } from '../fhir/stored/repository.ts';
import type { DeliveryOptions, DeliveryProgress } from './delivery.ts';

/** `onFault` gets errors of the store other than that it is unavailable. */
export function createProgressSaves(
  {
    store,
    clock,
    mayDeliver,
    holder,
  }: Pick<DeliveryOptions, 'store' | 'clock' | 'mayDeliver' | 'holder'>,
  onFault: (error: unknown) => void,
) {
  const unsaved = new Map<string, DeliveryProgress>();
  const stopped = new AbortController();
  let saving: Promise<void> | undefined;
  const saveAll = async () => {
    while (unsaved.size > 0) {
      // Another server delivers, and stores how far it is.
      if (!mayDeliver()) return;
      const taken = [...unsaved.values()];
      unsaved.clear();
      try {
        await store.saveDeliveries(
          taken.map(({ pending: _, pendingSinceMs: _since, ...state }) => ({ ...state, holder })),
        );
      } catch (error) {
        if (!(error instanceof RepositoryError)) onFault(error);
        if (stopped.signal.aborted) return;
        for (const progress of taken) unsaved.set(progress.subscription, progress);
        await clock.sleep(PAUSE_MS, stopped.signal);
      }
    }
  };
  return {
    /** Stores the progress as it is when its turn comes. */
    save: (progress: DeliveryProgress): void => {
      unsaved.set(progress.subscription, progress);
      saving ??= saveAll().finally(() => {
        saving = undefined;
      });
    },
    /** Resolves when all is stored, or when a last attempt has failed. */
    stop: async (): Promise<void> => {
      stopped.abort();
      await saving;
    },
  };
}

const PAUSE_MS = 1_000;
