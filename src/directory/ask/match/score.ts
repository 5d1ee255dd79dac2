/** How well a record fits the name that somebody wrote, and the place and role beside it. */
import { outwardCodeOf } from '../../record/postal-code.ts';
import type { MatchCandidate, MatchDifference, MatchReason } from '../answers.ts';
import { areAlike } from '../vocabulary.ts';
import { KINDS } from './name-words.ts';

/** A word of the name that was asked for. */
export interface AskedWord {
  /** In its common form, and with its spelling corrected. */
  readonly word: string;
  /** In how many names of the edition it is. A few names have it twice. */
  readonly count: number;
  readonly weight: number;
  readonly isCorrected: boolean;
}

/** What a row asks for. Absent parts do not count. */
export interface Asked {
  /** The name as it was written. Empty if it is too long for a name. */
  readonly text: string;
  readonly words: readonly AskedWord[];
  /** Compact: `LS14AB`. */
  readonly postcode: string | undefined;
  /** The common words of the town. */
  readonly town: string | undefined;
  readonly townText: string;
  /** The codes of the roles that the row may mean. */
  readonly roles: readonly string[];
}

/** The parts of a record that count, in the same forms. Read when they are needed. */
export interface Named {
  readonly words: readonly string[];
  /** The words of each name that it had in editions before. */
  readonly formerNames: readonly (readonly string[])[];
  readonly postcode: string;
  readonly town: string;
  readonly roles: readonly { readonly code: string }[];
  /** The status, which is cheaper to read than whether the organisation is open on a day. */
  readonly isActive: boolean;
}

export interface Fit extends Pick<MatchCandidate, 'score' | 'why'> {
  readonly differs: readonly MatchDifference[];
  /** Whether the names have the same words, apart from those that say little. */
  readonly isExact: boolean;
}

/** The weights of the parts. Those that a row does not have are left out, and the sum is divided. */
const PARTS = { name: 0.6, postcode: 0.3, town: 0.1, role: 0.1 };

/** Of the part of the postcode, if only its outward code is the same. */
const OUTWARD_SHARE = 0.4;
/** Of a word whose spelling was corrected, or that others join or abbreviate. */
const CORRECTED_SHARE = 0.9;
/** Of a word that is like another one. */
const ALIKE_SHARE = 0.8;
/** Of a former name: an organisation that has the name now is more likely meant. */
const FORMER_SHARE = 0.9;
/** From this share of the name on, the name is a reason. */
const NAME_MIN = 0.5;
/** Of the name, if the kinds differ, such as a surgery and a pharmacy. */
const OTHER_KIND_SHARE = 0.8;
/** From this share of the name on, the names are the same. */
const EXACT_MIN = 0.95;
/** A word of this weight tells organisations apart. Less: words that one name in a hundred has. */
const DISTINGUISHING_MIN = 0.35;
/** The fewest letters of a word's beginning that stand for the word. */
const BEGINNING_MIN = 4;

export function fitOf(asked: Asked, candidate: Named, weightOf: (word: string) => number): Fit {
  const { postcode, town, roles } = asked;
  const name = nameFitOf(asked, candidate, weightOf);
  const { share, hasTown, reason } = name;
  const why: MatchReason[] = share < NAME_MIN ? [] : [reason];
  let sum = PARTS.name * share;
  let whole = PARTS.name;
  if (postcode !== undefined) {
    whole += PARTS.postcode;
    const outward = outwardCodeOf(postcode) ?? postcode;
    if (candidate.postcode === postcode) {
      sum += PARTS.postcode;
      why.push('postcode');
    } else if (outward === outwardCodeOf(candidate.postcode)) {
      sum += PARTS.postcode * OUTWARD_SHARE;
      why.push('outward code');
    }
  }
  if (town !== undefined) whole += PARTS.town;
  if (town !== undefined && town === candidate.town) sum += PARTS.town;
  if (hasTown || (town !== undefined && town === candidate.town)) why.push('town');
  if (roles.length > 0) whole += PARTS.role;
  if (candidate.roles.some(({ code }) => roles.includes(code))) {
    sum += PARTS.role;
    why.push('role');
  }
  const hasOtherName: readonly MatchDifference[] = name.differs ? ['name'] : [];
  return {
    score: sum / whole,
    why,
    differs: [...hasOtherName, ...hintsThatDiffer(asked, candidate)],
    isExact: share >= EXACT_MIN && !hasTown,
  };
}

/** Which of the postcode, town and role that a row asks for are not those of a record. */
export function hintsThatDiffer(
  { postcode, town, roles }: Asked,
  candidate: Named,
): readonly MatchDifference[] {
  const differs: MatchDifference[] = [];
  const outward = postcode === undefined ? undefined : outwardCodeOf(postcode);
  const ownOutward = outwardCodeOf(candidate.postcode);
  if (ownOutward !== undefined && postcode !== undefined) {
    if ((outward ?? postcode) !== ownOutward) differs.push('postcode');
  }
  const townWords = town?.split(' ') ?? [];
  const ownWords = [...candidate.town.split(' '), ...candidate.words];
  if (candidate.town !== '' && !townWords.every((word) => ownWords.includes(word))) {
    differs.push('town');
  }
  const hasRole = candidate.roles.some(({ code }) => roles.includes(code));
  if (roles.length > 0 && !hasRole) differs.push('role');
  return differs;
}

