/**
 * Controls: each removes one kind of sync from a recording, and the search must then find a
 * loss.
 */
import type { Change } from './recording.ts';

const CONTROLS: Readonly<Record<string, (change: Change) => boolean>> = {
  'the log of order responses': ({ path }) => path.endsWith('data/orders.db-wal'),
  'the database of order responses': ({ path }) => path.endsWith('data/orders.db'),
  'the log of the directory': ({ path }) => path.endsWith('directory.db-wal'),
  'the files of editions': ({ kind, path }) => kind === 'sync' && path.includes('/editions/'),
  'the key of tokens': ({ path }) => path.includes('/token-key.json'),
  'the key of the audit log': ({ path }) => path.includes('/audit.key'),
  'the backup': ({ kind, path }) => kind === 'sync' && path.startsWith('backup.db'),
  'the restored database': ({ kind, path }) =>
    kind === 'sync' && path.startsWith('restored/orders.db'),
  'the data folder': ({ kind, path }) => kind === 'sync-folder' && path === 'place/data',
  'the folders above the data folder': ({ kind, path }) =>
    kind === 'sync-folder' && (path === '' || path === 'place'),
};

export const CONTROL_NAMES = Object.keys(CONTROLS);

export interface LessSynced {
  readonly changes: readonly Change[];
  /** The numbers of the changes after each removed sync. */
  readonly places: readonly number[];
}

/** The changes without the syncs that a control removes. */
export function withoutSyncs(all: readonly Change[], control: string): LessSynced {
  const isLeftOut = CONTROLS[control];
  if (isLeftOut === undefined) throw new Error(`There is no control of ${control}.`);
  const changes: Change[] = [];
  const places: number[] = [];
  for (const change of all) {
    const isSync = change.kind === 'sync' || change.kind === 'sync-folder';
    if (isSync && isLeftOut(change)) places.push(changes.length);
    else changes.push(change);
  }
  if (places.length === 0) throw new Error(`There is no sync of ${control}.`);
  return { changes, places };
}
