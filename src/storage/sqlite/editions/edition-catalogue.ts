/** The rows of `directory.db`: the editions, which one is current, and their differences. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import type { RoleDifference } from '../../../directory/edition/difference.ts';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type DifferenceCounts,
} from '../../../directory/edition/edition-history.ts';
import type {
  EditionDescription,
  EditionDifference,
  EditionInfo,
  ReplacedEdition,
} from '../../../directory/edition/edition-store.ts';
import { createEditions } from '../migrations/directory/001-create-editions.ts';
import { addChecksums } from '../migrations/directory/002-add-checksums.ts';
import { catalogueFindings } from './catalogue-findings.ts';
import { addRowChecksum, type CheckedTable, checksumOf, isSound } from './row-checksum.ts';

export interface NewEdition extends EditionDescription {
  readonly importedAt: string;
  readonly publishedAt: string;
  /** CRC-32 of its folder's manifest. */
  readonly manifestChecksum: number;
}

/** Of `directory.db`. */
export const EDITION_MIGRATIONS = [createEditions, addChecksums];

type Row = Record<string, SQLOutputValue>;

/** Only rows with a correct checksum. Damaged rows are ignored. */
const WITH_SOUND = `
  WITH sound_edition AS (SELECT * FROM edition WHERE ${isSound('edition')}),
    sound_publication AS (
      SELECT * FROM publication
      WHERE ${isSound('publication')}
        AND EXISTS (SELECT 1 FROM sound_edition WHERE number = publication.edition))`;

const SELECT_EDITIONS = `${WITH_SOUND}
  SELECT number, publication_date, source, records, imported_at, published_at,
    added, changed, removed, pruned_at IS NULL AS is_on_disk,
    number = (SELECT edition FROM sound_publication ORDER BY id DESC LIMIT 1) AS is_current
  FROM sound_edition`;

/** The publication after the last publication of an edition is the one that replaced it. */
const SELECT_REPLACED = `${WITH_SOUND}
  SELECT e.number, e.published_at, p.published_at AS replaced_at
  FROM sound_edition AS e JOIN sound_publication AS p ON p.id =
    (SELECT min(id) FROM sound_publication WHERE id >
      (SELECT max(id) FROM sound_publication WHERE edition = e.number))
  WHERE e.pruned_at IS NULL
  ORDER BY p.id DESC`;

/** Statements over an open database. The caller closes the database. */
export class EditionCatalogue {
  readonly #database: DatabaseSync;
  readonly #current: StatementSync;

