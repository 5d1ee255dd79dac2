/** Finds in the index the records whose names may be meant. Most names have fewer than 200. */
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
/** The searches begin with the rarest word, then with the next one, because a word may be wrong. */
const STARTS_MAX = 3;

/** By postcode, then by the rarest words, then by the beginning of the name. */
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
  const known = words
    .toSorted((a, b) => b.weight - a.weight)
    .map(
      ({ word }): DirectoryCriterion => ({
        type: 'string',
        field: 'name',
        match: 'contains',
        values: names.writingsOf(word),
      }),
    )
    .filter((criterion) => find([criterion], 0).isComplete === false);
  for (let start = 0; start < Math.min(known.length, STARTS_MAX); start++) {
    const narrowing = [...known.slice(start), ...inTown];
    let found = find(narrowing.slice(0, 1));
    for (let end = 2; end <= narrowing.length && !found.isComplete; end++) {
      found = find(narrowing.slice(0, end));
    }
    yield found;
  }
  yield find([{ type: 'string', field: 'name', match: 'startsWith', values: [text] }]);
}
