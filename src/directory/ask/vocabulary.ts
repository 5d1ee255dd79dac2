/** The words of an edition, and the one that a misspelt word most probably means. */
import { distanceOf } from '../../fhir/request/edit-distance.ts';

export interface Vocabulary {
  /** Counts a folded word. */
  add(word: string, times: number): void;
  /** How often the word was counted. */
  countOf(word: string): number;
  /** The most similar word, and of those the most frequent. Undefined for a known word. */
  nearest(word: string): string | undefined;
}

interface KnownWord {
  readonly word: string;
  readonly letters: number;
  count: number;
}

export function createVocabulary(): Vocabulary {
  const known = new Map<string, KnownWord>();
  const byFirstLetter = new Map<string, KnownWord[]>();
  return {
    add: (word, times) => {
      const met = known.get(word);
      if (met !== undefined) {
        met.count += times;
        return;
      }
      const added = { word, letters: lettersOf(word), count: times };
      known.set(word, added);
      if (!LETTERS.test(word)) return;
      const alike = byFirstLetter.get(word[0]!);
      if (alike === undefined) byFirstLetter.set(word[0]!, [added]);
      else alike.push(added);
    },
    countOf: (word) => known.get(word)?.count ?? 0,
    nearest: (word) =>
      known.has(word) ? undefined : nearestOf(byFirstLetter.get(word[0] ?? '') ?? [], word),
  };
}

function nearestOf(alike: readonly KnownWord[], word: string): string | undefined {
  const distanceMax = mistakesMax(word);
  const letters = lettersOf(word);
  let nearest: string | undefined;
  let least = distanceMax;
  let most = 0;
  for (const known of distanceMax === 0 ? [] : alike) {
    if (Math.abs(known.word.length - word.length) > least) continue;
    if (!isWithin(known.letters ^ letters, 2 * least)) continue;
    const distance = distanceOf(word, known.word);
    if (distance > least || (distance === least && known.count <= most)) continue;
    [nearest, least, most] = [known.word, distance, known.count];
  }
  return nearest;
}

/** Whether one of the words may be a misspelling of the other. */
export function areAlike(one: string, other: string): boolean {
  const distanceMax = Math.min(mistakesMax(one), mistakesMax(other));
  if (distanceMax === 0 || Math.abs(one.length - other.length) > distanceMax) return false;
  return distanceOf(one, other) <= distanceMax;
}

/** The wrong letters that a word can have. Words with digits have none. */
function mistakesMax(word: string): number {
  if (!LETTERS.test(word)) return 0;
  return word.length < LONG ? 1 : 2;
}

/** Shorter words are similar to too many others, and longer texts are not words. */
const LETTERS = /^\p{L}{4,30}$/u;

/**
 * From this length on, two mistakes in a word are more likely than two different words this
 * similar.
 */
const LONG = 8;

/** The letters of a word as bits. Each mistake changes two of them at most. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

/** Whether at most so many bits are set. */
function isWithin(bits: number, max: number): boolean {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    count += 1;
    if (count > max) return false;
  }
  return true;
}
