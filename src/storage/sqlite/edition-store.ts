/** Keeps editions in a data folder: their data as folders of files, the list of them in SQLite. */
import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { NamedArrays, NumberArray } from '../../directory/arrays.ts';
import {
  type EditionDescription,
  type EditionDifference,
  type EditionDraft,
  EditionGoneError,
  type EditionInfo,
  type EditionStore,
  type PublishOptions,
  type ReplacedEdition,
} from '../../directory/edition-store.ts';
import type { DataFolder } from '../data-folder.ts';
import { acquireLock, type Lock } from '../lock.ts';
import { isUnsynced, StorageError, storageError, withStorageErrors } from '../storage-error.ts';
import { syncFolder } from '../sync-folder.ts';
import { inTransaction, openDatabase } from './database.ts';
import { EDITION_MIGRATIONS, EditionCatalogue } from './edition-catalogue.ts';
import {
  checkEditionFolder,
  EditionFolderWriter,
  editionPath,
  readEditionFolder,
  removeFolder,
  removeQuietly,
} from './edition-folder.ts';

/** The clock says when editions were imported and published. */
export function openEditionStore(
  folder: DataFolder,
  now: () => Date = () => new Date(),
): EditionStore {
  return new SqliteEditionStore(
    folder,
    openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS),
    now,
  );
}

const DRAFT_PREFIX = '.draft-';
const EDITION_FOLDER_FORM = /^\d{6,}$/;

export class SqliteEditionStore implements EditionStore {
  readonly #folder: DataFolder;
  readonly #database: DatabaseSync;
  readonly #catalogue: EditionCatalogue;
  readonly #now: () => Date;
  #draft: EditionDraft | undefined;

  constructor(folder: DataFolder, database: DatabaseSync, now: () => Date) {
    this.#folder = folder;
    this.#database = database;
    this.#catalogue = new EditionCatalogue(database);
    this.#now = now;
  }

  current(): EditionInfo | undefined {
    return this.#query(() => this.#catalogue.current());
  }

  list(): readonly EditionInfo[] {
    return this.#query(() => this.#catalogue.list());
  }

  replaced(): readonly ReplacedEdition[] {
    return this.#query(() => this.#catalogue.replaced());
  }

  findings(): readonly string[] {
    return this.#query(() => this.#catalogue.findings());
  }

  differences(number: number): EditionDifference | undefined {
    return this.#query(() => this.#catalogue.difference(number));
  }

  load(number: number): NamedArrays {
    this.#demandKept(number);
    const path = editionPath(this.#folder, number);
    try {
      return readEditionFolder(path, this.#catalogue.manifestChecksum(number));
    } catch (fault) {
      this.#demandKept(number); // an import may have pruned it under our hands
      throw storageError(fault, path);
    }
  }

  begin(): EditionDraft {
    const lock = acquireLock(this.#folder.path, 'import');
    try {
      this.#removeLeftovers();
      const path = join(this.#folder.editions, `${DRAFT_PREFIX}${randomUUID()}`);
      const writer = withStorageErrors(path, () => new EditionFolderWriter(path));
      this.#draft = new SqliteEditionDraft({
        path,
        writer,
        lock,
        importedAt: this.#now(),
        folder: this.#folder,
        database: this.#database,
        catalogue: this.#catalogue,
        now: this.#now,
      });
      return this.#draft;
    } catch (fault) {
      lock.release();
      throw fault;
    }
  }

  rollback(to?: number): EditionInfo {
    const lock = acquireLock(this.#folder.path, 'import');
    try {
      const target = this.#rollbackTarget(to);
      const path = editionPath(this.#folder, target);
      withStorageErrors(path, () =>
        checkEditionFolder(path, this.#catalogue.manifestChecksum(target)),
      );
      return this.#query(() => {
        inTransaction(this.#database, () => {
          this.#catalogue.makeCurrent(target, this.#now().toISOString());
        });
        return this.#demandKept(target);
      });
    } finally {
      lock.release();
    }
  }

  close(): void {
    this.#draft?.discard();
    this.#database.close();
  }

  #query<Result>(query: () => Result): Result {
    return withStorageErrors(this.#folder.directoryDatabase, query);
  }

  #demandKept(number: number): EditionInfo {
    const edition = this.#query(() => this.#catalogue.find(number));
    if (edition?.isOnDisk !== true) {
      throw new EditionGoneError(number, edition === undefined ? 'unknown' : 'pruned');
    }
    return edition;
  }

  #rollbackTarget(to: number | undefined): number {
    const current = this.current();
    if (current === undefined) {
      throw new StorageError('refused', 'There is no edition yet; `gazetteer import` makes one.');
    }
    const target = to ?? current.number - 1;
    if (target === 0 && to === undefined) {
      throw new StorageError(
        'refused',
        `There is no edition below ${current.number} to roll back to; it stays current.`,
      );
    }
    if (target === current.number) {
      throw new StorageError('refused', `Edition ${target} is current already.`);
    }
    return this.#demandKept(target).number;
  }

