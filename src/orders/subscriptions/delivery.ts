/**
 * The deliveries of one subscription: it reads the changes that match, and sends one after the
 * other. Nothing is copied: after each failure it reads the changes again, so that what was erased
 * meanwhile is not sent.
 */
import type { Definitions } from '../../fhir/definitions/definitions.ts';
import { type Change, type ChangesPage, START_POSITION } from '../../fhir/stored/repository.ts';
import { RepositoryError } from '../../fhir/stored/repository-error.ts';
import type { Slots } from '../../threads/slots.ts';
import type { Sealed } from './channel-seal.ts';
import { type Clock, pauseMs } from './clock.ts';
import type { DeliveryProgress, DeliveryStore } from './delivery-store.ts';
import { notificationOf, xmlOf } from './notification.ts';
import type { Receivers } from './receivers.ts';
import type { ActiveSubscription } from './subscription.ts';

export interface DeliveryOptions {
  readonly store: DeliveryStore;
  readonly receivers: Receivers;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly definitions: Definitions;
  /** After this time without a success, the subscription gets the status `error`. */
  readonly giveUpMs: number;
  /** Whether this server is still the one that delivers. */
  readonly mayDeliver: () => boolean;
  /** As the lease names this server. Undefined: there is no lease. */
  readonly holder?: string | undefined;
  /**
   * Whether the store has no newer version of the subscription. Asked after each page, so that no
   * version is judged or sent by what the subscription was before. Rejects with a `RepositoryError`.
   */
  readonly isCurrent: () => Promise<boolean>;
  /** Stores the progress, soon. */
  readonly save: (progress: DeliveryProgress) => void;
  readonly count: (outcome: 'delivered' | 'failed') => void;
}

/** Why the deliveries have ended, for the resource. */
export interface Closing {
  readonly status: 'error' | 'off';
  readonly error: string;
}

/** Resolves when the signal aborts, with undefined; or with why no more is delivered. */
export async function deliver(
  subscription: ActiveSubscription,
  sealed: Sealed,
  progress: DeliveryProgress,
  options: DeliveryOptions,
  signal: AbortSignal,
): Promise<Closing | undefined> {
  const { clock } = options;
  const { endMs = Number.POSITIVE_INFINITY } = subscription;
  let failures = 0;
  while (!signal.aborted) {
    const leftMs = endMs - clock.now();
    if (leftMs <= 0) return { status: 'off', error: 'The end of the subscription has passed.' };
    // While a receiver fails, one change is enough to try it with.
    const count = failures > 0 ? 1 : PAGE_COUNT;
    const page = await readPage(subscription, sealed, progress, { count, leftMs }, options, signal);
    if (page === 'unavailable') await clock.sleep(STORE_PAUSE_MS, signal);
    else if (page === 'unknown-position') progress.position = START_POSITION;
    else if (page === 'changed') await clock.sleep(CHANGED_PAUSE_MS, signal);
    else {
      const result = await sendPage(page, subscription, sealed, progress, options, signal);
      if (result.isStopped) return result.closing;
      if (result.retryAfterMs === undefined || result.hasDelivered) failures = 0;
      if (result.retryAfterMs === undefined) continue;
      failures += 1;
      await clock.sleep(pauseMs(failures, result.retryAfterMs, clock.random), signal);
    }
  }
  return undefined;
}

/** While a subscription waits for a change, its position moves on this often. */
const WAIT_MS = 60_000;
const STORE_PAUSE_MS = 1_000;
/** The deliveries of the newer version begin in this time. */
const CHANGED_PAUSE_MS = 500;

/** A page is read again after this time, so that what was erased is not sent. */
const PAGE_MS_MAX = 5_000;
const PAGE_COUNT = 100;
const PAGE_LENGTH_MAX = 512 * 1024;

/** Of the dates of versions, which are not the order of their writing. */
const MARGIN_MS = 10 * 60_000;

