/** Suggests words from names and towns that are spelt similarly to the typed text. */
import type { Edition } from '../../directory/edition/edition.ts';
import { perEdition } from '../../directory/edition/edition.ts';
import { distanceOf } from '../../fhir/service/edit-distance.ts';
import { wordsOf } from './words.ts';

/** First letter → word → number of occurrences. */
type Vocabulary = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The frequent words of an edition. Reads them once, in small steps, so that requests do not wait. */
export const vocabularyOf = perEdition(async (edition) => {
  const work = readVocabulary(edition);
  for (let next = work.next(); ; next = work.next()) {
    if (next.done === true) return next.value;
    await new Promise(setImmediate);
  }
});

/**
 * The text with each unknown word replaced by the most similar known word; undefined if there
 * is nothing to replace.
 */
export async function respelt(edition: Edition, text: string): Promise<string | undefined> {
  const vocabulary = await vocabularyOf(edition);
  const words = wordsOf(text).slice(0, WORDS_MAX);
  const better = words.map((word) => nearestWord(vocabulary, word) ?? word);
  const isSame = better.every((word, i) => word === words[i]);
  return isSame ? undefined : better.join(' ');
}

function nearestWord(vocabulary: Vocabulary, word: string): string | undefined {
  const alike = vocabulary.get(word[0] ?? '');
  if (word.length < LENGTH_MIN || word.length > LENGTH_MAX || alike?.has(word)) return undefined;
  const distanceMax = word.length < LONG ? 1 : 2;
  let nearest: string | undefined;
  let least = distanceMax + 1;
  let most = 0;
  for (const [known, count] of alike ?? []) {
    if (Math.abs(known.length - word.length) > distanceMax) continue;
    const distance = distanceOf(word, known);
    if (distance > least || (distance === least && count <= most)) continue;
    if (distance > distanceMax) continue;
    [nearest, least, most] = [known, distance, count];
  }
  return nearest;
}

/** Yields after each fraction of a millisecond. */
function* readVocabulary({ rows, index }: Edition): Generator<undefined, Vocabulary> {
  const vocabulary = new Map<string, Map<string, number>>();
  const add = (text: string, count: number): void => {
    for (const word of wordsOf(text)) {
      if (!LETTERS.test(word)) continue;
      const letter = word[0]!;
      const words = vocabulary.get(letter) ?? new Map<string, number>();
      vocabulary.set(letter, words);
      words.set(word, (words.get(word) ?? 0) + count);
    }
  };
  const step = Math.max(1, Math.floor(rows.count / NAMES_MAX));
  for (let row = 0, read = 0; row < rows.count; row += step, read++) {
    add(rows.recordAt(row).name ?? '', step);
    if (read % NAMES_AT_ONCE === 0) yield undefined;
  }
  for (const [i, [town, count]] of index.cityCounts().entries()) {
    add(town, count);
    if (i % NAMES_AT_ONCE === 0) yield undefined;
  }
  return vocabulary;
}

const LETTERS = /^\p{L}{4,30}$/u;

/** Shorter words are similar to too many others, and longer texts are not words. */
const LENGTH_MIN = 4;
const LENGTH_MAX = 30;

/**
 * From this length on, two mistakes in a word are more likely than two different words this
 * similar.
 */
const LONG = 8;

/** In a full directory, this many names contain all frequent words. */
const NAMES_MAX = 5000;
const NAMES_AT_ONCE = 20;

const WORDS_MAX = 6;
