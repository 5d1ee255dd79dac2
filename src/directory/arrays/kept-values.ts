/** Keeps a bounded number of values that are dear to make. */

/**
 * A value for each number, made once while it is in use. When a generation is full, it becomes the
 * last one, and what was not used since then is dropped: at most twice `generationMax` values are
 * kept, and what is used often is never made again.
 */
export function keepValues<Value extends object>(
  generationMax: number,
  make: (number: number) => Value,
): (number: number) => Value {
  let newest = new Map<number, Value>();
  let last = new Map<number, Value>();
  return (number) => {
    const known = newest.get(number);
    if (known !== undefined) return known;
    const value = last.get(number) ?? make(number);
    if (newest.size >= generationMax) {
      last = newest;
      newest = new Map();
    }
    newest.set(number, value);
    return value;
  };
}
