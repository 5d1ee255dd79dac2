/** Builds the records of an edition: the rows of both sections, and the links between them. */

import type { NamedArrays } from '../arrays/arrays.ts';
import { GrowingArray } from '../arrays/growing-array.ts';
import { NO_ROW } from '../arrays/rows-before.ts';
import type { NumberedCodes } from '../links/edition-links.ts';
import { EditionLinksBuilder } from '../links/edition-links-builder.ts';
import type { SourceRecord } from '../record/record.ts';
import { type RecordsBatch, SOURCE_HASHES } from '../record/record-batches.ts';
import { detailHash } from './difference.ts';
import { batchOfEdition } from './edition-batch.ts';
import { hashesOf, RowsBuilder } from './rows-builder.ts';

/** The wanted records of each section by their ordinals, in the order of their codes. */
export interface SectionOrdinals {
  readonly full: Uint32Array;
  readonly references: Uint32Array;
}

/** The edition that records are kept from, and row → the row there of the same section, or NO_ROW. */
export interface KeptRows {
  readonly arrays: NamedArrays;
  readonly was: Readonly<Record<keyof SectionOrdinals, Uint32Array>>;
}

/** Collects records in any order. Their ordinals are counted from 0. */
export class RecordsBuilder {
  readonly #full = new RowsBuilder();
  readonly #references = new RowsBuilder();
  readonly #links = new EditionLinksBuilder();
  /** The ordinal of each record in the builder of its section, and 1 in the lowest bit for references. */
  readonly #places = new GrowingArray(Uint32Array, 1 << 12);
  readonly #detailHashes = new GrowingArray(Uint32Array, 1 << 13);
  readonly #sourceHashes = new GrowingArray(Uint32Array, 1 << 13);
  /** The edition that records are kept from, the ordinal of its first record, and their number. */
  #kept: { readonly arrays: NamedArrays; readonly first: number; readonly end: number } | undefined;

  get count(): number {
    return this.#places.length;
  }

  /** Adds a record and returns its ordinal. */
  add(record: SourceRecord): number {
    const ordinal = this.count;
    const isReferenceOnly = record.isReferenceOnly === true;
    const section = isReferenceOnly ? this.#references : this.#full;
    this.#places.push(section.add(record) * 2 + Number(isReferenceOnly));
    this.#links.add(record);
    for (const word of detailHash(record)) this.#detailHashes.push(word);
    this.source(ordinal, NO_SOURCE);
    return ordinal;
  }

  /** The hash of the bytes that a record was read from. */
  source(ordinal: number, [high, low]: readonly [high: number, low: number]): void {
    this.#sourceHashes.put(2 * ordinal, high);
    this.#sourceHashes.put(2 * ordinal + 1, low);
  }

  /**
   * The ordinal of a record of an edition, whose rows are numbered over both sections. The first call
   * adds all records of the edition. All calls must be about the same edition.
   */
  keep(arrays: NamedArrays, row: number): number {
    if (this.#kept === undefined) {
      const first = this.append(batchOfEdition(arrays), arrays);
      this.#kept = { arrays, first, end: this.count - first };
    }
    return this.#kept.first + row;
  }

  /** Returns everything that was added since the last call. */
  take(): RecordsBatch {
    return {
      full: this.#full.take(),
      references: this.#references.take(),
      links: this.#links.take(),
      places: this.#places.take(),
      detailHashes: this.#detailHashes.take(),
      sourceHashes: this.#sourceHashes.take(),
    };
  }

  /**
   * Adds the records of a batch, and returns the ordinal of the first one. `from` identifies the
   * builder of the batch. The batches of a builder must come in order.
   */
  append(
    { full, references, links, places, detailHashes, sourceHashes }: RecordsBatch,
    from: object,
  ): number {
    const first = this.count;
    const starts = [this.#full.count * 2, this.#references.count * 2] as const;
    this.#places.pushEach(places, (place) => place + starts[place & 1 ? 1 : 0]);
    this.#full.append(full, from);
    this.#references.append(references, from);
    this.#links.append(links, from);
    this.#detailHashes.pushAll(detailHashes);
    this.#sourceHashes.pushAll(sourceHashes);
    return first;
  }

  /** Returns the memory of the records. Call this when the arrays are built. */
  clear(): void {
    const arrays = [this.#places, this.#detailHashes, this.#sourceHashes];
    for (const part of [this.#full, this.#references, this.#links, ...arrays]) part.clear();
  }

  /** Which of the wanted records are kept. Undefined if no record was kept. */
  keptRows({ full, references }: SectionOrdinals): KeptRows | undefined {
    if (this.#kept === undefined) return undefined;
    const { arrays, first, end } = this.#kept;
    const fullCount = arrays['rows.shape']!.length;
    const rowOf = (ordinal: number, from: number, end: number) => {
      const row = ordinal - first;
      return row >= from && row < end ? row - from : NO_ROW;
    };
    return {
      arrays,
      was: {
        full: full.map((ordinal) => rowOf(ordinal, 0, fullCount)),
        references: references.map((ordinal) => rowOf(ordinal, fullCount, end)),
      },
    };
  }

  rowsOf({ full, references }: SectionOrdinals): {
    readonly full: NamedArrays;
    readonly references: NamedArrays;
  } {
    const place = (ordinal: number) => this.#places.array[ordinal]! >>> 1;
    return {
      full: this.#full.finish(full.map(place)),
      references: this.#references.finish(references.map(place)),
    };
  }

  /** `codes` are those of the rows of both sections. */
  linksOf(ordinals: SectionOrdinals, codes: NumberedCodes): NamedArrays {
    return this.#links.finish(ofBoth(ordinals), codes);
  }

  /** The hashes over what `detailHash` covers. */
  detailsOf(ordinals: SectionOrdinals): NamedArrays {
    return { 'details.hashes': hashesOf(ofBoth(ordinals), this.#detailHashes) };
  }

  sourcesOf(ordinals: SectionOrdinals): NamedArrays {
    return { [SOURCE_HASHES]: hashesOf(ofBoth(ordinals), this.#sourceHashes) };
  }
}

const NO_SOURCE = [0, 0] as const;

function ofBoth({ full, references }: SectionOrdinals): Uint32Array {
  const ordinals = new Uint32Array(full.length + references.length);
  ordinals.set(full);
  ordinals.set(references, full.length);
  return ordinals;
}
