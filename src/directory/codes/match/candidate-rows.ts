/** Finds in the index the records that a name may mean. */
import type { Edition } from '../../edition/edition.ts';
import type { DirectoryCriterion } from '../../query.ts';
import type { KnownNames } from './known-names.ts';
import type { Asked } from './score.ts';

interface CandidateRows {
  readonly rows: readonly number[];
  /** Whether they are all that match. */
  readonly isComplete: boolean;
}

/** The most rows of one search. */
const ROWS_MAX = 100;
/** Most names contain shorter words, if only as parts of others. Searches for them take long. */
const SEARCHED = /^(?:.{3,}|\d\d)$/u;
/** The searches begin with the rarest word, then with the next one, because a word may be wrong. */
const STARTS_MAX = 3;

/** By postcode, then by the rarest words, the beginning of the name, and former names. */
export function* candidateRows(
  { index }: Edition,
  names: KnownNames,
  { text, words, postcode, townText }: Asked,
): Generator<CandidateRows, void, undefined> {
  const find = (criteria: readonly DirectoryCriterion[], rowsMax = ROWS_MAX) => {
    const { total, rows } = index.search({ criteria }, 0, rowsMax);
    return { rows, isComplete: total <= rowsMax };
  };
  if (words.length === 0) return;
  if (postcode !== undefined) {
    yield find([{ type: 'token', field: 'postalCode', values: [{ code: postcode }] }]);
  }
  const inTown: readonly DirectoryCriterion[] =
    townText === ''
      ? []
      : [{ type: 'string', field: 'city', match: 'startsWith', values: [townText] }];
  const byRarity = words
    .filter(({ word }) => SEARCHED.test(word))
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ word, count }) => ({ count, criterion: hasPart(names.writingsOf(word)) }))
    // A word that no name has can be a part of one.
    .filter(({ count, criterion }) => count > 0 || !find([criterion], 0).isComplete);
  for (let start = 0; start < Math.min(byRarity.length, STARTS_MAX); start++) {
    const narrowing = [...byRarity.slice(start).map(({ criterion }) => criterion), ...inTown];
    // The search for a frequent word alone would find too many, and takes long.
    let end = byRarity[start]!.count > ROWS_MAX ? Math.min(2, narrowing.length) : 1;
    let found = find(narrowing.slice(0, end));
    while (!found.isComplete && end < narrowing.length) found = find(narrowing.slice(0, ++end));
    yield found;
  }
  yield find([{ type: 'string', field: 'name', match: 'startsWith', values: [text] }]);
  const formerly = words.toSorted((a, b) => b.weight - a.weight).slice(0, STARTS_MAX);
  for (const { word } of formerly) {
    yield { rows: names.formerRows(word).slice(0, ROWS_MAX), isComplete: false };
  }
}

function hasPart(values: readonly string[]): DirectoryCriterion {
  return { type: 'string', field: 'name', match: 'contains', values };
}
