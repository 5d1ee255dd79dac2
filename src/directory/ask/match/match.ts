/** Which code a name means: the organisations whose names are most like it. */

import type { Edition } from '../../edition/edition.ts';
import { findRow } from '../../edition/source-record.ts';
import { type DirectoryCriterion, tokenCriterion } from '../../index/organization-index.ts';
import { inTime } from '../../record/in-force.ts';
import { compactPostalCode, isOutwardCode, outwardCodeOf } from '../../record/postal-code.ts';
import type {
  Match,
  MatchCandidate,
  MatchDifference,
  MatchHint,
  MatchOutcome,
  NameToMatch,
} from '../answers.ts';
import { rolesMeant } from '../role-words.ts';
import { wholeSpellingsOf } from '../words.ts';
import { type KnownNames, knownNamesOf } from './known-names.ts';
import { nameWords, writtenWords } from './name-words.ts';
import {
  type Asked,
  type AskedWord,
  type Fit,
  fitOf,
  hintsThatDiffer,
  nameDiffers,
} from './score.ts';

/** Finds the organisations that names mean on a day. Of each name, the best candidate comes first. */
export async function createMatcher(
  edition: Edition,
  day: string,
  signal?: AbortSignal,
): Promise<(asked: NameToMatch) => Match> {
  const names = await knownNamesOf(edition, signal);
  return (asked) => {
    const { name, nameBeside = '' } = asked;
    const coded = findRow(edition.index, name);
    const isBeside = coded !== undefined && nameBeside !== '';
    const understood = askedOf(edition, names, isBeside ? { ...asked, name: nameBeside } : asked);
    const byName = bestOf(edition, names, understood, day);
    const differences = (row: number): readonly MatchDifference[] => {
      const named = names.namedAt(row);
      const hasOtherName = isBeside && nameDiffers(understood, named, names.weightOf);
      return [...(hasOtherName ? (['name'] as const) : []), ...hintsThatDiffer(understood, named)];
    };
    const { outcome, candidates } =
      coded === undefined
        ? { outcome: outcomeOf(byName), candidates: byName.candidates }
        : withCode(codeCandidate(edition, coded, day, differences(coded.row)), byName, isBeside);
    const unknown = unknownHints(edition, asked, understood);
    return {
      name,
      outcome,
      candidates,
      ...(unknown.length > 0 && { unknown }),
    };
  };
}

/** A longer text is not a name. It has no words. */
const NAME_LENGTH_MAX = 300;
/** The words after these do not count. */
const WORDS_MAX = 16;

const CANDIDATES_MAX = 5;
/** Candidates below it are not listed. */
const LISTED_MIN = 0.5;
const LIKELY_MIN = 0.65;
const CERTAIN_MIN = 0.85;
/** By how much the best candidate must be ahead of the next one. */
const LIKELY_LEAD = 0.05;
const CERTAIN_LEAD = 0.1;
/** Taken off the score of an organisation that is closed on the day. */
const CLOSED = 0.05;
/** Only the best are looked up further, because many organisations share a name. */
const RANKED_MAX = 20;

function askedOf(edition: Edition, names: KnownNames, asked: NameToMatch): Asked {
  const { name, postcode = '', town = '', role = '' } = asked;
  const text = name.length <= NAME_LENGTH_MAX ? name : '';
  const words = new Map<string, AskedWord>();
  for (const written of writtenWords(text).slice(0, WORDS_MAX)) {
    const { words: understood, isCorrected } = names.understand(written);
    for (const word of understood) {
      const [count, weight] = [names.countOf(word), names.weightOf(word)];
      words.set(word, { word, count, weight, isCorrected });
    }
  }
  const compact = compactPostalCode(postcode.slice(0, NAME_LENGTH_MAX));
  const townText = town.slice(0, NAME_LENGTH_MAX);
  const townWords = nameWords(townText).join(' ');
  return {
    text,
    words: [...words.values()],
    postcode: compact === '' ? undefined : compact,
    town: townWords === '' ? undefined : townWords,
    townText,
    roles: role === '' ? [] : rolesMeant(edition, role.slice(0, NAME_LENGTH_MAX)),
  };
}

/** The parts that were given and mean nothing: a place or role that no organisation can have. */
function unknownHints(
  { index }: Edition,
  { postcode = '', town = '', role = '' }: NameToMatch,
  asked: Asked,
): readonly MatchHint[] {
  const hasTown = () => {
    const values = wholeSpellingsOf(asked.townText).flatMap((text) => [
      text,
      text.replaceAll('-', ' '),
      text.replaceAll(' ', '-'),
    ]);
    const criteria: DirectoryCriterion[] = [
      { type: 'string', field: 'city', match: 'startsWith', values },
    ];
    return index.search({ criteria }, 0, 0).total > 0;
  };
  const unknown: MatchHint[] = [];
  if (postcode.trim() !== '' && !isPostcode(asked.postcode ?? '')) unknown.push('postcode');
  if (town.trim() !== '' && (asked.town === undefined || !hasTown())) unknown.push('town');
  if (role.trim() !== '' && asked.roles.length === 0) unknown.push('role');
  return unknown;
}

/** Whether a compact text has the form of a postcode, or of its outward code. */
function isPostcode(compact: string): boolean {
  return outwardCodeOf(compact) !== undefined || isOutwardCode(compact.toLowerCase());
}

interface Best {
  /** The best first. */
  readonly candidates: readonly MatchCandidate[];
  /** Whether one that is not the best has exactly the name, and the best does not. */
  readonly isDoubtful: boolean;
}