  constructor(database: DatabaseSync) {
    addRowChecksum(database);
    this.#database = database;
    this.#current = database.prepare(
      `${SELECT_EDITIONS}
       WHERE number = (SELECT edition FROM sound_publication ORDER BY id DESC LIMIT 1)`,
    );
  }

  current(): EditionInfo | undefined {
    return editionOf(this.#current.get());
  }

  find(number: number): EditionInfo | undefined {
    return editionOf(this.#database.prepare(`${SELECT_EDITIONS} WHERE number = ?`).get(number));
  }

  list(): EditionInfo[] {
    const rows = this.#database.prepare(`${SELECT_EDITIONS} ORDER BY number`).all();
    return rows.flatMap((row) => editionOf(row) ?? []);
  }

  replaced(): ReplacedEdition[] {
    return this.#database
      .prepare(SELECT_REPLACED)
      .all()
      .map((row) => ({
        number: integer(row, 'number'),
        publishedAt: text(row, 'published_at'),
        replacedAt: text(row, 'replaced_at'),
      }));
  }

  /** Whether there is a row, damaged or not, of an edition whose data is kept. */
  hasData(number: number): boolean {
    const row = this.#database
      .prepare('SELECT 1 FROM edition WHERE number = ? AND pruned_at IS NULL')
      .get(number);
    return row !== undefined;
  }

  /** The damage found in the rows, as sentences. */
  findings(): readonly string[] {
    return catalogueFindings(this.#database);
  }

  /** For an edition that exists. */
  manifestChecksum(number: number): number {
    const row = this.#database
      .prepare('SELECT manifest_checksum FROM edition WHERE number = ?')
      .get(number);
    return Number(row?.manifest_checksum);
  }

  difference(number: number): EditionDifference | undefined {
    const counts = this.differenceCounts(number);
    return (
      counts && {
        ...counts,
        added: this.#codes(number, 'added'),
        changed: this.#codes(number, 'changed'),
        removed: this.#codes(number, 'removed'),
      }
    );
  }

  /** The difference without the codes. */
  differenceCounts(number: number): DifferenceCounts | undefined {
    const row = this.#database
      .prepare(
        `SELECT compared_to, difference_by_role FROM edition
         WHERE number = ? AND ${isSound('edition')}`,
      )
      .get(number);
    if (row === undefined) {
      return undefined;
    }
    const byRole: RoleDifference[] = JSON.parse(text(row, 'difference_by_role'));
    return row.compared_to === null
      ? { byRole }
      : { byRole, comparedTo: integer(row, 'compared_to') };
  }

  /** The codes of one kind, ascending, one on each line. */
  codeList(number: number, kind: ChangeKind): string {
    const codes = this.#database
      .prepare(
        `SELECT codes FROM edition_difference
         WHERE edition = ? AND kind = ? AND ${isSound('edition_difference')}`,
      )
      .get(number, kind)?.codes;
    return codes instanceof Uint8Array ? inflateSync(codes).toString('latin1') : '';
  }

  /** Adds an edition that differs from `comparedTo` as described; returns its number. */
  add(edition: NewEdition, comparedTo: number | undefined): number {
    const { difference } = edition;
    const { lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO edition (publication_date, source, records, imported_at, published_at,
           manifest_checksum, compared_to, added, changed, removed, difference_by_role)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        edition.publicationDate,
        edition.source,
        edition.records,
        edition.importedAt,
        edition.publishedAt,
        edition.manifestChecksum,
        comparedTo ?? null,
        difference.added.length,
        difference.changed.length,
        difference.removed.length,
        JSON.stringify(difference.byRole),
      );
    this.#seal('edition', lastInsertRowid);
    const number = Number(lastInsertRowid);
    for (const kind of CHANGE_KINDS) {
      this.#addCodes(number, kind, difference[kind]);
    }
    return number;
  }

  makeCurrent(number: number, publishedAt: string): void {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO publication (edition, published_at) VALUES (?, ?)')
      .run(number, publishedAt);
    this.#seal('publication', lastInsertRowid);
  }

  markPruned(number: number, prunedAt: string): void {
    this.#database
      .prepare('UPDATE edition SET pruned_at = ? WHERE number = ?')
      .run(prunedAt, number);
    this.#seal('edition', number);
  }

  #addCodes(number: number, kind: ChangeKind, codes: readonly string[]): void {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO edition_difference (edition, kind, codes) VALUES (?, ?, ?)')
      .run(number, kind, deflateSync(codes.join('\n')));
    this.#seal('edition_difference', lastInsertRowid);
  }

  #seal(table: CheckedTable, row: number | bigint): void {
    this.#database
      .prepare(`UPDATE ${table} SET checksum = ${checksumOf(table)} WHERE rowid = ?`)
      .run(row);
  }

  #codes(number: number, kind: ChangeKind): string[] {
    const joined = this.codeList(number, kind);
    return joined === '' ? [] : joined.split('\n');
  }
}

function editionOf(row: Row | undefined): EditionInfo | undefined {
  return (
    row && {
      number: integer(row, 'number'),
      publicationDate: text(row, 'publication_date'),
      source: text(row, 'source'),
      records: integer(row, 'records'),
      importedAt: text(row, 'imported_at'),
      publishedAt: text(row, 'published_at'),
      added: integer(row, 'added'),
      changed: integer(row, 'changed'),
      removed: integer(row, 'removed'),
      isCurrent: row.is_current === 1,
      isOnDisk: row.is_on_disk === 1,
    }
  );
}

/** The tables are STRICT, so every value has the type of its column. */
function text(row: Row, column: string): string {
  return String(row[column]);
}

function integer(row: Row, column: string): number {
  return Number(row[column]);
}
