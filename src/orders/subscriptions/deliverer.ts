/**
 * Delivers notifications to all active subscriptions. It follows the subscriptions as clients follow
 * order responses, begins and ends the deliveries of each, and changes their status.
 */
import { entriesOf } from '../../fhir/search/resource-parameter.ts';
import type { ResourceSearch } from '../../fhir/search/resource-search.ts';
import { parseStored } from '../../fhir/service/stored-resource.ts';
import { type Change, START_POSITION } from '../../fhir/stored/repository.ts';
import { RepositoryError } from '../../fhir/stored/repository-error.ts';
import { unstampedText } from '../../fhir/stored/stored-text.ts';
import { openSeal } from './channel-seal.ts';
import { type Closing, type DeliveryOptions, deliver } from './delivery.ts';
import {
  createProgressSaves,
  createVersionCheck,
  type DeliveryFacts,
  type DeliveryProgress,
  type ProgressSaves,
  SUBSCRIPTIONS_PAGE,
} from './delivery-store.ts';
import {
  activeSubscription,
  type CriteriaOptions,
  SUBSCRIPTION,
  type SubscriptionStatus,
  withStatus,
} from './subscription.ts';
import { type Head, hasLost, headOf, isDelivered, isEnded } from './subscription-heads.ts';

export interface DelivererOptions
  extends Omit<DeliveryOptions, 'save' | 'count' | 'isCurrent'>,
    CriteriaOptions {
  readonly key: () => Uint8Array;
  /** Whether clients may follow the changes of the types. Otherwise all subscriptions are turned off. */
  readonly mayFollow: boolean;
  /** How subscriptions are searched. */
  readonly search: ResourceSearch;
  /** Called when the deliveries of a subscription have ended. */
  readonly onProblem: (id: string, problem: string) => void;
  /** Called with a fault of the program. The deliverer tries again. */
  readonly onFault: (problem: string) => void;
}

interface Running {
  /** The newest version of the resource that the deliveries know. */
  version: number;
  readonly abort: AbortController;
  done: Promise<void>;
}

