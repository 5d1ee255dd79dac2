/** An edition that is being made: a folder of arrays, which ends as an edition or is removed. */
import type { EditionDraft, EditionInfo } from '../../directory/edition/edition-store.ts';
import { storageError, withStorageErrors } from '../files/storage-error.ts';
import { EditionFolderWriter } from './edition-folder.ts';
import type { MadeEdition } from './edition-list.ts';

export interface DraftPlace {
  /** The folder to make. */
  readonly path: string;
  /** The folder that messages name. */
  readonly dataPath: string;
  readonly now: () => Date;
  /** Makes the complete folder the current edition, in one atomic step. */
  publish(made: MadeEdition): EditionInfo | Promise<EditionInfo>;
  /** Called once: removes what remains of the draft, and releases what it holds. */
  end(isPublished: boolean): void | Promise<void>;
}

export function createEditionDraft(place: DraftPlace): EditionDraft {
  const { path, dataPath } = place;
  const importedAt = place.now().toISOString();
  const writer = withStorageErrors(path, () => new EditionFolderWriter(path));
  let isOpen = true;
  const end = async (isPublished: boolean) => {
    if (!isOpen) return;
    isOpen = false;
    await place.end(isPublished);
  };
  const attempt = async <Result>(action: () => Result | Promise<Result>): Promise<Result> => {
    if (!isOpen) throw new Error('This draft was published or discarded before.');
    try {
      return await action();
    } catch (fault) {
      const error = storageError(fault, dataPath);
      await end(false);
      throw error;
    }
  };
  return {
    write: (name, array) => attempt(() => writer.write(name, array)),
    publish: async (description, { keep, expectedCurrent }) => {
      const published = await attempt(async () => {
        if (!Number.isSafeInteger(keep) || keep < 1) {
          throw new RangeError(`keep must be a whole number of at least 1, not ${keep}.`);
        }
        const manifestChecksum = await writer.finish();
        return await place.publish({
          description,
          importedAt,
          manifestChecksum,
          keep,
          expectedCurrent,
        });
      });
      await end(true);
      return published;
    },
    discard: () => end(false),
  };
}
