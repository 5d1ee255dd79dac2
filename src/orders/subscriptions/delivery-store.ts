/** What the deliverer needs of the store: changes to deliver, and how far each subscription is. */
import type { Access } from '../../fhir/audit/audit.ts';
import type {
  Change,
  ChangesRequest,
  ChangesResult,
  ChangesWait,
  Repository,
} from '../../fhir/stored/repository.ts';
import { RepositoryError } from '../../fhir/stored/repository-error.ts';
import type { Clock } from './clock.ts';
import { SUBSCRIPTION } from './subscription.ts';

/** How far the deliveries of a subscription are. */
export interface DeliveryState {
  /** The id of the subscription. */
  readonly subscription: string;
  /** The receiver has everything up to this position of the change feed. */
  readonly position: string;
  /** When the version at the position was written. It replaces a position that another store made. */
  readonly writtenAt: string;
  /** Since when every delivery has failed; milliseconds since 1970. Null: the last one succeeded. */
  readonly failingSinceMs: number | null;
  /** A sentence: what went wrong last. Empty if nothing did. */
  readonly problem: string;
}

/** How far a subscription is, and what it waits for. */
export type DeliveryProgress = { -readonly [Name in keyof DeliveryState]: DeliveryState[Name] } & {
  /** The changes that were read and not yet delivered. */
  pending: number;
  /** When the first of them was written; milliseconds since 1970. */
  pendingSinceMs: number | undefined;
};

export interface SavedDelivery extends DeliveryState {
  /** The server that saves it. Nothing is saved if another one holds the lease. Absent: no lease. */
  readonly holder?: string | undefined;
}

/** The current version of a resource. */
export interface CurrentVersion {
  readonly id: string;
  readonly version: number;
}

/** Calls reject with a `RepositoryError` while the store is unavailable. */
export interface DeliveryStore extends Pick<Repository, 'update'> {
  /**
   * As `changes`. The audit log gets an entry only of a page with versions, and none without
   * `access`.
   */
  notifications(
    request: ChangesRequest,
    access: Access | undefined,
    wait?: ChangesWait,
  ): Promise<ChangesResult>;
  /** The subscriptions that exist, without their content: neither deleted nor erased. */
  currentSubscriptions(): Promise<readonly CurrentVersion[]>;
  readDeliveries(): Promise<readonly DeliveryState[]>;
  /** Replaces the states of these subscriptions. They are durable when it resolves. */
  saveDeliveries(states: readonly SavedDelivery[]): Promise<void>;
}

/** A page of the versions of subscriptions. */
export const SUBSCRIPTIONS_PAGE = {
  types: [SUBSCRIPTION],
  order: 'oldest-first',
  count: 100,
  lengthMax: 4 * 1024 ** 2,
} as const;

/**
 * A function that reads whether the store has no newer version of the subscription than `versionOf`
 * says. It begins with what was written after the change. It rejects as the store does.
 */
export function createVersionCheck(
  store: Pick<DeliveryStore, 'notifications'>,
  { id, position }: Change,
  versionOf: () => number,
): () => Promise<boolean> {
  let checked = position;
  return async () => {
    for (;;) {
      const page = await store.notifications(
        { ...SUBSCRIPTIONS_PAGE, position: checked },
        undefined,
      );
      // Whoever follows the subscriptions then reads all of them again.
      if (page.kind === 'unknown-position') return false;
      const isNewer = (each: Change) => each.id === id && each.version > versionOf();
      if (page.versions.some(isNewer)) return false;
      checked = page.hasMore ? page.next : page.end;
      if (!page.hasMore) return true;
    }
  };
}

export interface ProgressOptions {
  readonly store: Pick<DeliveryStore, 'saveDeliveries'>;
  readonly clock: Clock;
  readonly mayDeliver: () => boolean;
  readonly holder?: string | undefined;
}

export interface ProgressSaves {
  /** Stores the progress as it is when its turn comes. */
  save(progress: DeliveryProgress): void;
  /** Resolves when all is stored, or when a last attempt has failed. */
  stop(): Promise<void>;
}

/**
 * Stores how far subscriptions are. One write has all that have moved since the one before.
 * `onFault` gets errors of the store other than that it is unavailable.
 */
export function createProgressSaves(
  { store, clock, mayDeliver, holder }: ProgressOptions,
  onFault: (error: unknown) => void,
): ProgressSaves {
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
    save: (progress) => {
      unsaved.set(progress.subscription, progress);
      saving ??= saveAll().finally(() => {
        saving = undefined;
      });
    },
    stop: async () => {
      stopped.abort();
      await saving;
    },
  };
}

const PAUSE_MS = 1_000;

/** For metrics. */
export interface DeliveryFacts {
  /** The subscriptions that are delivered now. */
  readonly active: number;
  /** Those of them whose last delivery failed, and the subscriptions with the status `error`. */
  readonly failing: number;
  /** Notifications that were read and not yet delivered. */
  readonly pending: number;
  /** When the version of the oldest of them was written; milliseconds since 1970. Null: none. */
  readonly oldestMs: number | null;
  readonly delivered: number;
  readonly failed: number;
}
