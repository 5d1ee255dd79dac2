/**
 * Finds a word of a name that differs from a typed word by one mistake. The vocabulary contains only
 * the frequent words of names. This finds the other words with the index of names.
 */
import type { Edition } from '../../directory/edition/edition.ts';
import { distanceOf } from '../../fhir/service/edit-distance.ts';
import { hasText } from './criteria.ts';
import { wordsOf } from './words.ts';

/** The most frequent such word in the names that it reads. Undefined if there is none. */
export function nearestRareWord({ index, rows }: Edition, word: string): string | undefined {
  if (word.length < LENGTH_MIN || word.length > LENGTH_MAX) return undefined;
  const counts = new Map<string, number>();
  const read = new Set<number>();
  // The letters before and after a mistake are correct.
  for (let place = 0; place < word.length; place++) {
    const parts = [word.slice(0, place), word.slice(place + 2)];
    const criteria = parts
      .filter((part) => part.length >= PART_MIN)
      .map((part) => hasText('name', 'contains', [part]));
    for (const row of index.search({ criteria }, 0, NAMES_MAX).rows) {
      if (read.has(row)) continue;
      read.add(row);
      for (const known of new Set(wordsOf(rows.recordAt(row).name ?? ''))) {
        if (Math.abs(known.length - word.length) > 1 || distanceOf(word, known) !== 1) continue;
        counts.set(known, (counts.get(known) ?? 0) + 1);
      }
    }
  }
  return [...counts].reduce<[string | undefined, number]>(
    (most, one) => (one[1] > most[1] ? one : most),
    [undefined, 0],
  )[0];
}

/** The parts of shorter words are in very many names, and the vocabulary contains most short words. */
const LENGTH_MIN = 6;
const LENGTH_MAX = 30;
const PART_MIN = 2;

/** The names to read for each place of a mistake. */
const NAMES_MAX = 20;
