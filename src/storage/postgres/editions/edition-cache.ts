/**
 * The editions of a database that this machine has a copy of, and the list as it was last seen: a
 * server that starts while the database is unavailable serves from them.
 */
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { NamedArrays } from '../../../directory/arrays/arrays.ts';
import { hasArray, MANIFEST_NAME, removeQuietly } from '../../editions/edition-folder.ts';
import { loadEdition } from '../../editions/load-edition.ts';
import { type DataFolder, FILE_MODE, makePrivateFolder } from '../../files/data-folder.ts';
import { StorageError, withStorageErrors } from '../../files/storage-error.ts';
import { connect, withConnection } from '../connection/connection.ts';
import type { DatabaseAddress } from '../connection/database-address.ts';
import { downloadFolder, hasChunks } from './edition-chunks.ts';
import type { CatalogueRows, DatabaseEdition } from './edition-rows.ts';

/** The file of the list. `database` names the database that it is of. */
interface KeptList {
  readonly database: string;
  readonly rows: CatalogueRows;
}

/** The names of folders that are not complete begin with it. */
const UNFINISHED = '.';

/** A folder that is not complete after this time belongs to a program that was interrupted. */
const UNFINISHED_MS_MAX = 24 * 60 * 60 * 1000;

/** A download ends with its connection, and must not delay small queries. */
export const DOWNLOAD = { name: 'gazetteer copy', statementTimeoutMs: 60_000 } as const;

/** Tells one database from another. */
export function databaseNameOf({ hosts, database }: DatabaseAddress): string {
  return `${hosts.map(({ name, port }) => `${name}:${port}`).join(',')}/${database}`;
}

export class EditionCache {
  readonly #path: string;
  readonly #address: DatabaseAddress;
  readonly #fetches = new Map<string, Promise<string>>();

  /** Makes its folder if it is missing. */
  constructor({ cache: path }: DataFolder, address: DatabaseAddress) {
    withStorageErrors(path, () => makePrivateFolder(path));
    this.#path = path;
    this.#address = address;
  }

  /** Copies the edition again if the copy is damaged. */
  async load({ content, manifest_checksum }: DatabaseEdition): Promise<NamedArrays> {
    const wasCached = this.#has(content);
    const folder = { path: await this.fetch(content), manifestChecksum: manifest_checksum };
    try {
      return await loadEdition(folder);
    } catch (error) {
      if (!wasCached || !(error instanceof StorageError) || error.kind !== 'damaged') throw error;
      removeQuietly(folder.path);
      await this.fetch(content);
      return await loadEdition(folder);
    }
  }

  async hasArray({ content }: DatabaseEdition, name: string): Promise<boolean> {
    if (this.#has(content)) return hasArray(this.#pathOf(content), name);
    await using connection = await connect(this.#address, DOWNLOAD);
    return await hasChunks(connection, content, `${name}.bin`);
  }

  /** A path for a folder that `keep` then gives its name. */
  newPath(): string {
    return join(this.#path, `${UNFINISHED}${randomUUID()}`);
  }

  /** Does nothing if another program has copied the same edition meanwhile. */
  keep(path: string, content: string): void {
    if (!this.#has(content)) renameSync(path, this.#pathOf(content));
  }

  /** Copies an edition from the database. Several calls at the same time copy it once. */
  fetch(content: string): Promise<string> {
    const known = this.#fetches.get(content);
    if (known !== undefined) return known;
    const fetching = this.#fetch(content).finally(() => this.#fetches.delete(content));
    this.#fetches.set(content, fetching);
    return fetching;
  }

  /** Removes the editions that the database no longer keeps, and incomplete folders. */
  prune(kept: readonly DatabaseEdition[]): void {
    const contents = new Set(kept.map(({ content }) => content));
    for (const entry of readdirSync(this.#path, { withFileTypes: true })) {
      const path = join(this.#path, entry.name);
      if (!entry.isDirectory() || contents.has(entry.name)) continue;
      if (entry.name.startsWith(UNFINISHED) && ageMsOf(path) < UNFINISHED_MS_MAX) continue;
      removeQuietly(path);
    }
  }

  /** Undefined if there is no list of this database. */
  readList(): CatalogueRows | undefined {
    try {
      const list: KeptList = JSON.parse(readFileSync(this.#listPath, 'utf8'));
      return list.database === this.#database ? list.rows : undefined;
    } catch {
      return undefined; // The file is missing or damaged. The database has the list.
    }
  }

  writeList(rows: CatalogueRows): void {
    const list: KeptList = { database: this.#database, rows };
    const draft = `${this.#listPath}.new`;
    withStorageErrors(draft, () => {
      writeFileSync(draft, JSON.stringify(list), { mode: FILE_MODE });
      renameSync(draft, this.#listPath);
    });
  }

  get #database(): string {
    return databaseNameOf(this.#address);
  }

  /** The folder of an edition, which may be missing. */
  #pathOf(content: string): string {
    return join(this.#path, content);
  }

  #has(content: string): boolean {
    return existsSync(join(this.#pathOf(content), MANIFEST_NAME));
  }

  get #listPath(): string {
    return join(this.#path, 'editions.json');
  }

  async #fetch(content: string): Promise<string> {
    const path = this.#pathOf(content);
    if (this.#has(content)) return path;
    const draft = this.newPath();
    try {
      await withConnection(this.#address, DOWNLOAD, (connection) =>
        downloadFolder(connection, content, draft),
      );
      withStorageErrors(path, () => this.keep(draft, content));
      return path;
    } finally {
      removeQuietly(draft);
    }
  }
}

function ageMsOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
