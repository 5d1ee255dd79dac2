/** Finds the records of an edition by the hashes of the bytes that they were read from. */
import { NO_ROW } from '../arrays/rows-before.ts';
import { type KeptEdition, SOURCE_HASHES } from '../record/record-batches.ts';
import type { KnownRecords } from '../record/source.ts';

/** Undefined if the edition has no hashes: an earlier version of the program made it. */
export function knownRecords(edition: KeptEdition): KnownRecords | undefined {
  const hashes = edition.arrays[SOURCE_HASHES];
  if (hashes === undefined) return undefined;
  const count = hashes.length / 2;
  const mask = 2 ** Math.ceil(Math.log2(count + 1) + 1) - 1;
  const slots = new Uint32Array(mask + 1).fill(NO_ROW);
  const placeOf = (high: number, low: number): number => {
    let slot = low & mask;
    for (let row = slots[slot]!; row !== NO_ROW; row = slots[slot]!) {
      if (hashes[2 * row] === high && hashes[2 * row + 1] === low) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  for (let row = 0; row < count; row++) {
    const [high, low] = [hashes[2 * row]!, hashes[2 * row + 1]!];
    // A record without a hash was changed since, or has a warning.
    if (high !== 0 || low !== 0) slots[placeOf(high, low)] = row;
  }
  return {
    edition,
    rowOf: ([high, low]) => {
      const row = slots[placeOf(high, low)]!;
      return row === NO_ROW ? undefined : row;
    },
  };
}
