/** Builds the arrays of a list of links. */

import { jsonBytes } from '../arrays/array-named.ts';
import { type NamedArrays, sharedWords, withPrefix } from '../arrays/arrays.ts';
import { FirstNumbers, sortedByKey } from '../arrays/first-numbers.ts';
import { GrowingArray, takeAll } from '../arrays/growing-array.ts';
import type { LinksBatch } from '../record/record-batches.ts';
import { SourceError } from '../record/source.ts';
import { FLAG_BITS, FLAG_MASK, LINK_FLAGS, type LinkNames, type LinkRecord } from './open-links.ts';
import { endWord, startWord } from './period-words.ts';

/** Collects the links of records in any order; `finish` arranges those of the wanted records. */
export class LinksBuilder {
  readonly #prefix: string;
  readonly #targets: TextNumbers;
  readonly #types = new TextNumbers(TYPES_MAX);
  readonly #roles = new TextNumbers(ROLES_MAX);
  readonly #words = {
    first: words(),
    kinds: words(),
    ids: words(),
    targets: words(),
    targetRoles: words(),
    targetRoleIds: words(),
    periodFirst: words(),
    periodStarts: words(),
    periodEnds: words(),
  };
  /** The numbers in this builder for the types and roles of other builders. */
  readonly #numbersFrom = new Map<object, { readonly types: number[]; readonly roles: number[] }>();

  /** `targets` has a number for the code of each target, shared by all lists of an edition. */
  constructor(prefix: string, targets: TextNumbers) {
    this.#prefix = prefix;
    this.#targets = targets;
  }

  /** Call this before you add the links of the next record. */
  nextRecord(): void {
    this.#words.first.push(this.#words.ids.length);
  }

  add(
    type: string,
    flag: boolean | undefined,
    { uniqueId = 0, periods, target }: Omit<LinkRecord, 'type' | 'flag'>,
  ): void {
    this.#requireRoom(1);
    const role = target.primaryRole;
    this.#words.kinds.push((this.#typeNumber(type) << FLAG_BITS) | LINK_FLAGS.indexOf(flag));
    this.#words.ids.push(uniqueId);
    this.#words.targets.push(this.#targets.numberOf(target.code)!);
    this.#words.targetRoles.push(role === undefined ? 0 : this.#roleNumber(role) + 1);
    this.#words.targetRoleIds.push(target.primaryRoleId ?? 0);
    this.#words.periodFirst.push(this.#words.periodStarts.length);
    for (const period of periods) {
      this.#words.periodStarts.push(startWord(period));
      this.#words.periodEnds.push(endWord(period));
    }
  }

  /** Returns everything that was added since the last call. The builder keeps the numbers of its texts. */
  take(): LinksBatch {
    return { types: this.#types.take(), roles: this.#roles.take(), ...takeAll(this.#words) };
  }

  /**
   * Adds the links of a batch. `from` identifies the builder of the batch. `targets` has the numbers
   * in this builder for the targets of the batch.
   */
  append(batch: LinksBatch, from: object, targets: readonly number[]): void {
    this.#requireRoom(batch.ids.length);
    const numbers = this.#numbersFrom.get(from) ?? { types: [], roles: [] };
    this.#numbersFrom.set(from, numbers);
    for (const type of batch.types) numbers.types.push(this.#typeNumber(type));
    for (const role of batch.roles) numbers.roles.push(this.#roleNumber(role) + 1);
    const start = this.#words.ids.length;
    const periodStart = this.#words.periodStarts.length;
    this.#words.first.pushEach(batch.first, (first) => start + first);
    this.#words.kinds.pushEach(
      batch.kinds,
      (kind) => (numbers.types[kind >>> FLAG_BITS]! << FLAG_BITS) | (kind & FLAG_MASK),
    );
    this.#words.ids.pushAll(batch.ids);
    this.#words.targets.pushEach(batch.targets, (target) => targets[target]!);
    this.#words.targetRoles.pushEach(batch.targetRoles, (role) =>
      role === 0 ? 0 : numbers.roles[role - 1]!,
    );
    this.#words.targetRoleIds.pushAll(batch.targetRoleIds);
    this.#words.periodFirst.pushEach(batch.periodFirst, (first) => periodStart + first);
    this.#words.periodStarts.pushAll(batch.periodStarts);
    this.#words.periodEnds.pushAll(batch.periodEnds);
  }

  clear(): void {
    for (const array of Object.values(this.#words)) array.clear();
  }

  /** Calls `use` with the number of the code of each target that the wanted records have. */
  usedTargets(ordinals: Uint32Array, use: (code: number) => void): void {
    for (const ordinal of ordinals) {
      const end = this.#endOf(ordinal);
      for (let link = this.#words.first.array[ordinal]!; link < end; link++) {
        use(this.#words.targets.array[link]!);
      }
    }
  }

  /**
   * The arrays of the wanted records, which become rows 0, 1, … in the order given. `targetOf` maps
   * the number of a code to a target, of which there are `targetCount`. Types and roles are numbered
   * in the order in which the links have them.
   */
  finish(
    ordinals: Uint32Array,
    targetOf: (code: number) => number,
    targetCount: number,
  ): NamedArrays {
    const first = sharedWords(ordinals.length + 1);
    ordinals.forEach((ordinal, row) => {
      first[row + 1] = first[row]! + this.#endOf(ordinal) - this.#words.first.array[ordinal]!;
    });
    const wanted = this.#wanted(ordinals, first.at(-1)!);
    const gather = <T extends Uint16Array | Uint32Array>(
      target: T,
      from: GrowingArray<Uint32Array>,
    ) => {
      wanted.forEach((link, at) => {
        target[at] = from.array[link]!;
      });
      return target;
    };
    const count = wanted.length;
    const ids = gather(sharedWords(count), this.#words.ids);
    const targets = gather(sharedWords(count), this.#words.targets);
    for (let at = 0; at < count; at++) targets[at] = targetOf(targets[at]!);
    const types = new FirstNumbers();
    const kinds = gather(new Uint16Array(count), this.#words.kinds).map(
      (kind) => (types.numberOf(kind >>> FLAG_BITS) << FLAG_BITS) | (kind & FLAG_MASK),
    );
    const roles = new FirstNumbers();
    const targetRoles = gather(new Uint16Array(count), this.#words.targetRoles).map((role) =>
      role === 0 ? 0 : roles.numberOf(role - 1) + 1,
    );
    const names: LinkNames = {
      types: types.order.map((number) => this.#types.texts[number]!),
      roles: roles.order.map((number) => this.#roles.texts[number]!),
    };
    return withPrefix(this.#prefix, {
      first,
      kinds,
      ids,
      targets,
      'target-roles': targetRoles,
      'target-role-ids': gather(sharedWords(count), this.#words.targetRoleIds),
      ...this.#periodArrays(wanted),
      ...byTarget(targets, targetCount),
      'by-id': byId(ids),
      names: jsonBytes(names),
    });
  }

  #requireRoom(count: number): void {
    if (this.#words.ids.length + count > LINKS_MAX) throw tooMany(`${LINKS_MAX} ${this.#prefix}`);
  }

  #typeNumber(type: string): number {
    return this.#types.numberOf(type) ?? this.#tooManyNames();
  }

  #roleNumber(role: string): number {
    return this.#roles.numberOf(role) ?? this.#tooManyNames();
  }

  #tooManyNames(): never {
    throw tooMany(`${TYPES_MAX} types of ${this.#prefix} or ${ROLES_MAX} roles of targets`);
  }

  #endOf(ordinal: number): number {
    const { array, length } = this.#words.first;
    return ordinal + 1 < length ? array[ordinal + 1]! : this.#words.ids.length;
  }

  #periodEndOf(link: number): number {
    const { array, length } = this.#words.periodFirst;
    return link + 1 < length ? array[link + 1]! : this.#words.periodStarts.length;
  }

  /** The numbers of the links of the wanted records. */
  #wanted(ordinals: Uint32Array, count: number): Uint32Array {
    const wanted = new Uint32Array(count);
    let at = 0;
    for (const ordinal of ordinals) {
      const end = this.#endOf(ordinal);
      for (let link = this.#words.first.array[ordinal]!; link < end; link++) wanted[at++] = link;
    }
    return wanted;
  }

  #periodArrays(wanted: Uint32Array): NamedArrays {
    const first = sharedWords(wanted.length + 1);
    wanted.forEach((link, at) => {
      first[at + 1] = first[at]! + this.#periodEndOf(link) - this.#words.periodFirst.array[link]!;
    });
    const starts = sharedWords(first.at(-1)!);
    const ends = sharedWords(first.at(-1)!);
    wanted.forEach((link, at) => {
      const from = this.#words.periodFirst.array[link]!;
      const to = this.#periodEndOf(link);
      starts.set(this.#words.periodStarts.array.subarray(from, to), first[at]);
      ends.set(this.#words.periodEnds.array.subarray(from, to), first[at]);
    });
    return { 'period-first': first, 'period-starts': starts, 'period-ends': ends };
  }
}

/** Five times the number in the national release. `byId` multiplies it by an id without loss. */
const LINKS_MAX = 2 ** 22;
/** `kinds` has 14 bits for the type. The national release has about 10. */
const TYPES_MAX = 2 ** 14;
/** `target-roles` has 16 bits, and 0 for none. The national release has about 200. */
const ROLES_MAX = 2 ** 16 - 1;

function words(): GrowingArray<Uint32Array> {
  return new GrowingArray(Uint32Array, 1 << 10);
}

function tooMany(what: string): SourceError {
  return new SourceError(`An edition can have at most ${what}. Import a release of TRUD item 341.`);
}

function byTarget(targets: Uint32Array, targetCount: number): NamedArrays {
  const { sorted, first } = sortedByKey(targets, targetCount);
  return { 'by-target': sorted, 'by-target-first': first };
}

function byId(ids: Uint32Array): Uint32Array {
  const keys = new Float64Array(ids.length);
  let count = 0;
  ids.forEach((id, ordinal) => {
    if (id > 0) keys[count++] = id * LINKS_MAX + ordinal;
  });
  return Uint32Array.from(keys.subarray(0, count).sort(), (key) => key % LINKS_MAX);
}

/** Numbers texts from 0, in the order in which they first appear. */
export class TextNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The number of the text. Undefined for a new text if there are too many. */
  numberOf(text: string): number | undefined {
    const known = this.#numbers.get(text);
    if (known !== undefined || this.#texts.length >= this.#max) return known;
    const number = this.#texts.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  /** Returns the texts that were added since the last call. */
  take(): readonly string[] {
    const texts = this.#texts.slice(this.#taken);
    this.#taken = this.#texts.length;
    return texts;
  }
}
