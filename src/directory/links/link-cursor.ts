/** Reads many links one after the other, without creating an object for each. */
import type { PeriodRecord } from '../record/record.ts';
import { FLAG_BITS, LINK_FLAGS } from './link.ts';

/** The arrays of a list of links. */
export interface LinkArrays {
  readonly first: Uint32Array;
  readonly kinds: { readonly [ordinal: number]: number };
  readonly ids: Uint32Array;
  readonly targets: Uint32Array;
  readonly types: readonly string[];
  /** Target → its code. */
  readonly codeOf: (target: number) => string;
  readonly periodsOf: (ordinal: number) => readonly PeriodRecord[];
}

/** The link of the last call of `moveTo`. */
export class LinkCursor {
  ordinal = 0;
  sourceRow = 0;
  readonly #arrays: LinkArrays;
  readonly #targets: { readonly code: string }[] = [];
  #periods: readonly PeriodRecord[] | undefined;

  constructor(arrays: LinkArrays) {
    this.#arrays = arrays;
  }

  /** Fast in ascending order. */
  moveTo(ordinal: number): this {
    const { first } = this.#arrays;
    if (ordinal < this.ordinal) this.sourceRow = 0;
    while (first[this.sourceRow + 1]! <= ordinal) this.sourceRow++;
    this.ordinal = ordinal;
    this.#periods = undefined;
    return this;
  }

  get type(): string {
    return this.#arrays.types[this.#kind >>> FLAG_BITS]!;
  }

  get isActive(): boolean {
    return LINK_FLAGS[this.#kind & (2 ** FLAG_BITS - 1)] === true;
  }

  get uniqueId(): number | undefined {
    const id = this.#arrays.ids[this.ordinal]!;
    return id > 0 ? id : undefined;
  }

  get periods(): readonly PeriodRecord[] {
    this.#periods ??= this.#arrays.periodsOf(this.ordinal);
    return this.#periods;
  }

  /** Many links have the same target. */
  get target(): { readonly code: string } {
    const { targets, codeOf } = this.#arrays;
    const number = targets[this.ordinal]!;
    this.#targets[number] ??= { code: codeOf(number) };
    return this.#targets[number];
  }

  get #kind(): number {
    return this.#arrays.kinds[this.ordinal]!;
  }
}