function bestOf(edition: Edition, names: KnownNames, asked: Asked, day: string): Best {
  const met = new Set<number>();
  const found: (Fit & { readonly row: number; readonly isActive: boolean })[] = [];
  for (const { rows, lastFor } of candidateRows(edition, names, asked)) {
    let isLast = false;
    for (const row of rows) {
      if (met.has(row)) continue;
      met.add(row);
      const named = names.namedAt(row);
      const fit = fitOf(asked, named, names.weightOf);
      isLast ||= fit.score >= CERTAIN_MIN && (lastFor === 'certain' || fit.isExact);
      if (fit.score >= LISTED_MIN) found.push({ ...fit, row, isActive: named.isActive });
    }
    if (lastFor !== undefined && isLast) break;
  }
  const ranked = found
    .toSorted((a, b) => b.score - a.score || Number(b.isActive) - Number(a.isActive))
    .slice(0, RANKED_MAX)
    .map(({ row, score, why, differs, isExact }) => {
      const { code, name = '', isActive, periods } = edition.rows.recordAt(row);
      const isOpen = inTime({ isActive, periods }, day).phase === 'now';
      const rounded = Math.round((score - (isOpen ? 0 : CLOSED)) * 100) / 100;
      const candidate = { code, name, score: rounded, why, ...(differs.length > 0 && { differs }) };
      return { candidate, isExact };
    })
    .filter(({ candidate }) => candidate.score >= LISTED_MIN)
    .sort((a, b) => b.candidate.score - a.candidate.score);
  return {
    candidates: ranked.slice(0, CANDIDATES_MAX).map(({ candidate }) => candidate),
    isDoubtful: ranked[0]?.isExact === false && ranked.some(({ isExact }) => isExact),
  };
}

/** The organisation whose code is in the place of a name. */
function codeCandidate(
  edition: Edition,
  { row, code }: { readonly row: number; readonly code: string },
  day: string,
  differs: readonly MatchDifference[],
): MatchCandidate {
  const { name = '', ...record } = edition.rows.recordAt(row);
  const score = inTime(record, day).phase === 'now' ? 1 : 1 - CLOSED;
  return { code, name, score, why: ['code'], ...(differs.length > 0 && { differs }) };
}

/** A code beside a name decides. In the place of a name, it may also be the name of another one. */
function withCode(
  coded: MatchCandidate,
  byName: Best,
  isBeside: boolean,
): Pick<Match, 'outcome' | 'candidates'> {
  const others = byName.candidates.filter(({ code }) => code !== coded.code);
  const all = [coded, ...others];
  const candidates = (isBeside ? all : all.toSorted((a, b) => b.score - a.score)).slice(
    0,
    CANDIDATES_MAX,
  );
  const decided = coded.differs === undefined ? 'certain' : 'likely';
  const outcome = isBeside ? decided : outcomeOf({ candidates, isDoubtful: false });
  return { outcome, candidates };
}

function outcomeOf({ candidates: [best, next], isDoubtful }: Best): MatchOutcome {
  if (best === undefined || best.score < LIKELY_MIN) return 'none';
  const lead = leadOf(best, next);
  if (lead < LIKELY_LEAD) return 'several';
  const isAhead = best.score >= CERTAIN_MIN && lead >= CERTAIN_LEAD;
  return isAhead && best.differs === undefined && !isDoubtful ? 'certain' : 'likely';
}

/** In hundredths, so that 0.85 is 0.1 ahead of 0.75. */
function leadOf(best: MatchCandidate, other: MatchCandidate | undefined): number {
  return Math.round((best.score - (other?.score ?? 0)) * 100) / 100;
}

/** The best candidate, or all that are too close to choose one. */
export function chosenOf(
  outcome: MatchOutcome,
  candidates: readonly MatchCandidate[],
): readonly MatchCandidate[] {
  if (outcome === 'none') return [];
  if (outcome !== 'several') return candidates.slice(0, 1);
  return candidates.filter((one) => leadOf(candidates[0]!, one) < LIKELY_LEAD);
}

interface CandidateRows {
  readonly rows: readonly number[];
  /**
   * After which fit other rows need not be searched. `certain`: others as good have the same words,
   * and are among these rows. `exact`: others may have exactly the name, unless one of these has.
   */
  readonly lastFor: 'certain' | 'exact' | undefined;
}

/** The most rows of one search. */
const ROWS_MAX = 100;
/** Most names contain shorter words, if only as parts of others. Searches for them take long. */
const SEARCHED = /^(?:.{3,}|\d\d)$/u;
/** The searches begin with the rarest word, then with the next one, because a word may be wrong. */
const STARTS_MAX = 3;

/** The records that a name may mean: by postcode, then by the rarest words, the beginning of the name, and former names. */
function* candidateRows(
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
    const { rows, isComplete } = find([tokenCriterion('postalCode', [postcode])]);
    yield { rows, lastFor: isComplete ? 'exact' : undefined };
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
    yield { rows: found.rows, lastFor: found.isComplete ? 'certain' : undefined };
  }
  const { rows, isComplete } = find([
    { type: 'string', field: 'name', match: 'startsWith', values: [text] },
  ]);
  yield { rows, lastFor: isComplete ? 'certain' : undefined };
  const formerly = words.toSorted((a, b) => b.weight - a.weight).slice(0, STARTS_MAX);
  for (const { word } of formerly) {
    yield { rows: names.formerRows(word).slice(0, ROWS_MAX), lastFor: undefined };
  }
}

function hasPart(values: readonly string[]): DirectoryCriterion {
  return { type: 'string', field: 'name', match: 'contains', values };
}
