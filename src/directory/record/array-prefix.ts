/** Names of arrays with a prefix and a dot, so that an edition can have several of the same kind. */
import type { NamedArrays, NumberArray } from './arrays.ts';

/** The prefix of the arrays of the reference-only records of an edition. */
export const REFERENCES = 'references';

export function withPrefix(prefix: string, arrays: NamedArrays): NamedArrays {
  return Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [`${prefix}.${name}`, array]),
  );
}

/** The arrays that have the prefix, without it. */
export function withoutPrefix(prefix: string, arrays: NamedArrays): NamedArrays {
  const found: Record<string, NumberArray> = {};
  const start = `${prefix}.`;
  for (const [name, array] of Object.entries(arrays)) {
    if (name.startsWith(start)) found[name.slice(start.length)] = array;
  }
  return found;
}
