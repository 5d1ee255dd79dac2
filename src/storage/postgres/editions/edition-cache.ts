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
import { type DataFolder, FILE_MODE } from '../../data-folder.ts';
import { MANIFEST_NAME, removeQuietly } from '../../editions/edition-folder.ts';
import { withStorageErrors } from '../../storage-error.ts';
import type { Connection } from '../connection/connection.ts';
import { downloadFolder } from './edition-chunks.ts';
import type { CatalogueRows } from './edition-rows.ts';

/** The file of the list. `database` names the database that it is of. */
interface KeptList {
  readonly database: string;
  readonly rows: CatalogueRows;
}

/** The names of folders that are not complete begin with it. */
const UNFINISHED = '.';

/** A folder that is not complete after this time belongs to a program that was interrupted. */
const UNFINISHED_MS_MAX = 24 * 60 * 60 * 1000;

export class EditionCache {
  readonly #folder: DataFolder;
  readonly #database: string;
  readonly #fetches = new Map<string, Promise<string>>();

  /** `database` tells one database from another. */
  constructor(folder: DataFolder, database: string) {
    this.#folder = folder;
    this.#database = database;
  }

  /** The folder of an edition, which may be missing. */
  pathOf(content: string): string {
    return join(this.#folder.cache, content);
  }

  has(content: string): boolean {
    return existsSync(join(this.pathOf(content), MANIFEST_NAME));
  }

  /** A path for a folder that `keep` then gives its name. */
  newPath(): string {
    return join(this.#folder.cache, `${UNFINISHED}${randomUUID()}`);
  }

  /** Does nothing if another program has copied the same edition meanwhile. */
  keep(path: string, content: string): void {
    if (!this.has(content)) renameSync(path, this.pathOf(content));
  }

  /** Copies an edition from the database. Several calls at the same time copy it once. */
  fetch(content: string, connect: () => Promise<Connection>): Promise<string> {
    const known = this.#fetches.get(content);
    if (known !== undefined) return known;
    const fetching = this.#fetch(content, connect).finally(() => this.#fetches.delete(content));
    this.#fetches.set(content, fetching);
    return fetching;
  }

  remove(content: string): void {
    removeQuietly(this.pathOf(content));
  }

  /** Removes the editions that the database no longer keeps, and incomplete folders. */
  prune(kept: readonly string[]): void {
    for (const entry of readdirSync(this.#folder.cache, { withFileTypes: true })) {
      const path = join(this.#folder.cache, entry.name);
      if (!entry.isDirectory() || kept.includes(entry.name)) continue;
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

  get #listPath(): string {
    return join(this.#folder.cache, 'editions.json');
  }

  async #fetch(content: string, connect: () => Promise<Connection>): Promise<string> {
    const path = this.pathOf(content);
    if (this.has(content)) return path;
    const draft = this.newPath();
    const connection = await connect();
    try {
      await downloadFolder(connection, content, draft);
      withStorageErrors(path, () => this.keep(draft, content));
      return path;
    } finally {
      removeQuietly(draft);
      await connection.close();
    }
  }
}

function ageMsOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
