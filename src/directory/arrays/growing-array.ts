/** An array of numbers that doubles when it is full. */

type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Takes all of several arrays, by their names. */
export function takeAll<Name extends string, T extends Numbers>(
  arrays: Readonly<Record<Name, GrowingArray<T>>>,
): Record<Name, T> {
  const taken: Partial<Record<Name, T>> = {};
  for (const name in arrays) taken[name] = arrays[name].take();
  return taken as Record<Name, T>;
}

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

  /** Sets a number. If the index is beyond the end, the numbers between them can have any value. */
  put(index: number, value: number): void {
    const length = Math.max(this.length, index + 1);
    this.reserve(length - this.length)[index] = value;
    this.length = length;
  }

  pushAll(values: ArrayLike<number>): void {
    this.reserve(values.length).set(values, this.length);
    this.length += values.length;
  }

  /** Adds a number for each of some values. */
  pushEach(values: ArrayLike<number>, numberOf: (value: number) => number): void {
    const target = this.reserve(values.length);
    const { length } = this;
    for (let at = 0; at < values.length; at++) target[length + at] = numberOf(values[at]!);
    this.length += values.length;
  }

  /** Empties the array and returns its memory. */
  clear(): void {
    giveBack(this.array);
    this.array = new this.#make(0);
    this.length = 0;
  }

  /** Returns a copy of the numbers, and empties the array. */
  take(): T {
    const taken = new this.#make(this.length);
    taken.set(this.array.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  /** The array, with room for `more` numbers. */
  reserve(more: number): T {
    if (this.length + more > this.array.length) {
      // After many numbers at once, usually a few follow.
      const room = more + (more >>> ROOM_SHIFT);
      const grown = new this.#make(Math.max(this.length + room, this.array.length * 2));
      grown.set(this.array);
      giveBack(this.array);
      this.array = grown;
    }
    return this.array;
  }
}

/** An eighth more. */
const ROOM_SHIFT = 3;

/** Returns the memory at once: the garbage collector may run much later. */
function giveBack({ buffer }: Numbers): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