export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #stopped = new AbortController();
  readonly #running = new Map<string, Running>();
  /** The version of each subscription whose deliveries have ended by themselves. */
  readonly #closed = new Map<string, number>();
  readonly #progress = new Map<string, DeliveryProgress>();
  readonly #saves: ProgressSaves;
  readonly #counts = { delivered: 0, failed: 0 };
  /** The number of subscriptions with the status `error`. */
  #ended = 0;
  #following: Promise<void> = Promise.resolve();

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#saves = createProgressSaves(options, (error) => this.#report(error));
  }

  start(): void {
    this.#following = this.#follow();
  }

  /** Ends all deliveries after the requests that are on their way, and stores how far they are. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#following;
    for (const { abort } of this.#running.values()) abort.abort();
    await Promise.all(Array.from(this.#running.values(), ({ done }) => done));
    await this.#saves.stop();
  }

  /** For metrics. */
  get facts(): DeliveryFacts {
    const running = [...this.#running.keys()].flatMap((id) => this.#progress.get(id) ?? []);
    const since = running.flatMap(({ pendingSinceMs }) => pendingSinceMs ?? []);
    return {
      active: running.length,
      failing: this.#ended + running.filter(({ problem }) => problem !== '').length,
      pending: running.reduce((sum, { pending }) => sum + pending, 0),
      oldestMs: since.length === 0 ? null : Math.min(...since),
      ...this.#counts,
    };
  }

  async #follow(): Promise<void> {
    const { store, clock } = this.#options;
    const { signal } = this.#stopped;
    let heads = new Map<string, Head>();
    let position = START_POSITION;
    let nextCheckMs = 0;
    let hasLoaded = false;
    while (!signal.aborted) {
      try {
        if (!hasLoaded) await this.#load();
        hasLoaded = true;
        if (clock.now() >= nextCheckMs) {
          // An erased subscription makes no change.
          if (hasLost(heads, await store.currentSubscriptions())) position = START_POSITION;
          nextCheckMs = clock.now() + CHECK_MS;
        }
        if (position === START_POSITION) heads = new Map();
        const page = await store.notifications({ ...SUBSCRIPTIONS_PAGE, position }, undefined);
        if (page.kind === 'unknown-position') position = START_POSITION;
        else {
          for (const change of page.versions) heads.set(change.id, headOf(change, heads));
          position = page.hasMore ? page.next : page.end;
          if (page.hasMore) continue;
          this.#apply(heads);
        }
      } catch (error) {
        if (!(error instanceof RepositoryError)) this.#report(error);
      }
      await clock.sleep(LOOK_MS, signal);
    }
  }

  async #load(): Promise<void> {
    for (const state of await this.#options.store.readDeliveries()) {
      const { subscription } = state;
      this.#progress.set(subscription, { ...state, pending: 0, pendingSinceMs: undefined });
    }
  }

  #apply(heads: ReadonlyMap<string, Head>): void {
    this.#ended = [...heads.values()].filter(({ change }) => isEnded(change)).length;
    for (const [id, running] of this.#running) {
      if (!heads.has(id)) running.abort.abort();
    }
    for (const [id, head] of heads) {
      const { change } = head;
      const running = this.#running.get(id);
      // The store may show later what the end of the deliveries has written.
      const isWanted = isDelivered(change) && change.version > (this.#closed.get(id) ?? 0);
      if (running !== undefined && isWanted && running.version >= change.version) continue;
      running?.abort.abort();
      if (isWanted && !this.#stopped.signal.aborted) this.#begin(head, running?.done);
    }
  }

  #begin(head: Head, before: Promise<void> = Promise.resolve()): void {
    const { change } = head;
    const abort = new AbortController();
    const running: Running = { version: change.version, abort, done: before };
    this.#running.set(change.id, running);
    const run = async () => {
      await before;
      try {
        await this.#run(head, running);
      } catch (error) {
        this.#report(error);
        await this.#options.clock.sleep(FAULT_PAUSE_MS, abort.signal);
      }
      // A version that came meanwhile has its own deliveries.
      if (this.#running.get(change.id) === running) this.#running.delete(change.id);
    };
    running.done = run();
  }

  async #run({ change, begin, restoredAt = '' }: Head, running: Running): Promise<void> {
    const { id, text = '' } = change;
    const { signal } = running.abort;
    const { definitions, key, mayFollow } = this.#options;
    if (!mayFollow) {
      await this.#close(change, running, { status: 'off', error: NOT_FOLLOWED });
      return;
    }
    const resource = parseStored(text, definitions);
    const subscription = activeSubscription(resource, id, this.#options);
    const sealed = openSeal(resource, id, key());
    if (subscription === undefined || sealed === undefined) {
      await this.#close(change, running, {
        status: 'error',
        error:
          'The server cannot read this version. Send the subscription again, with its secrets.',
      });
      return;
    }
    const known = this.#progress.get(id);
    const isStale = known !== undefined && known.writtenAt < restoredAt;
    const progress = (isStale ? undefined : known) ?? {
      subscription: id,
      position: begin.position,
      writtenAt: begin.writtenAt,
      failingSinceMs: null,
      problem: '',
      pending: 0,
      pendingSinceMs: undefined,
    };
    this.#progress.set(id, progress);
    if (resource.status === 'requested') {
      Object.assign(progress, { failingSinceMs: null, problem: '' });
      this.#saves.save(progress);
      if (!(await this.#setStatus(change, running, 'active', undefined))) return;
    }
    const closing = await deliver(
      subscription,
      sealed,
      progress,
      {
        ...this.#options,
        isCurrent: createVersionCheck(this.#options.store, change, () => running.version),
        save: (changed) => this.#saves.save(changed),
        count: (outcome) => {
          this.#counts[outcome] += 1;
        },
      },
      signal,
    );
    Object.assign(progress, { pending: 0, pendingSinceMs: undefined });
    if (closing !== undefined) await this.#close(change, running, closing);
  }

  async #close(change: Change, running: Running, { status, error }: Closing): Promise<void> {
    this.#options.onProblem(change.id, error);
    await this.#setStatus(change, running, status, error);
    this.#closed.set(change.id, running.version);
  }

  /** Makes a version with another status. False if a client wrote one meanwhile. */
  async #setStatus(
    { id, text = '' }: Change,
    running: Running,
    status: SubscriptionStatus,
    error: string | undefined,
  ): Promise<boolean> {
    const { store, definitions, search, clock } = this.#options;
    const { signal } = running.abort;
    const resource = withStatus(parseStored(text, definitions), status, error);
    const update = {
      type: SUBSCRIPTION,
      id,
      text: unstampedText(resource, id),
      entries: entriesOf(resource, search.parameters),
      preconditions: { ifMatch: [String(running.version)] },
    };
    while (!signal.aborted) {
      try {
        const result = await store.update(update, SERVER_ACCESS);
        if (result.kind === 'stored') running.version = result.stored.version;
        return result.kind === 'stored';
      } catch (fault) {
        if (!(fault instanceof RepositoryError)) throw fault;
        await clock.sleep(STORE_PAUSE_MS, signal);
      }
    }
    return false;
  }

  #report(error: unknown): void {
    this.#options.onFault(error instanceof Error ? error.message : String(error));
  }
}

const NOT_FOLLOWED = 'The server no longer lets clients follow changes.';

/** Looks for changes of subscriptions. */
const LOOK_MS = 500;
const CHECK_MS = 60_000;
const STORE_PAUSE_MS = 1_000;
const FAULT_PAUSE_MS = 60_000;

const SERVER_ACCESS = {
  identity: { subject: 'gazetteer subscriptions' },
  address: '',
  requestId: '',
  interaction: 'update',
} as const;
