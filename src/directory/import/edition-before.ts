/**
 * The edition that a new one is compared with: the current one, or if that is damaged, the newest
 * one that can be read. The list of editions has the changes of the others.
 */

import type { NamedArrays } from '../arrays/arrays.ts';
import { type LoadedEdition, openEdition, openRecordsForComparison } from '../edition/edition.ts';
import type { EditionInfo, EditionStore } from '../edition/edition-store.ts';
import type { ComparableRecords, KeptChanges, UnreadChanges } from '../edition/kept-changes.ts';

export interface EditionBefore {
  readonly number: number;
  readonly edition: LoadedEdition;
  readonly records: ComparableRecords & KeptChanges;
}

export interface EditionsBefore {
  /** Undefined if no edition can be read. */
  readonly compared: EditionBefore | undefined;
  /** The changes of the editions after that one. Undefined if there is no such edition. */
  readonly unread: UnreadChanges | undefined;
  /** Why the current edition cannot be read, and what the new one is compared with. */
  readonly problem?: string;
}

/** Throws if the store cannot be reached now. */
export async function openEditionsBefore(
  store: EditionStore,
  current: EditionInfo | undefined,
): Promise<EditionsBefore> {
  if (current === undefined) return { compared: undefined, unread: undefined };
  const opened = await tryOpen(store, current);
  if (!('problem' in opened)) {
    return { compared: opened, unread: await changesAfter(store, opened.number) };
  }
  const compared = await newestReadable(store, current);
  const instead =
    compared === undefined
      ? 'No other edition can be read. All organisations count as changed, and their former ' +
        'names are lost.'
      : `The new edition is compared with edition ${compared.number}.`;
  return {
    compared,
    unread: await changesAfter(store, compared?.number ?? 0),
    problem: `Edition ${current.number} cannot be read: ${opened.problem}. ${instead}`,
  };
}

async function newestReadable(
  store: EditionStore,
  current: EditionInfo,
): Promise<EditionBefore | undefined> {
  const others = (await store.list()).filter(
    ({ number, isOnDisk }) => isOnDisk && number !== current.number,
  );
  for (const info of others.toReversed()) {
    const opened = await tryOpen(store, info);
    if (!('problem' in opened)) return opened;
  }
  return undefined;
}

async function tryOpen(
  store: EditionStore,
  info: EditionInfo,
): Promise<EditionBefore | { readonly problem: string }> {
  try {
    return openBefore(info, await store.load(info.number));
  } catch (error) {
    if (!(error instanceof Error) || isTemporary(error)) throw error;
    return { problem: error.message.replace(/\.$/, '') };
  }
}

function openBefore(info: EditionInfo, arrays: NamedArrays): EditionBefore {
  const edition = { ...openEdition(info, arrays), arrays };
  const records = { ...edition, ...openRecordsForComparison(arrays) };
  return { number: info.number, edition, records };
}

/** Whether the edition may be undamaged: a later import may be able to read it. */
function isTemporary(error: Error): boolean {
  return 'kind' in error && TEMPORARY.has(error.kind);
}

const TEMPORARY: ReadonlySet<unknown> = new Set([
  'unreachable',
  'locked',
  'denied',
  'full',
  'read-only',
]);

/** The store keeps what each edition changed, also if it has removed the data of the edition. */
async function changesAfter(
  store: EditionStore,
  number: number,
): Promise<UnreadChanges | undefined> {
  const later = (await store.list()).filter((info) => info.number > number);
  if (later.length === 0) return undefined;
  const moved = new Set<string>();
  const touched = new Set<string>();
  let areAllKnown = true;
  for (const info of later) {
    const { added, changed, removed } = (await store.differences(info.number)) ?? NOTHING;
    for (const code of [...added, ...removed]) moved.add(code);
    for (const code of changed) touched.add(code);
    // A damaged list is empty.
    areAllKnown &&=
      added.length === info.added &&
      changed.length === info.changed &&
      removed.length === info.removed;
  }
  return {
    moved,
    isTouched: (code) => !areAllKnown || touched.has(code) || moved.has(code),
  };
}

const NOTHING = { added: [], changed: [], removed: [] };
