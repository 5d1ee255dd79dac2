/** Suggests words from names and towns that are spelt similarly to the typed text. */
import type { Edition } from '../../directory/edition/edition.ts';
import { perEdition } from '../../directory/edition/edition.ts';
import { createVocabulary, type Vocabulary } from '../../directory/words/vocabulary.ts';
import { wordsOf } from '../../directory/words/words.ts';

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
  const better = words.map((word) => vocabulary.nearest(word) ?? word);
  const isSame = better.every((word, i) => word === words[i]);
  return isSame ? undefined : better.join(' ');
}

/** Yields after each fraction of a millisecond. */
function* readVocabulary({ rows, index }: Edition): Generator<undefined, Vocabulary> {
  const vocabulary = createVocabulary();
  const add = (text: string, count: number): void => {
    for (const word of wordsOf(text)) vocabulary.add(word, count);
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

/** In a full directory, this many names contain all frequent words. */
const NAMES_MAX = 5000;
const NAMES_AT_ONCE = 20;

const WORDS_MAX = 6;
