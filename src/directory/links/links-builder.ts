/** Builds the arrays of a list of links. */
import { jsonBytes } from '../array-json.ts';
import { withPrefix } from '../array-prefix.ts';
import type { NamedArrays } from '../arrays.ts';
import { GrowingArray } from '../growing-array.ts';
import { SourceError } from '../import/source.ts';
import { FLAG_BITS, LINK_FLAGS, type LinkNames, type LinkRecord } from './link.ts';
import { endWord, startWord } from './period-words.ts';
import { TextNumbers } from './text-numbers.ts';

/** Collects the links of records in any order; `finish` arranges those of the wanted records. */
export class LinksBuilder {
  readonly #prefix: string;
  readonly #targets: TextNumbers;
  readonly #types = new TextNumbers(TYPES_MAX);
  readonly #roles = new TextNumbers(ROLES_MAX);
  readonly #first = words();
  readonly #kinds = words();
  readonly #ids = words();
  readonly #targetNumbers = words();
  readonly #targetRoles = words();
  readonly #targetRoleIds = words();
  readonly #periodFirst = words();
  readonly #periodStarts = words();
  readonly #periodEnds = words();

  /** `targets` has a number for the code of each target, shared by all lists of an edition. */
  constructor(prefix: string, targets: TextNumbers) {
    this.#prefix = prefix;
    this.#targets = targets;
  }

  /** Adds the links of the next record. */
  addRecord(links: readonly LinkRecord[]): void {
    this.#first.push(this.#ids.length);
    for (const link of links) this.#add(link);
  }

  /**
   * The arrays of the wanted records, which become rows 0, 1, … in the order given. `targetOf` maps
   * the number of a code to a target, of which there are `targetCount`.
   */
  finish(
    ordinals: Uint32Array,
    targetOf: (code: number) => number,
    targetCount: number,
  ): NamedArrays {
    const first = new Uint32Array(ordinals.length + 1);
    ordinals.forEach((ordinal, row) => {
      first[row + 1] = first[row]! + this.#endOf(ordinal) - this.#first.array[ordinal]!;
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
    const ids = gather(new Uint32Array(count), this.#ids);
    const targets = gather(new Uint32Array(count), this.#targetNumbers).map(targetOf);
    const names: LinkNames = { types: this.#types.texts, roles: this.#roles.texts };
    return withPrefix(this.#prefix, {
      first,
      kinds: gather(new Uint16Array(count), this.#kinds),
      ids,
      targets,
      'target-roles': gather(new Uint16Array(count), this.#targetRoles),
      'target-role-ids': gather(new Uint32Array(count), this.#targetRoleIds),
      ...this.#periodArrays(wanted),
      ...byTarget(targets, targetCount),
      'by-id': byId(ids),
      names: jsonBytes(names),
    });
  }

  #add({ type, flag, uniqueId = 0, periods, target }: LinkRecord): void {
    if (this.#ids.length >= LINKS_MAX) throw tooMany(`${LINKS_MAX} ${this.#prefix}`);
    const typeNumber = this.#types.numberOf(type);
    const role = target.primaryRole;
    const roleNumber = role === undefined ? 0 : (this.#roles.numberOf(role) ?? NaN) + 1;
    if (typeNumber === undefined || Number.isNaN(roleNumber)) {
      throw tooMany(`${TYPES_MAX} types of ${this.#prefix} or ${ROLES_MAX} roles of targets`);
    }
    this.#kinds.push((typeNumber << FLAG_BITS) | LINK_FLAGS.indexOf(flag));
    this.#ids.push(uniqueId);
    this.#targetNumbers.push(this.#targets.numberOf(target.code)!);
    this.#targetRoles.push(roleNumber);
    this.#targetRoleIds.push(target.primaryRoleId ?? 0);
    this.#periodFirst.push(this.#periodStarts.length);
    for (const period of periods) {
      this.#periodStarts.push(startWord(period));
      this.#periodEnds.push(endWord(period));
    }
  }

  #endOf(ordinal: number): number {
    const { array, length } = this.#first;
    return ordinal + 1 < length ? array[ordinal + 1]! : this.#ids.length;
  }

  #periodEndOf(link: number): number {
    const { array, length } = this.#periodFirst;
    return link + 1 < length ? array[link + 1]! : this.#periodStarts.length;
  }

  /** The numbers of the links of the wanted records. */
  #wanted(ordinals: Uint32Array, count: number): Uint32Array {
    const wanted = new Uint32Array(count);
    let at = 0;
    for (const ordinal of ordinals) {
      const end = this.#endOf(ordinal);
      for (let link = this.#first.array[ordinal]!; link < end; link++) wanted[at++] = link;
    }
    return wanted;
  }

  #periodArrays(wanted: Uint32Array): NamedArrays {
    const first = new Uint32Array(wanted.length + 1);
    wanted.forEach((link, at) => {
      first[at + 1] = first[at]! + this.#periodEndOf(link) - this.#periodFirst.array[link]!;
    });
    const starts = new Uint32Array(first.at(-1)!);
    const ends = new Uint32Array(first.at(-1)!);
    wanted.forEach((link, at) => {
      const from = this.#periodFirst.array[link]!;
      const to = this.#periodEndOf(link);
      starts.set(this.#periodStarts.array.subarray(from, to), first[at]);
      ends.set(this.#periodEnds.array.subarray(from, to), first[at]);
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
  const first = new Uint32Array(targetCount + 1);
  for (const target of targets) first[target + 1]!++;
  for (let target = 0; target < targetCount; target++) first[target + 1]! += first[target]!;
  const next = first.slice();
  const ordinals = new Uint32Array(targets.length);
  targets.forEach((target, ordinal) => {
    ordinals[next[target]!++] = ordinal;
  });
  return { 'by-target': ordinals, 'by-target-first': first };
}

function byId(ids: Uint32Array): Uint32Array {
  const keys = new Float64Array(ids.length);
  let count = 0;
  ids.forEach((id, ordinal) => {
    if (id > 0) keys[count++] = id * LINKS_MAX + ordinal;
  });
  return Uint32Array.from(keys.subarray(0, count).sort(), (key) => key % LINKS_MAX);
}
