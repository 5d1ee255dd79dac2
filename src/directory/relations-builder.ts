/** Builds the relationships and successions of an edition from records. */
import type { NamedArrays } from './arrays.ts';
import { createTextWriter } from './index/text-list.ts';
import { LinksBuilder } from './links/links-builder.ts';
import { TextNumbers } from './links/text-numbers.ts';
import type { SourceRecord } from './record.ts';
import { type NumberedCodes, RELATIONSHIPS, SUCCESSIONS, TARGETS } from './relations.ts';

/** Collects the relations of records in any order. */
export class RelationsBuilder {
  readonly #codes = new TextNumbers(Number.POSITIVE_INFINITY);
  readonly #relationships = new LinksBuilder(RELATIONSHIPS, this.#codes);
  readonly #successions = new LinksBuilder(SUCCESSIONS, this.#codes);

  /** Adds the relations of the next record. */
  add({
    relationships = [],
    successions = [],
  }: Pick<SourceRecord, 'relationships' | 'successions'>): void {
    this.#relationships.addRecord(
      relationships.map(({ isActive, ...relationship }) => ({ ...relationship, flag: isActive })),
    );
    this.#successions.addRecord(
      successions.map(({ kind, isForward, ...succession }) => ({
        ...succession,
        type: kind,
        flag: isForward,
      })),
    );
  }

  /** The arrays of the wanted records, which become the rows of these codes in the order given. */
  finish(ordinals: Uint32Array, { rowCount, rowOf }: NumberedCodes): NamedArrays {
    const texts = this.#codes.texts;
    const others = texts.filter((code) => rowOf(code) === undefined).sort();
    const numbers = new Map(others.map((code, at) => [code, rowCount + at]));
    const targets = Uint32Array.from(texts, (code) => rowOf(code) ?? numbers.get(code)!);
    const targetOf = (code: number) => targets[code]!;
    const targetCount = rowCount + others.length;
    const writer = createTextWriter();
    for (const code of others) writer.add(code);
    const { bytes, starts } = writer.finish();
    return {
      [`${TARGETS}.text`]: bytes,
      [`${TARGETS}.starts`]: starts,
      ...this.#relationships.finish(ordinals, targetOf, targetCount),
      ...this.#successions.finish(ordinals, targetOf, targetCount),
    };
  }
}
