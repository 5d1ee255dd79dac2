/** An edition that is being written: a folder with a temporary name until it is published. */
import { renameSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type {
  EditionDescription,
  EditionDraft,
  EditionInfo,
  PublishOptions,
} from '../../../directory/edition/edition-store.ts';
import type { NumberArray } from '../../../directory/record/arrays.ts';
import type { DataFolder } from '../../data-folder.ts';
import {
  type EditionFolderWriter,
  editionPath,
  removeQuietly,
} from '../../editions/edition-folder.ts';
import { displacedBy, requireExpected, requireKeep } from '../../editions/edition-rules.ts';
import type { Lock } from '../../lock.ts';
import { isUnsynced, withStorageErrors } from '../../storage-error.ts';
import { syncFolder } from '../../sync-folder.ts';
import { inTransaction } from '../database.ts';
import type { EditionCatalogue } from './edition-catalogue.ts';

export interface DraftParts {
  readonly path: string;
  readonly writer: EditionFolderWriter;
  readonly lock: Lock;
  readonly importedAt: Date;
  readonly folder: DataFolder;
  readonly database: DatabaseSync;
  readonly catalogue: EditionCatalogue;
  readonly now: () => Date;
}

export class SqliteEditionDraft implements EditionDraft {
  readonly #parts: DraftParts;
  #isOpen = true;

  constructor(parts: DraftParts) {
    this.#parts = parts;
  }

  async write(name: string, array: NumberArray): Promise<void> {
    this.#attempt(() => this.#parts.writer.write(name, array));
  }

  async publish(
    description: EditionDescription,
    { keep, expectedCurrent }: PublishOptions,
  ): Promise<EditionInfo> {
    const { writer, catalogue, folder, lock } = this.#parts;
    const published = this.#attempt(() => {
      requireKeep(keep);
      const manifestChecksum = writer.finish();
      return this.#commit(description, manifestChecksum, keep, expectedCurrent);
    });
    this.#isOpen = false;
    for (const number of published.pruned) {
      removeQuietly(editionPath(folder, number));
    }
    lock.release();
    return catalogue.find(published.number)!;
  }

  async discard(): Promise<void> {
    this.#discard();
  }

  #discard(): void {
    if (this.#isOpen) {
      this.#isOpen = false;
      removeQuietly(this.#parts.path);
      this.#parts.lock.release();
    }
  }

  #attempt<Result>(action: () => Result): Result {
    if (!this.#isOpen) {
      throw new Error('This draft was published or discarded before.');
    }
    try {
      return withStorageErrors(this.#parts.folder.path, action);
    } catch (fault) {
      this.#discard();
      throw fault;
    }
  }

  /**
   * Renames the folder before the commit, so that a row always has its folder. The next import
   * removes a folder without a row. Returns the number of the new edition, and the numbers of
   * those that are no longer kept.
   */
  #commit(
    description: EditionDescription,
    manifestChecksum: number,
    keep: number,
    expectedCurrent: number | undefined,
  ): { number: number; pruned: readonly number[] } {
    const { catalogue, database, folder, importedAt, now, path } = this.#parts;
    let renamedTo: string | undefined;
    try {
      return inTransaction(database, () => {
        const before = catalogue.list();
        const current = before.find(({ isCurrent }) => isCurrent)?.number;
        requireExpected(expectedCurrent, current);
        const publishedAt = now().toISOString();
        const edition = { importedAt: importedAt.toISOString(), publishedAt, manifestChecksum };
        const number = catalogue.add({ ...description, ...edition }, current);
        catalogue.makeCurrent(number, publishedAt);
        const pruned = displacedBy(before, keep);
        for (const old of pruned) {
          catalogue.markPruned(old, publishedAt);
        }
        renamedTo = editionPath(folder, number);
        renameSync(path, renamedTo);
        syncFolder(folder.editions);
        return { number, pruned };
      });
    } catch (fault) {
      // If the commit is on the disk after all, its row needs the folder.
      if (renamedTo !== undefined && !isUnsynced(fault)) {
        removeQuietly(renamedTo);
      }
      throw fault;
    }
  }
}
