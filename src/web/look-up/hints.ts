/** Suggests similar searches that have results. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { DirectoryCriterion } from '../../directory/query.ts';
import { ACTIVE, INACTIVE } from './criteria.ts';
import { countText } from './find.ts';
import { findInterpretations, outwardPart, possibleInterpretations } from './interpretations.ts';
import { respelt } from './spelling.ts';
import { type LookUpState, NO_BELONGING } from './state.ts';

export interface Hint {
  readonly text: string;
  readonly subject?: string;
  readonly count: string;
  readonly href: string;
}

/** The most suggestions on a page. */
const HINTS_MAX = 4;
/** Shorter beginnings match too many words. */
const BEGINNING_LENGTH_MIN = 3;

export function nothingFoundHints(
  edition: Edition,
  state: LookUpState,
  to: (change: Partial<LookUpState>) => string,
): Hint[] {
  const { text } = state;
  const hints: Hint[] = [];
  const tried = new Set([text.toLowerCase()]);
  const offer = (says: string, subject: string): void => {
    if (hints.length >= HINTS_MAX || tried.has(subject.toLowerCase())) return;
    tried.add(subject.toLowerCase());
    const { total, count } = countFound(edition, subject);
    if (total === 0) return;
    hints.push({ text: says, subject, count, href: to({ ...NO_FILTERS, text: subject }) });
  };

  const better = respelt(edition, text);
  if (better !== undefined) offer('Did you mean', better);
  const unfiltered = text !== '' && hasFilters(state) ? countFound(edition, text) : undefined;
  if (unfiltered !== undefined && unfiltered.total > 0) {
    const { count } = unfiltered;
    hints.push({ text: 'Search without filters', count, href: to(NO_FILTERS) });
  }
  const outward = outwardPart(text);
  if (outward !== undefined) offer('The first part of the postcode:', outward);
  const words = text.split(' ').filter((word) => word !== '');
  if (words.length > 1 && words.length <= WORDS_MAX) {
    for (const left of words.keys())
      offer('Fewer words:', words.filter((_, i) => i !== left).join(' '));
    for (const word of [...words].sort((a, b) => b.length - a.length)) offer('One word:', word);
  }
  for (const word of words.slice(0, WORDS_MAX)) {
    const beginning = longestBeginning(edition, word);
    if (beginning !== undefined) offer('The beginning of a word:', beginning);
  }
  return hints;
}

/** The count, in the same words as on the page of the suggested search. */
function countFound(edition: Edition, text: string): { total: number; count: string } {
  for (const shown of ['active', 'inactive'] as const) {
    const status = shown === 'active' ? ACTIVE : INACTIVE;
    const [best] = findInterpretations(edition, text, [status]);
    if (best !== undefined) return { total: best.total, count: countText({ ...best, shown }) };
  }
  return { total: 0, count: '' };
}

const NO_FILTERS = {
  as: undefined,
  roles: [],
  status: undefined,
  town: '',
  ...NO_BELONGING,
} as const;

const WORDS_MAX = 6;

function hasFilters({ roles, status, town, of }: LookUpState): boolean {
  return roles.length > 0 || status !== undefined || town !== '' || of !== '';
}

/** Another spelling of a word often has the same beginning. */
function longestBeginning(edition: Edition, word: string): string | undefined {
  for (let length = word.length - 1; length >= BEGINNING_LENGTH_MIN; length--) {
    const beginning = word.slice(0, length).toWellFormed();
    const finds = possibleInterpretations(edition, beginning).some(({ criteria }) =>
      has(edition, criteria),
    );
    if (finds) return beginning;
  }
  return undefined;
}

function has({ index }: Edition, criteria: readonly DirectoryCriterion[]): boolean {
  return index.search({ criteria }, 0, 0).total > 0;
}
