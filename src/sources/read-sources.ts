/** Reads files of organisations for one import: whole directories, or changes of the current edition. */
import { openEdition } from '../directory/edition/edition.ts';
import type { EditionStore } from '../directory/edition/edition-store.ts';
import { applyTopUp, type TopUpSummary } from '../directory/import/apply-top-up.ts';
import { SourceError, type SourceReceiver } from '../directory/import/source.ts';
import { TopUp } from '../directory/import/top-up.ts';
import { type ReadSourceOptions, readSource } from './read-source.ts';

export interface ReadSourcesOptions extends Omit<ReadSourceOptions, 'file' | 'topUp'> {
  readonly files: readonly ReadSourceOptions['file'][];
  /** The store of the edition that changes apply to. */
  readonly store: EditionStore;
  readonly say: (line: string) => void;
}

/** Returns what changes did; undefined for whole directories. Throws a SourceError. */
export async function readSources(options: ReadSourcesOptions): Promise<TopUpSummary | undefined> {
  const { files, store, receiver, say } = options;
  const topUp = new TopUp(receiver);
  let hasManifest = false;
  const whole: SourceReceiver = {
    ...receiver,
    manifest: (manifest) => {
      hasManifest = true;
      receiver.manifest(manifest);
    },
  };
  for (const file of files) await readSource({ ...options, file, receiver: whole, topUp });
  const [name] = topUp.files;
  if (name === undefined) return undefined;
  if (hasManifest) {
    throw new SourceError(
      `${name} has changes, and the other files have a whole directory. Import them one after the other.`,
    );
  }
  const current = await store.current();
  if (current === undefined) {
    throw new SourceError(
      `${name} has changes, and there is no edition to apply them to. Import a release first.`,
    );
  }
  say(`${topUp.files.join(', ')}: changes. All other records of edition ${current.number} stay.`);
  const edition = openEdition(current, await store.load(current.number));
  return applyTopUp(edition, topUp, receiver);
}
