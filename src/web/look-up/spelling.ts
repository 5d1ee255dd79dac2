/** Suggests words from names and towns that are spelt similarly to the typed text. */
import type { Edition } from '../../directory/edition/edition.ts';
import { distanceOf } from '../../fhir/service/edit-distance.ts';
import { hasText } from './criteria.ts';
import { inSteps, type Steps } from './in-steps.ts';
import { nearestRareWord } from './rare-words.ts';
import { wordsOf } from './words.ts';

/** First letter → word → number of occurrences. */
type Vocabulary = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Built when an edition is loaded. */
export const vocabularies = inSteps(readVocabulary);

/**
 * The text with each unknown word replaced by the most similar known word; undefined if there
 * is nothing to replace, or the words are not read yet.
 */
export function respelt(edition: Edition, text: string): string | undefined {
  const vocabulary = vocabularies.done(edition);
  if (vocabulary === undefined) return undefined;
  const words = wordsOf(text).slice(0, WORDS_MAX);
  let rareTries = RARE_TRIES_MAX;
  const better = words.map((word) => {
    const frequent = nearestWord(vocabulary, word);
    if (frequent !== undefined || isKnown(edition, word) || rareTries === 0)
      return frequent ?? word;
    rareTries -= 1;
    return nearestRareWord(edition, word) ?? word;
  });
  const isSame = better.every((word, i) => word === words[i]);
  return isSame ? undefined : better.join(' ');
}

/** Whether a name or a town contains the word, also as a part of another word. */
function isKnown({ index }: Edition, word: string): boolean {
  return FIELDS.some((field) => {
    const criteria = [hasText(field, 'contains', [word])];
    return index.search({ criteria }, 0, 0).total > 0;
  });
}

const FIELDS = ['name', 'city'] as const;

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

function* readVocabulary({ rows, index }: Edition): Steps<Vocabulary> {
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

/** Each takes a few milliseconds. */
const RARE_TRIES_MAX = 2;
