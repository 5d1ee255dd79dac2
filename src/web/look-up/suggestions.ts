/** Suggestions while people type: a few organisations, the most likely first; and words that are spelt similarly. */

import { rankedGroups, rankedPage } from '../../directory/ask/order/ranked-rows.ts';
import { createVocabulary, type Vocabulary } from '../../directory/ask/vocabulary.ts';
import { wordsOf } from '../../directory/ask/words.ts';
import { type Edition, perEdition } from '../../directory/edition/edition.ts';
import { ACTIVE, INACTIVE } from '../matches/criteria.ts';
import { findInterpretations, type Interpretation, rowOfCode } from '../matches/interpretations.ts';

export interface Suggestion {
  readonly code: string;
  readonly name: string;
  /** Town and postcode, if known. */
  readonly place: string;
  readonly isActive: boolean;
}

const SUGGESTIONS_MAX = 8;

/** One letter matches half of the directory. */
const SUGGESTED_LENGTH_MIN = 2;

/** The beginning of a longer text is enough for suggestions. */
const SUGGESTED_LENGTH_MAX = 60;

/** `typed` as `readText` gives it. */
export async function suggest(edition: Edition, typed: string): Promise<Suggestion[]> {
  const text = typed.slice(0, SUGGESTED_LENGTH_MAX).toWellFormed().trim();
  if (text.length < SUGGESTED_LENGTH_MIN) return [];
  const rows = new Set<number>();
  const exact = rowOfCode(edition, text);
  if (exact !== undefined) rows.add(exact);
  for (const row of rowsOfCodesBeginning(edition, text)) rows.add(row);
  addFound(edition, text, rows);
  const better = rows.size === 0 ? await respelt(edition, text) : undefined;
  if (better !== undefined) addFound(edition, better, rows);
  return [...rows].slice(0, SUGGESTIONS_MAX).map((row) => suggestionOf(edition, row));
}

/** In the order of results. */
function addFound(edition: Edition, text: string, rows: Set<number>): void {
  const interpretations = findInterpretations(edition, text, []);
  const isOfNames = ({ kind }: Interpretation) => kind === 'name';
  const parts = [
    ...interpretations.filter(isOfNames),
    ...interpretations.filter((one) => !isOfNames(one)),
  ];
  // People mostly look for active organisations.
  for (const status of [ACTIVE, INACTIVE]) {
    for (const { criteria } of parts) {
      if (rows.size >= SUGGESTIONS_MAX) return;
      const groups = rankedGroups(edition, [...criteria, status], { text, hasOneStatus: true });
      for (const row of rankedPage(edition, groups, 0, SUGGESTIONS_MAX).rows) rows.add(row);
    }
  }
}

/** Few, because people type a code to its end. */
const CODES_MAX = 3;

/** Rows are in the order of their codes: those with a common beginning are neighbours. */
function rowsOfCodesBeginning({ index }: Edition, text: string): number[] {
  const beginning = text.toUpperCase();
  if (!/^(?=.*\d)[A-Z0-9]+$/.test(beginning)) return [];
  let low = 0;
  let high = index.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (index.codeOf(middle) < beginning) low = middle + 1;
    else high = middle;
  }
  const rows: number[] = [];
  for (let row = low; row < index.count && rows.length < CODES_MAX; row++) {
    if (!index.codeOf(row).startsWith(beginning)) break;
    rows.push(row);
  }
  return rows;
}

function suggestionOf({ rows }: Edition, row: number): Suggestion {
  const { code, name, address, isActive } = rows.recordAt(row);
  const place = [address?.city, address?.postalCode].filter((part) => part !== undefined);
  return { code, name: name ?? 'No name', place: place.join(', '), isActive };
}

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