  /** Only for the holder of the import lock: to anybody else it may be work in progress. */
  #removeLeftovers(): void {
    withStorageErrors(this.#folder.path, () => {
      removeFolder(this.#folder.temporary);
      for (const name of readdirSync(this.#folder.editions)) {
        const isDraft = name.startsWith(DRAFT_PREFIX);
        const isEdition = EDITION_FOLDER_FORM.test(name);
        if (isDraft || (isEdition && !this.#catalogue.hasData(Number(name)))) {
          removeFolder(join(this.#folder.editions, name));
        }
      }
    });
  }
}

interface DraftParts {
  readonly path: string;
  readonly writer: EditionFolderWriter;
  readonly lock: Lock;
  readonly importedAt: Date;
  readonly folder: DataFolder;
  readonly database: DatabaseSync;
  readonly catalogue: EditionCatalogue;
  readonly now: () => Date;
}

class SqliteEditionDraft implements EditionDraft {
  readonly #parts: DraftParts;
  #isOpen = true;

  constructor(parts: DraftParts) {
    this.#parts = parts;
  }

  write(name: string, array: NumberArray): void {
    this.#attempt(() => this.#parts.writer.write(name, array));
  }

  publish(description: EditionDescription, { keep, expectedCurrent }: PublishOptions): EditionInfo {
    const { writer, catalogue, folder, lock } = this.#parts;
    const published = this.#attempt(() => {
      if (!Number.isSafeInteger(keep) || keep < 1) {
        throw new RangeError(`keep must be a whole number of at least 1, not ${keep}.`);
      }
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

  discard(): void {
    if (this.#isOpen) {
      this.#isOpen = false;
      removeQuietly(this.#parts.path);
      this.#parts.lock.release();
    }
  }

  #attempt<Result>(action: () => Result): Result {
    if (!this.#isOpen) {
      throw new Error('This draft of an edition was published or discarded before.');
    }
    try {
      return withStorageErrors(this.#parts.folder.path, action);
    } catch (fault) {
      this.discard();
      throw fault;
    }
  }

  /**
   * Folder first, row last: a row never lacks its folder, and a folder without a row is nothing.
   * Returns the numbers of the new edition and of those given up for it.
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
        const current = catalogue.current()?.number;
        demandExpected(expectedCurrent, current);
        const publishedAt = now().toISOString();
        const edition = { importedAt: importedAt.toISOString(), publishedAt, manifestChecksum };
        const number = catalogue.add({ ...description, ...edition }, current);
        catalogue.makeCurrent(number, publishedAt);
        // The edition being replaced is the way back if the new one turns out bad: it goes last.
        const older = catalogue
          .list()
          .filter((old) => old.isOnDisk && old.number !== number)
          .map((old) => old.number)
          .sort((one, other) => Number(other === current) - Number(one === current) || other - one);
        const pruned = older.slice(keep - 1);
        for (const old of pruned) {
          catalogue.markPruned(old, publishedAt);
        }
        renamedTo = editionPath(folder, number);
        renameSync(path, renamedTo);
        syncFolder(folder.editions);
        return { number, pruned };
      });
    } catch (fault) {
      // Should the commit turn out to be on the disk after all, its row must find the folder.
      if (renamedTo !== undefined && !isUnsynced(fault)) {
        removeQuietly(renamedTo);
      }
      throw fault;
    }
  }
}

function demandExpected(expected: number | undefined, current: number | undefined): void {
  if (expected !== undefined && expected !== current) {
    throw new StorageError(
      'refused',
      `Edition ${current ?? 'none'} became current during the import, which compared with ` +
        `${expected}; import again.`,
    );
  }
}
