/** Builds the records of an edition: the rows of both sections, and the relations between them. */

import { detailHash } from '../edition/difference.ts';
import type { NumberedCodes } from '../edition/relations.ts';
import { RelationsBuilder } from '../edition/relations-builder.ts';
import type { NamedArrays } from './arrays.ts';
import { GrowingArray } from './growing-array.ts';
import type { KeptRecord } from './kept-record.ts';
import type { SourceRecord } from './record.ts';
import type { RecordsBatch } from './record-batches.ts';
import { RowsBuilder } from './rows-builder.ts';

/** The wanted records of each section by their ordinals, in the order of their codes. */
export interface SectionOrdinals {
  readonly full: Uint32Array;
  readonly references: Uint32Array;
}

/** Collects records in any order. Their ordinals are counted from 0. */
export class RecordsBuilder {
  readonly #full = new RowsBuilder();
  readonly #references = new RowsBuilder();
  readonly #relations = new RelationsBuilder();
  /** The ordinal of each record in the builder of its section, and 1 in the lowest bit for references. */
  readonly #places = new GrowingArray(Uint32Array, 1 << 12);
  readonly #detailHashes = new GrowingArray(Uint32Array, 1 << 13);

  get count(): number {
    return this.#places.length;
  }

  /** Adds a record and returns its ordinal. */
  add(record: SourceRecord): number {
    const ordinal = this.count;
    const isReferenceOnly = record.isReferenceOnly === true;
    const section = isReferenceOnly ? this.#references : this.#full;
    this.#places.push(section.add(record) * 2 + Number(isReferenceOnly));
    this.#relations.add(record);
    for (const word of detailHash(record)) this.#detailHashes.push(word);
    return ordinal;
  }

  /** Adds a record as an edition stores it, and returns its ordinal. */
  keep({ rows, row, isReferenceOnly, relations, detailHash }: KeptRecord): number {
    const ordinal = this.count;
    const section = isReferenceOnly ? this.#references : this.#full;
    this.#places.push(section.keep(rows, row) * 2 + Number(isReferenceOnly));
    this.#relations.add(relations);
    for (const word of detailHash) this.#detailHashes.push(word);
    return ordinal;
  }

  /** Returns everything that was added since the last call. */
  take(): RecordsBatch {
    return {
      full: this.#full.take(),
      references: this.#references.take(),
      relations: this.#relations.take(),
      places: this.#places.take(),
      detailHashes: this.#detailHashes.take(),
    };
  }

  /**
   * Adds the records of a batch, and returns the ordinal of the first one. `from` identifies the
   * builder of the batch. The batches of a builder must come in order.
   */
  append(
    { full, references, relations, places, detailHashes }: RecordsBatch,
    from: object,
  ): number {
    const first = this.count;
    const starts = [this.#full.count * 2, this.#references.count * 2] as const;
    for (const place of places) this.#places.push(place + starts[place & 1 ? 1 : 0]);
    this.#full.append(full, from);
    this.#references.append(references, from);
    this.#relations.append(relations, from);
    this.#detailHashes.pushAll(detailHashes);
    return first;
  }

  /** Returns the memory of the records. Call this when the arrays are built. */
  clear(): void {
    this.#full.clear();
    this.#references.clear();
    this.#relations.clear();
    this.#places.clear();
    this.#detailHashes.clear();
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
  relationsOf({ full, references }: SectionOrdinals, codes: NumberedCodes): NamedArrays {
    const ordinals = new Uint32Array(full.length + references.length);
    ordinals.set(full);
    ordinals.set(references, full.length);
    const hashes = new Uint32Array(ordinals.length * 2);
    ordinals.forEach((ordinal, row) => {
      hashes[2 * row] = this.#detailHashes.array[2 * ordinal]!;
      hashes[2 * row + 1] = this.#detailHashes.array[2 * ordinal + 1]!;
    });
    return { ...this.#relations.finish(ordinals, codes), 'details.hashes': hashes };
  }
}
