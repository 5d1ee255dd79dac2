/** Values that are made once for each edition, and kept for as long as the edition is in memory. */
import type { Edition } from './edition.ts';

/** A function that calls `make` at most once for the same edition. */
export function perEdition<T>(make: (edition: Edition) => T): (edition: Edition) => T {
  const made = new WeakMap<Edition, { readonly value: T }>();
  return (edition) => {
    let known = made.get(edition);
    if (known === undefined) {
      known = { value: make(edition) };
      made.set(edition, known);
    }
    return known.value;
  };
}
