/** Keeps the results of a function of a text. */

/**
 * Memoizes a function of a text, such as a header that has few different values. The cache is
 * cleared when it is full. Long texts are not cached.
 */
export function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text);
    if (result !== undefined || known.has(text)) return result as Result;
    const computed = compute(text);
    if (text.length > LENGTH_MAX) return computed;
    if (known.size >= COUNT_MAX) known.clear();
    known.set(text, computed);
    return computed;
  };
}

const COUNT_MAX = 256;
const LENGTH_MAX = 512;