/** Whether the name that a row asks for is not the name of a record, nor a former or shorter one. */
export function nameDiffers(
  asked: Asked,
  candidate: Named,
  weightOf: (word: string) => number,
): boolean {
  const { share, differs } = nameFitOf(asked, candidate, weightOf);
  return asked.words.length > 0 && (differs || share < NAME_MIN);
}

interface NameFit {
  readonly share: number;
  readonly hasTown: boolean;
  /** Whether a word of the one tells it apart from the other. */
  readonly differs: boolean;
}

/** By the name that fits best. */
function nameFitOf(
  asked: Asked,
  candidate: Named,
  weightOf: (word: string) => number,
): NameFit & { readonly reason: MatchReason } {
  const now = compareNames(asked, candidate, weightOf);
  const former = candidate.formerNames
    .map((words) => compareNames(asked, { words, town: candidate.town }, weightOf))
    .map((fit) => ({ ...fit, share: fit.share * FORMER_SHARE }))
    .toSorted((a, b) => b.share - a.share)[0];
  return former !== undefined && former.share > now.share
    ? { ...former, reason: 'former name' }
    : { ...now, reason: 'name' };
}

/**
 * Twice the weight of the words in both names, divided by the weights of all words of both. Words of
 * the town count as words of the name if they were asked for, and not at all if they were asked for as
 * the town.
 */
function compareNames(
  { words, town = '' }: Asked,
  candidate: Pick<Named, 'words' | 'town'>,
  weightOf: (word: string) => number,
): NameFit {
  const missing = new Map(words.map((each) => [each.word, each]));
  const others = new Set(candidate.words);
  let both = 0;
  let all = 0;
  const pair = (word: string, other: string, weight: number, share: number) => {
    missing.delete(word);
    others.delete(other);
    both += 2 * weight * share;
    all += 2 * weight;
  };
  for (const { word, weight, isCorrected } of words) {
    if (others.has(word)) pair(word, word, weight, isCorrected ? CORRECTED_SHARE : 1);
  }
  for (const word of others.size === 0 ? [] : missing.keys()) {
    for (const other of findRun(word, others)) pair(word, other, weightOf(other), CORRECTED_SHARE);
  }
  for (const other of missing.size === 0 ? [] : others) {
    const [first, ...rest] = findRun(other, missing.keys());
    if (first === undefined) continue;
    pair(first, other, weightOf(other), CORRECTED_SHARE);
    for (const word of rest) missing.delete(word);
  }
  for (const word of missing.keys()) {
    const similar = findAlike(word, others);
    if (similar !== undefined) pair(word, similar, weightOf(similar), ALIKE_SHARE);
  }
  const townWords = missing.size === 0 ? [] : candidate.town.split(' ');
  const inTown = [...missing.values()].filter(({ word }) => townWords.includes(word));
  for (const { word, weight } of inTown) pair(word, word, weight, 1);
  const isDistinguishing = (word: string) => weightOf(word) >= DISTINGUISHING_MIN;
  // A shorter name is the same. A name with the town in place of another word is not.
  const differs =
    [...missing.keys()].some(isDistinguishing) ||
    (inTown.length > 0 && [...others].some(isDistinguishing));
  for (const { weight } of missing.values()) all += weight;
  const askedTown = town.split(' ');
  for (const word of others) if (!askedTown.includes(word)) all += weightOf(word);
  const share = all === 0 ? 0 : both / all;
  const isOfOtherKind = haveOtherKinds(words, candidate.words);
  return {
    share: isOfOtherKind ? share * OTHER_KIND_SHARE : share,
    hasTown: inTown.length > 0,
    differs,
  };
}

/** The neighbouring words that a word joins, such as `airevalley`, or whose initials it is (`utc`). */
function findRun(word: string, others: Iterable<string>): readonly string[] {
  const list = [...others];
  for (let from = 0; from + 1 < list.length; from++) {
    let joined = list[from]!;
    let initials = joined[0]!;
    if (initials !== word[0]) continue;
    for (let to = from + 1; to < list.length && initials.length < word.length; to++) {
      joined += list[to];
      initials += list[to]![0];
      if (joined === word || initials === word) return list.slice(from, to + 1);
    }
  }
  return [];
}

/** A misspelling, or a beginning: `orthod` of `orthodontic`. */
function findAlike(word: string, others: ReadonlySet<string>): string | undefined {
  for (const other of others) {
    if (areAlike(word, other)) return other;
    if (word.length >= BEGINNING_MIN && other.startsWith(word)) return other;
  }
  return undefined;
}

/** Whether both names have words for a kind of organisation, and none for the same kind. */
function haveOtherKinds(asked: readonly AskedWord[], words: readonly string[]): boolean {
  const kinds = new Set(asked.flatMap(({ word }) => KINDS.get(word) ?? []));
  if (kinds.size === 0) return false;
  const others = words.flatMap((word) => KINDS.get(word) ?? []);
  return others.length > 0 && !others.some((kind) => kinds.has(kind));
}
