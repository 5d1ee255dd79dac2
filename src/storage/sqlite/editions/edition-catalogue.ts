/** The rows of `directory.db`: editions, which of them became current, and their differences. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { inflateSync } from 'node:zlib';
import { CHANGE_KINDS } from '../../../directory/edition/edition-store.ts';
import {
  type ChangeDetail,
  type DetailedEdition,
  detailFindings,
  EDITION_COLUMNS,
  EditionList,
  type EditionRow,
  type PublicationRow,
  plainRow,
} from '../../editions/edition-list.ts';
import { openWith, requireSchema, schemaVersion } from '../database/database.ts';
import { openToRead } from '../database/open-to-read.ts';
import {
  addChecksums,
  addRowChecksum,
  type CheckedTable,
  checksumOf,
  createEditions,
  isSound,
  viewsWithChecksums,
} from '../migrations/directory.ts';

/** Of `directory.db`. */
export const EDITION_MIGRATIONS = [createEditions, addChecksums];

/** The schema of version 0.1.0. It is read without a migration, which the first start does. */
const SCHEMA_WITHOUT_CHECKSUMS = 1;

/** Opens `directory.db` for reading, also of an earlier version. Throws a `StorageError`. */
export function openCatalogueToRead(path: string, open = openToRead): DatabaseSync {
  return openWith(
    path,
    () => open(path),
    (database) => {
      if (schemaVersion(database) === SCHEMA_WITHOUT_CHECKSUMS) database.exec(viewsWithChecksums);
      else requireSchema(database, path, EDITION_MIGRATIONS.length);
    },
  );
}

/** Statements over an open database. The caller closes the database. */
export class EditionCatalogue {
  readonly #database: DatabaseSync;
  readonly #version: StatementSync;
  #known: { readonly version: string; readonly list: EditionList } | undefined;

  constructor(database: DatabaseSync) {
    addRowChecksum(database);
    this.#database = database;
    // Changes of other connections and of this one.
    this.#version = database.prepare(
      'SELECT data_version, total_changes() FROM pragma_data_version',
    );
  }

  /** Reads the rows only if the database has changed, because servers look twice a second. */
  list(): EditionList {
    const version = JSON.stringify(this.#version.get());
    if (this.#known?.version !== version) this.#known = { version, list: this.read() };
    return this.#known.list;
  }

  /** Call it in the transaction that adds rows. */
  read(): EditionList {
    return new EditionList(
      {
        editions: this.#rows<EditionRow>('edition', EDITION_COLUMNS.join(', ')),
        publications: this.#rows<PublicationRow>('publication', 'id, edition, published_at'),
        written: { edition: this.#written('edition'), publication: this.#written('publication') },
      },
      (row) => 'is_sound' in row && row.is_sound === 1,
    );
  }

  /** Empty if it is missing or damaged. */
  detail(number: number, kind: ChangeDetail): string {
    const select =
      kind === 'by-role'
        ? this.#database.prepare(
            `SELECT difference_by_role AS detail FROM edition
             WHERE number = ? AND ${isSound('edition')}`,
          )
        : this.#database.prepare(
            `SELECT codes AS detail FROM edition_difference
             WHERE edition = ? AND kind = ? AND ${isSound('edition_difference')}`,
          );
    const key = kind === 'by-role' ? [number] : [number, kind];
    const detail = select.get(...key)?.detail;
    return detail instanceof Uint8Array
      ? inflateSync(detail).toString('latin1')
      : String(detail ?? '');
  }

  /** The damage found in the rows, as sentences. */
  findings(): readonly string[] {
    const list = this.read();
    const details = Map.groupBy(
      this.#rows<{ edition: number; kind: string; is_sound: number }>(
        'edition_difference',
        'edition, kind',
      ).map(({ edition, kind, is_sound }) => ({ edition, kind, isSound: is_sound === 1 })),
      ({ edition }) => edition,
    );
    return [
      ...list.findings(),
      ...list.rows.editions.flatMap(({ number }) =>
        detailFindings(number, details.get(number) ?? [], CHANGE_KINDS.length),
      ),
    ];
  }

  addEdition(edition: DetailedEdition): void {
    this.#insert('edition', { ...plainRow(edition), difference_by_role: edition.byRole });
    for (const kind of CHANGE_KINDS) {
      const codes = edition.codes[kind];
      this.#insert('edition_difference', { edition: edition.number, kind, codes });
    }
  }

  addPublication({ id, edition, published_at }: PublicationRow): void {
    this.#insert('publication', { id, edition, published_at });
  }

  markPruned(number: number, prunedAt: string): void {
    this.#database
      .prepare('UPDATE edition SET pruned_at = ? WHERE number = ?')
      .run(prunedAt, number);
    this.#seal('edition', number);
  }

  /** The tables are STRICT, so every value has the type of its column. */
  #rows<Row>(table: CheckedTable, columns: string): readonly Row[] {
    const select = this.#database.prepare(
      `SELECT ${columns}, ${isSound(table)} AS is_sound FROM ${table} ORDER BY 1`,
    );
    select.setReadBigInts(true); // A damaged number may be too large for JavaScript.
    return select.all().map((row) => {
      const values = Object.entries(row).map(([column, value]) => [
        column,
        typeof value === 'bigint' ? Number(value) : value,
      ]);
      return Object.fromEntries(values) as Row;
    });
  }

  /** The last number that SQLite assigned. */
  #written(table: CheckedTable): number {
    // A damaged number may be no number, or too large for JavaScript.
    const row = this.#database
      .prepare('SELECT CAST(max(seq) AS TEXT) AS seq FROM sqlite_sequence WHERE name = ?')
      .get(table);
    return Number(row?.seq ?? 0);
  }

  #insert(table: CheckedTable, row: Readonly<Record<string, SQLInputValue>>): void {
    const columns = Object.keys(row);
    const { lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      .run(...Object.values(row));
    this.#seal(table, lastInsertRowid);
  }

  #seal(table: CheckedTable, row: number | bigint): void {
    this.#database
      .prepare(`UPDATE ${table} SET checksum = ${checksumOf(table)} WHERE rowid = ?`)
      .run(row);
  }
}
