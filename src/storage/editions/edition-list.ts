/**
 * The list of editions, judged from its rows: which edition is current, which ones are kept or were
 * replaced, what the next one adds, and what is damaged. Every kind of store keeps these rows.
 */
import { deflateSync } from 'node:zlib';
import {
  type ChangeKind,
  type EditionDescription,
  EditionGoneError,
  type EditionInfo,
  type ReplacedEdition,
} from '../../directory/edition/edition-store.ts';
import { StorageError } from '../files/storage-error.ts';

/** Rows are never removed. Their numbers begin at 1, without gaps. */
export interface EditionRow
  extends Pick<EditionInfo, 'number' | 'source' | 'records' | 'added' | 'changed' | 'removed'> {
  readonly publication_date: string;
  readonly imported_at: string;
  readonly published_at: string;
  readonly manifest_checksum: number;
  /** When its data was removed; null while it can be loaded. */
  readonly pruned_at: string | null;
  readonly compared_to: number | null;
}

export const EDITION_COLUMNS = [
  'number',
  'publication_date',
  'source',
  'records',
  'imported_at',
  'published_at',
  'manifest_checksum',
  'pruned_at',
  'compared_to',
  'added',
  'changed',
  'removed',
] satisfies readonly (keyof EditionRow)[];

/** A row without what a kind of store adds to it. */
export function plainRow(row: EditionRow): EditionRow {
  const values: unknown = Object.fromEntries(EDITION_COLUMNS.map((name) => [name, row[name]]));
  return values as EditionRow;
}

/** The rows that a new edition adds. */
export interface AddedEdition<Row extends EditionRow> {
  readonly edition: DetailedEdition;
  /** The row that makes it the current one. */
  readonly publication: PublicationRow;
  /** The rows of the editions whose data it displaces. */
  readonly displaced: readonly Row[];
}

/** An edition with the details of its difference to the one before. */
export interface DetailedEdition extends EditionRow {
  /** The counts of changes by role: JSON. */
  readonly byRole: string;
  /** By kind of change: the codes, ascending, one on each line, compressed with zlib. */
  readonly codes: Readonly<Record<ChangeKind, Uint8Array>>;
}

/** A detail of the difference of an edition to the one before: codes, or the counts by role. */
export type ChangeDetail = ChangeKind | 'by-role';

/** Each time that an edition became current. */
export interface PublicationRow {
  /** From 1, without gaps. */
  readonly id: number;
  readonly edition: number;
  readonly published_at: string;
}

/** All rows, in the order of their numbers. */
export interface ListRows<Row extends EditionRow> {
  readonly editions: readonly Row[];
  readonly publications: readonly PublicationRow[];
  /** The highest numbers that were ever written, if the store knows them. */
  readonly written?: { readonly edition: number; readonly publication: number };
}

/** An edition whose data is complete, before its publication. */
export interface MadeEdition {
  readonly description: EditionDescription;
  readonly importedAt: string;
  readonly manifestChecksum: number;
  /** As in `PublishOptions`. */
  readonly keep: number;
  readonly expectedCurrent: number | undefined;
}

/** Rows with a wrong checksum are ignored. */
export class EditionList<Row extends EditionRow = EditionRow> {
  readonly rows: ListRows<Row>;
  readonly #isSound: (row: object) => boolean;
  readonly #editions: ReadonlyMap<number, Row>;
  readonly #publications: readonly PublicationRow[];

