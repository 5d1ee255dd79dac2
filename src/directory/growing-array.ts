/** An array of numbers that doubles when it is full. */

type Numbers = Uint8Array | Uint32Array | Float64Array;

export class GrowingArray<T extends Numbers> {
  array: T;
  length = 0;
  readonly #make: new (
    length: number,
  ) => T;

  constructor(make: new (length: number) => T, capacity: number) {
    this.#make = make;
    this.array = new make(capacity);
  }

  push(value: number): void {
    this.reserve(1)[this.length++] = value;
  }

  /** The array, with room for `more` numbers. */
  reserve(more: number): T {
    if (this.length + more > this.array.length) {
      const grown = new this.#make(Math.max(this.length + more, this.array.length * 2));
      grown.set(this.array);
      this.array = grown;
    }
    return this.array;
  }
}
