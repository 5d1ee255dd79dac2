/** Stores how far subscriptions are. One write has all that have moved since the one before. */
import { RepositoryError } from '../fhir/stored/repository.ts';
import type { DeliveryOptions, DeliveryProgress } from './delivery.ts';

export class ProgressSaves {
  readonly #options: Pick<DeliveryOptions, 'store' | 'clock' | 'mayDeliver' | 'holder'>;
  readonly #onFault: (error: unknown) => void;
  readonly #unsaved = new Map<string, DeliveryProgress>();
  readonly #stopped = new AbortController();
  #saving: Promise<void> | undefined;

  constructor(
    options: Pick<DeliveryOptions, 'store' | 'clock' | 'mayDeliver' | 'holder'>,
    onFault: (error: unknown) => void,
  ) {
    this.#options = options;
    this.#onFault = onFault;
  }

  /** Stores the progress as it is when its turn comes. */
  save(progress: DeliveryProgress): void {
    this.#unsaved.set(progress.subscription, progress);
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined;
    });
  }

  /** Resolves when all is stored, or when a last attempt has failed. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#saving;
  }

  async #saveAll(): Promise<void> {
    const { store, clock, mayDeliver, holder } = this.#options;
    while (this.#unsaved.size > 0) {
      // Another server delivers, and stores how far it is.
      if (!mayDeliver()) return;
      const taken = [...this.#unsaved.values()];
      this.#unsaved.clear();
      try {
        await store.saveDeliveries(
          taken.map(({ pending: _, pendingSinceMs: _since, ...state }) => ({ ...state, holder })),
        );
      } catch (error) {
        if (!(error instanceof RepositoryError)) this.#onFault(error);
        if (this.#stopped.signal.aborted) return;
        for (const progress of taken) this.#unsaved.set(progress.subscription, progress);
        await clock.sleep(PAUSE_MS, this.#stopped.signal);
      }
    }
  }
}

const PAUSE_MS = 1_000;
