/** Keeps a bounded number of values that are expensive to make. */

/**
 * A value for each key, made once while it is in use. When a generation is full, it becomes the
 * last one, and what was not used since then is dropped: at most twice `generationMax` values are
 * kept, and what is used often is never made again.
 */
export function keepValues<Key, Value extends object>(
  generationMax: number,
  make: (key: Key) => Value,
): (key: Key) => Value {
  let newest = new Map<Key, Value>();
  let last = new Map<Key, Value>();
  return (key) => {
    const known = newest.get(key);
    if (known !== undefined) return known;
    const value = last.get(key) ?? make(key);
    if (newest.size >= generationMax) {
      last = newest;
      newest = new Map();
    }
    newest.set(key, value);
    return value;
  };
}
