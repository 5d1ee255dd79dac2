/** The list of editions of a database: all editions, the current one, and the replaced ones. */
import type { EditionInfo, ReplacedEdition } from '../../../directory/edition/edition-store.ts';
import { requireKept } from '../../editions/edition-rules.ts';
import {
  type CatalogueRows,
  type Checked,
  type EditionRow,
  isSoundRow,
  type PublicationRow,
} from './edition-rows.ts';

/** Rows with a wrong checksum are ignored. */
export class EditionList {
  readonly rows: CatalogueRows;
  readonly #editions: ReadonlyMap<number, EditionRow>;
  readonly #publications: readonly PublicationRow[];

  constructor(rows: CatalogueRows) {
    this.rows = rows;
    const editions = rows.editions.filter(isSoundRow);
    this.#editions = new Map(editions.map((row) => [row.number, row]));
    this.#publications = rows.publications.filter(
      (row) => isSoundRow(row) && this.#editions.has(row.edition),
    );
  }

  /** The number of publications; see `readVersion`. */
  get version(): number {
    return this.rows.publications.at(-1)?.id ?? 0;
  }

  /** The number of an edition that is added. */
  get nextNumber(): number {
    return (this.rows.editions.at(-1)?.number ?? 0) + 1;
  }

  list(): EditionInfo[] {
    return [...this.#editions.values()].map((row) => this.#infoOf(row));
  }

  current(): EditionInfo | undefined {
    const number = this.#publications.at(-1)?.edition;
    return number === undefined ? undefined : this.find(number);
  }

  find(number: number): EditionInfo | undefined {
    const row = this.#editions.get(number);
    return row && this.#infoOf(row);
  }

  /** The row of an edition whose data is kept. Throws an `EditionGoneError` for any other. */
  kept(number: number): EditionRow {
    requireKept(this.find(number), number);
    return this.#editions.get(number)!;
  }

  row(number: number): EditionRow | undefined {
    return this.#editions.get(number);
  }

  /** The names of the data of all editions that are kept, also of damaged rows. */
  get keptContents(): readonly string[] {
    return this.rows.editions.flatMap((row) => (row.pruned_at === null ? [row.content] : []));
  }

  /** The publication after the last publication of an edition is the one that replaced it. */
  replaced(): ReplacedEdition[] {
    const last = new Map(this.#publications.map((row, at) => [row.edition, at]));
    return [...last]
      .sort(([, one], [, other]) => other - one)
      .flatMap(([number, at]) => {
        const edition = this.#editions.get(number);
        const next = this.#publications[at + 1];
        if (edition === undefined || edition.pruned_at !== null || next === undefined) return [];
        const { published_at: publishedAt } = edition;
        return [{ number, publishedAt, replacedAt: next.published_at }];
      });
  }

  /** The damage found in the rows, as sentences. */
  findings(): readonly string[] {
    const { editions, publications } = this.rows;
    return [
      ...changedRows(editions, ({ number }) => `edition ${number}`),
      ...changedRows(publications, ({ id }) => `publication ${id}`),
      ...missingRows('edition', editions.length, editions.at(-1)?.number ?? 0),
      ...missingRows('publication', publications.length, publications.at(-1)?.id ?? 0),
    ];
  }

  #infoOf(row: EditionRow): EditionInfo {
    return {
      number: row.number,
      publicationDate: row.publication_date,
      source: row.source,
      records: row.records,
      importedAt: row.imported_at,
      publishedAt: row.published_at,
      added: row.added,
      changed: row.changed,
      removed: row.removed,
      isCurrent: row.number === this.#publications.at(-1)?.edition,
      isOnDisk: row.pruned_at === null,
    };
  }
}

function changedRows<Row>(
  rows: readonly Checked<Row>[],
  nameOf: (row: Row) => string,
): readonly string[] {
  return rows.flatMap((row) => (isSoundRow(row) ? [] : [`${nameOf(row)}: its row was changed`]));
}

/** Rows are numbered from 1 without gaps. */
function missingRows(table: string, count: number, highest: number): readonly string[] {
  return count === highest ? [] : [`${table}: there are ${count} rows up to number ${highest}`];
}