async function readPage(
  { id, criteria, endpoint }: ActiveSubscription,
  { owner }: Sealed,
  { position, writtenAt }: DeliveryProgress,
  { count, leftMs }: { readonly count: number; readonly leftMs: number },
  { store, isCurrent }: DeliveryOptions,
  signal: AbortSignal,
): Promise<ChangesPage | 'unknown-position' | 'unavailable' | 'changed'> {
  const request = {
    types: [criteria.type],
    criteria: criteria.criteria,
    position,
    order: 'oldest-first' as const,
    count,
    lengthMax: PAGE_LENGTH_MAX,
    // Deliveries begin after a version. So this stands for a position that the store does not know.
    ...(position === START_POSITION && { sinceMs: Date.parse(writtenAt) - MARGIN_MS }),
  };
  const access = {
    ...(owner !== undefined && { identity: owner }),
    address: new URL(endpoint).host,
    requestId: `Subscription/${id}`,
    interaction: 'history-type',
  } as const;
  try {
    const wait = { ms: Math.min(WAIT_MS, leftMs), signal };
    const result = await store.notifications(request, access, wait);
    if (result.kind !== 'found') return result.kind;
    return (await isCurrent()) ? result : 'changed';
  } catch (error) {
    if (error instanceof RepositoryError) return 'unavailable';
    throw error;
  }
}

interface PageResult {
  readonly isStopped: boolean;
  readonly closing?: Closing;
  /** What the receiver asked for after a failure. Undefined: nothing failed. */
  readonly retryAfterMs?: number;
  readonly hasDelivered: boolean;
}

async function sendPage(
  page: ChangesPage,
  subscription: ActiveSubscription,
  sealed: Sealed,
  progress: DeliveryProgress,
  options: DeliveryOptions,
  signal: AbortSignal,
): Promise<PageResult> {
  const { clock, save } = options;
  const readMs = clock.now();
  let hasDelivered = false;
  const move = ({ position, writtenAt }: Pick<Change, 'position' | 'writtenAt'>) => {
    Object.assign(progress, { position, writtenAt, failingSinceMs: null, problem: '' });
    save(progress);
  };
  for (const [at, change] of page.versions.entries()) {
    progress.pending = page.versions.length - at;
    progress.pendingSinceMs = Date.parse(change.writtenAt);
    if (isErased(change)) {
      move(change);
      continue;
    }
    if (clock.now() - readMs > PAGE_MS_MAX) return { isStopped: false, hasDelivered };
    const outcome = await send(change, subscription, sealed, options, signal);
    if (outcome === undefined) return { isStopped: true, hasDelivered };
    options.count(outcome.kind === 'delivered' ? 'delivered' : 'failed');
    if (outcome.kind === 'delivered') {
      hasDelivered = true;
      move(change);
      continue;
    }
    const { problem } = outcome;
    if (outcome.kind === 'gone') {
      return { isStopped: true, closing: { status: 'off', error: problem }, hasDelivered };
    }
    const failingSinceMs = progress.failingSinceMs ?? clock.now();
    Object.assign(progress, { problem, failingSinceMs });
    save(progress);
    if (clock.now() - failingSinceMs >= options.giveUpMs) {
      return { isStopped: true, closing: { status: 'error', error: problem }, hasDelivered };
    }
    return { isStopped: false, retryAfterMs: outcome.retryAfterMs, hasDelivered };
  }
  progress.pending = 0;
  progress.pendingSinceMs = undefined;
  if (progress.position !== page.next) {
    progress.position = page.next;
    save(progress);
  }
  return { isStopped: false, hasDelivered };
}

/** Undefined if nothing was sent, because the deliveries have to stop. */
async function send(
  change: Change,
  subscription: ActiveSubscription,
  sealed: Sealed,
  { slots, receivers, clock, definitions, mayDeliver }: DeliveryOptions,
  signal: AbortSignal,
) {
  await slots.take();
  if (signal.aborted || !mayDeliver()) {
    slots.give();
    return undefined;
  }
  const post = async () => {
    const toXml = (text: string) => xmlOf(text, definitions);
    const { headers, body } = notificationOf(change, subscription, sealed, clock.now(), toXml);
    return receivers.post(subscription.endpoint, headers, body);
  };
  return slots.during(post());
}

/** A version that deletes the resource has no content either, but is delivered. */
function isErased({ text, method, isErased: wasErased }: Change): boolean {
  return wasErased === true || (text === undefined && method !== 'DELETE');
}
