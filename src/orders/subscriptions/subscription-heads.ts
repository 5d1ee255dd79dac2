/** The newest version of each subscription, as the feed of their versions tells it. */
import type { Change } from '../../fhir/stored/repository.ts';
import type { CurrentVersion } from './delivery-store.ts';

/** A subscription as its newest version is. */
export interface Head {
  readonly change: Change;
  /** Whether a version has requested it, also if a later one has turned it off. */
  readonly isRequested: boolean;
  /** Where a subscription begins that has no progress: with the first version that requests it. */
  readonly begin: Pick<Change, 'position' | 'writtenAt'>;
  /** When it came back after it was deleted: progress from before then no longer counts. */
  readonly restoredAt: string | undefined;
}

export function headOf(change: Change, heads: ReadonlyMap<string, Head>): Head {
  const { position, writtenAt } = change;
  const before = heads.get(change.id);
  const isRestored = before?.change.method === 'DELETE' && change.text !== undefined;
  const hasBegun = before?.isRequested === true && !isRestored;
  return {
    change,
    isRequested: hasBegun || isDelivered(change),
    begin: hasBegun ? before.begin : { position, writtenAt },
    restoredAt: isRestored ? writtenAt : before?.restoredAt,
  };
}

/** Reads only the status: a version with a fault must not hold up the others. */
function statusOf({ text }: Change): unknown {
  return text === undefined ? undefined : JSON.parse(text).status;
}

export function isDelivered(change: Change): boolean {
  return ['requested', 'active'].includes(String(statusOf(change)));
}

/** Whether the deliveries have ended with an error. */
export function isEnded(change: Change): boolean {
  return statusOf(change) === 'error';
}

/** Whether the store no longer has a version of these: it was erased, or lost with a server. */
export function hasLost(
  heads: ReadonlyMap<string, Head>,
  current: readonly CurrentVersion[],
): boolean {
  const versions = new Map(current.map(({ id, version }) => [id, version]));
  return [...heads.values()].some(
    ({ change: { id, version, text } }) => text !== undefined && version > (versions.get(id) ?? 0),
  );
}
