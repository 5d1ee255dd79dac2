/** Builds the relationships and successions of an edition from records. */

import type { NamedArrays } from '../arrays/arrays.ts';
import { encodeTexts } from '../arrays/text-list.ts';
import type { SourceRecord } from '../record/record.ts';
import type { EditionLinksBatch } from '../record/record-batches.ts';
import {
  type EditionLinks,
  type NumberedCodes,
  openEditionLinks,
  RELATIONSHIPS,
  SUCCESSIONS,
  TARGETS,
} from './edition-links.ts';
import { LinksBuilder, TextNumbers } from './links-builder.ts';

/** Collects the links of records in any order. */
export class EditionLinksBuilder {
  readonly #codes = new TextNumbers(Number.POSITIVE_INFINITY);
  readonly #relationships = new LinksBuilder(RELATIONSHIPS, this.#codes);
  readonly #successions = new LinksBuilder(SUCCESSIONS, this.#codes);
  /** The numbers in this builder for the codes of other builders. */
  readonly #codesFrom = new Map<object, number[]>();

  /** Adds the links of the next record. */
  add({
    relationships = [],
    successions = [],
  }: Pick<SourceRecord, 'relationships' | 'successions'>): void {
    this.#relationships.nextRecord();
    for (const relationship of relationships) {
      this.#relationships.add(relationship.type, relationship.isActive, relationship);
    }
    this.#successions.nextRecord();
    for (const succession of successions) {
      this.#successions.add(succession.kind, succession.isForward, succession);
    }
  }

  /** Returns everything that was added since the last call. */
  take(): EditionLinksBatch {
    return {
      codes: this.#codes.take(),
      relationships: this.#relationships.take(),
      successions: this.#successions.take(),
    };
  }

  /** Adds the links of a batch. `from` identifies the builder of the batch. */
  append({ codes, relationships, successions }: EditionLinksBatch, from: object): void {
    const numbers = this.#codesFrom.get(from) ?? [];
    this.#codesFrom.set(from, numbers);
    for (const code of codes) numbers.push(this.#codes.numberOf(code)!);
    this.#relationships.append(relationships, from, numbers);
    this.#successions.append(successions, from, numbers);
  }

  /** Returns the memory of the links. */
  clear(): void {
    this.#relationships.clear();
    this.#successions.clear();
  }

  /** The arrays of the wanted records, which become the rows of these codes in the order given. */
  finish(ordinals: Uint32Array, { rowCount, rowOf }: NumberedCodes): NamedArrays {
    const texts = this.#codes.texts;
    const isUsed = new Uint8Array(texts.length);
    for (const links of [this.#relationships, this.#successions]) {
      links.usedTargets(ordinals, (code) => {
        isUsed[code] = 1;
      });
    }
    const others = texts
      .filter((code, number) => isUsed[number] === 1 && rowOf(code) === undefined)
      .sort();
    const numbers = new Map(others.map((code, at) => [code, rowCount + at]));
    const targets = Uint32Array.from(texts, (code) => rowOf(code) ?? numbers.get(code) ?? 0);
    const targetOf = (code: number) => targets[code]!;
    const targetCount = rowCount + others.length;
    const { bytes, starts } = encodeTexts(others);
    return {
      [`${TARGETS}.text`]: bytes,
      [`${TARGETS}.starts`]: starts,
      ...this.#relationships.finish(ordinals, targetOf, targetCount),
      ...this.#successions.finish(ordinals, targetOf, targetCount),
    };
  }
}

/** The links of an edition that does not know them: there are none. */
export function noLinks(codes: NumberedCodes): EditionLinks {
  const none = new EditionLinksBuilder().finish(new Uint32Array(0), { ...codes, rowCount: 0 });
  return openEditionLinks(none, codes);
}
