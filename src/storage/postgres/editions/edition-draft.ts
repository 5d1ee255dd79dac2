/**
 * An edition that is being made: a local folder, which is copied to the database and published there
 * in one transaction.
 */
import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { CHANGE_KINDS } from '../../../directory/edition/edition-history.ts';
import type {
  EditionDescription,
  EditionDraft,
  EditionInfo,
  PublishOptions,
} from '../../../directory/edition/edition-store.ts';
import type { NumberArray } from '../../../directory/record/arrays.ts';
import { EditionFolderWriter, removeQuietly } from '../../editions/edition-folder.ts';
import { displacedBy, requireExpected, requireKeep } from '../../editions/edition-rules.ts';
import type { Lock } from '../../lock.ts';
import { StorageError, storageError, withStorageErrors } from '../../storage-error.ts';
import type { Connection } from '../connection/connection.ts';
import { ConnectionLost } from '../connection/database-error.ts';
import { EDITION_CHANNEL } from '../connection/shared-connection.ts';
import type { EditionCache } from './edition-cache.ts';
import { removeChunks, uploadFolder } from './edition-chunks.ts';
import { EditionList } from './edition-list.ts';
import {
  differenceChecksum,
  type EditionRow,
  insertRow,
  readCatalogueRows,
  withChecksum,
} from './edition-rows.ts';

interface DraftParts {
  /** Holds the lock of imports. */
  readonly connection: Connection;
  /** Opens another connection when this one is lost. It waits until the lock is free. */
  readonly reconnect: () => Promise<Connection>;
  /** The lock of imports on this machine. */
  readonly lock: Lock;
  readonly cache: EditionCache;
  readonly now: () => Date;
}

export class PostgresEditionDraft implements EditionDraft {
  readonly #parts: DraftParts;
  readonly #content = randomUUID();
  readonly #path: string;
  readonly #writer: EditionFolderWriter;
  readonly #importedAt: Date;
  #isOpen = true;

  constructor(parts: DraftParts) {
    this.#parts = parts;
    this.#importedAt = parts.now();
    this.#path = parts.cache.newPath();
    this.#writer = withStorageErrors(this.#path, () => new EditionFolderWriter(this.#path));
  }

  async write(name: string, array: NumberArray): Promise<void> {
    await this.#attempt(async () => this.#writer.write(name, array));
  }

  async publish(description: EditionDescription, options: PublishOptions): Promise<EditionInfo> {
    const { cache } = this.#parts;
    const published = await this.#attempt(async () => {
      requireKeep(options.keep);
      const manifestChecksum = this.#writer.finish();
      await uploadFolder(this.#parts.connection, this.#content, this.#path);
      return await this.#publish(description, manifestChecksum, options);
    });
    this.#isOpen = false;
    cache.keep(this.#path, this.#content);
    await this.#release();
    return published;
  }

  async discard(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // The next import removes what cannot be removed now.
    await removeChunks(this.#parts.connection, this.#content).catch(() => {});
    await this.#release();
  }

  async #release(): Promise<void> {
    removeQuietly(this.#path);
    await this.#parts.connection.close();
    this.#parts.lock.release();
  }

  async #attempt<Result>(action: () => Promise<Result>): Promise<Result> {
    if (!this.#isOpen) {
      throw new Error('This draft was published or discarded before.');
    }
    try {
      return await action();
    } catch (fault) {
      await this.discard();
      throw storageError(fault, this.#path);
    }
  }

  async #publish(
    description: EditionDescription,
    manifestChecksum: number,
    { keep, expectedCurrent }: PublishOptions,
  ): Promise<EditionInfo> {
    const { connection, now } = this.#parts;
    try {
      await connection.transaction(async () => {
        const catalogue = new EditionList(await readCatalogueRows(connection));
        requireExpected(expectedCurrent, catalogue.current()?.number);
        const publishedAt = now().toISOString();
        const edition = this.#rowOf(description, catalogue, { manifestChecksum, publishedAt });
        await insertRow(connection, 'edition', withChecksum(edition));
        await insertDifference(connection, edition.number, description);
        await insertPublication(connection, catalogue, edition.number, publishedAt);
        for (const number of displacedBy(catalogue.list(), keep)) {
          await prune(connection, catalogue.kept(number), publishedAt);
        }
      });
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      return await this.#findPublished(error);
    }
    return await publishedEdition(connection, this.#content);
  }

  /** The answer to the commit may be lost. The lock shows that its transaction has ended. */
  async #findPublished(lost: ConnectionLost): Promise<EditionInfo> {
    let connection: Connection;
    try {
      connection = await this.#parts.reconnect();
    } catch (error) {
      throw new StorageError(
        'unreachable',
        'The connection to the database was lost while the edition was published. It is not known ' +
          'whether it is current; look with "gazetteer editions" before you import again.',
        error,
      );
    }
    try {
      return await publishedEdition(connection, this.#content);
    } catch {
      throw lost;
    } finally {
      await connection.close();
    }
  }

  #rowOf(
    { publicationDate, source, records, difference }: EditionDescription,
    catalogue: EditionList,
    made: { readonly manifestChecksum: number; readonly publishedAt: string },
  ) {
    return {
      number: catalogue.nextNumber,
      content: this.#content,
      publication_date: publicationDate,
      source,
      records,
      imported_at: this.#importedAt.toISOString(),
      published_at: made.publishedAt,
      manifest_checksum: made.manifestChecksum,
      pruned_at: null,
      compared_to: catalogue.current()?.number ?? null,
      added: difference.added.length,
      changed: difference.changed.length,
      removed: difference.removed.length,
    } satisfies EditionRow;
  }
}

/** Makes an edition the current one, and tells the servers. Call it in a transaction. */
export async function insertPublication(
  connection: Connection,
  catalogue: EditionList,
  edition: number,
  publishedAt: string,
): Promise<void> {
  const row = { id: catalogue.version + 1, edition, published_at: publishedAt };
  await insertRow(connection, 'publication', withChecksum(row));
  await connection.query(`NOTIFY ${EDITION_CHANNEL}`);
}

async function insertDifference(
  connection: Connection,
  edition: number,
  { difference }: EditionDescription,
): Promise<void> {
  const texts = [
    ...CHANGE_KINDS.map((kind) => [kind, difference[kind].join('\n')] as const),
    ['by-role', JSON.stringify(difference.byRole)] as const,
  ];
  for (const [kind, text] of texts) {
    const row = { edition, kind, content: deflateSync(text) };
    await insertRow(connection, 'edition_difference', {
      ...row,
      checksum: differenceChecksum(row),
    });
  }
}

async function prune(connection: Connection, row: EditionRow, prunedAt: string): Promise<void> {
  const { checksum } = withChecksum({ ...row, pruned_at: prunedAt });
  await connection.query('UPDATE edition SET pruned_at = $2, checksum = $3 WHERE number = $1', [
    row.number,
    prunedAt,
    checksum,
  ]);
  await removeChunks(connection, row.content);
}

async function publishedEdition(connection: Connection, content: string): Promise<EditionInfo> {
  const catalogue = new EditionList(await readCatalogueRows(connection));
  const edition = catalogue.list().find(({ number }) => catalogue.row(number)?.content === content);
  if (edition === undefined) throw new StorageError('refused', 'The edition was not published.');
  return edition;
}