  constructor(rows: ListRows<Row>, isSound: (row: object) => boolean) {
    this.rows = rows;
    this.#isSound = isSound;
    const editions = rows.editions.filter(isSound);
    this.#editions = new Map(editions.map((row) => [row.number, row]));
    this.#publications = rows.publications.filter(
      (row) => isSound(row) && this.#editions.has(row.edition),
    );
  }

  infos(): EditionInfo[] {
    return [...this.#editions.keys()].flatMap((number) => this.info(number) ?? []);
  }

  info(number: number): EditionInfo | undefined {
    const row = this.#editions.get(number);
    return (
      row && {
        number,
        publicationDate: row.publication_date,
        source: row.source,
        records: row.records,
        importedAt: row.imported_at,
        publishedAt: row.published_at,
        added: row.added,
        changed: row.changed,
        removed: row.removed,
        isCurrent: number === this.#publications.at(-1)?.edition,
        isOnDisk: row.pruned_at === null,
      }
    );
  }

  current(): EditionInfo | undefined {
    const number = this.#publications.at(-1)?.edition;
    return number === undefined ? undefined : this.info(number);
  }

  row(number: number): Row | undefined {
    return this.#editions.get(number);
  }

  isKept(number: number): boolean {
    return this.row(number)?.pruned_at === null;
  }

  /** The row of an edition whose data is kept. Throws an `EditionGoneError` for any other. */
  kept(number: number): Row {
    const row = this.row(number);
    if (row?.pruned_at === null) return row;
    throw new EditionGoneError(number, row === undefined ? 'unknown' : 'pruned');
  }

  /** The rows of all editions whose data is kept, also damaged rows. */
  get keptRows(): readonly Row[] {
    return this.rows.editions.filter(({ pruned_at }) => pruned_at === null);
  }

  /** The publication after the last publication of an edition is the one that replaced it. */
  replaced(): ReplacedEdition[] {
    const last = new Map(this.#publications.map((row, at) => [row.edition, at]));
    return [...last]
      .sort(([, one], [, other]) => other - one)
      .flatMap(([number, at]) => {
        const next = this.#publications[at + 1];
        if (next === undefined || !this.isKept(number)) return [];
        const { published_at: publishedAt } = this.kept(number);
        return [{ number, publishedAt, replacedAt: next.published_at }];
      });
  }

  add(made: MadeEdition, now: Date): AddedEdition<Row> {
    const { records, source, publicationDate, difference, comparedTo } = made.description;
    const current = this.current()?.number;
    if (made.expectedCurrent !== undefined && made.expectedCurrent !== current) {
      throw new StorageError(
        'refused',
        `Edition ${current ?? 'none'} became current during the import, which compared with ` +
          `edition ${made.expectedCurrent}. Import again.`,
      );
    }
    const { editions, written } = this.rows;
    const edition: DetailedEdition = {
      number: Math.max(editions.at(-1)?.number ?? 0, soundNumber(written?.edition)) + 1,
      publication_date: publicationDate,
      source,
      records,
      imported_at: made.importedAt,
      published_at: this.#afterLast(now),
      manifest_checksum: made.manifestChecksum,
      pruned_at: null,
      compared_to: comparedTo ?? current ?? null,
      ...byChangeKind((kind) => difference[kind].length),
      byRole: JSON.stringify(difference.byRole),
      codes: byChangeKind((kind) => deflateSync(difference[kind].join('\n'))),
    };
    const publication = this.#publicationOf(edition);
    return { edition, publication, displaced: this.#displaced(made.keep) };
  }

  /** The row that makes an edition the current one. */
  #publicationOf({ number, published_at }: DetailedEdition): PublicationRow {
    const { publications, written } = this.rows;
    const last = Math.max(publications.at(-1)?.id ?? 0, soundNumber(written?.publication));
    return { id: last + 1, edition: number, published_at };
  }

  /**
   * The time of a publication: later than that of every edition before, also if the clock was set
   * back. Clients ask for what has changed since the last time that they have seen.
   */
  #afterLast(now: Date): string {
    const times = [...this.#editions.values(), ...this.#publications].map(({ published_at }) =>
      Date.parse(published_at),
    );
    const lastMs = times.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
    return new Date(Math.max(now.getTime(), lastMs + 1)).toISOString();
  }

  /** The damage found in the rows, as sentences. */
  findings(): readonly string[] {
    const { editions, publications, written } = this.rows;
    const changed = (name: string, row: object) =>
      this.#isSound(row) ? [] : [`${name}: its row was changed`];
    return [
      ...editions.flatMap((row) => changed(`edition ${row.number}`, row)),
      ...publications.flatMap((row) => changed(`publication ${row.id}`, row)),
      ...missingRows(
        'edition',
        editions.map(({ number }) => number),
        written?.edition,
      ),
      ...missingRows(
        'publication',
        publications.map(({ id }) => id),
        written?.publication,
      ),
    ];
  }

  /**
   * If `keep` editions are kept, with a new one. A bad edition is rolled back to the one that it
   * replaced, so that one is displaced last.
   */
  #displaced(keep: number): readonly Row[] {
    const current = this.current()?.number;
    return [...this.#editions.values()]
      .filter(({ pruned_at }) => pruned_at === null)
      .sort(
        ({ number: one }, { number: other }) =>
          Number(other === current) - Number(one === current) || other - one,
      )
      .slice(keep - 1);
  }
}

export function byChangeKind<Value>(
  of: (kind: ChangeKind) => Value,
): Readonly<Record<ChangeKind, Value>> {
  return { added: of('added'), changed: of('changed'), removed: of('removed') };
}

/** The damage in the details of an edition, of which the store has `count` rows. */
export function detailFindings(
  edition: number,
  rows: readonly { readonly kind: string; readonly isSound: boolean }[],
  count: number,
): readonly string[] {
  return [
    ...rows
      .filter(({ isSound }) => !isSound)
      .map(({ kind }) => `edition ${edition}: the list of codes that it ${kind} was changed`),
    ...(rows.length < count ? [`edition ${edition}: a list of changed codes is missing`] : []),
  ];
}

/** Rows are numbered from 1 without gaps. */
function missingRows(
  table: string,
  numbers: readonly number[],
  written: number | undefined,
): readonly string[] {
  const highest = numbers.at(-1) ?? 0;
  if (numbers.length === highest && highest === (written ?? highest)) return [];
  const end = written === undefined ? '' : `, and ${written} were written`;
  return [`${table}: there are ${numbers.length} rows up to number ${highest}${end}`];
}

/** A damaged number counts as none. */
function soundNumber(number: number | undefined): number {
  return Number.isSafeInteger(number) ? number! : 0;
}
