/** How well a record fits the name that somebody wrote, and the place and role beside it. */
import { outwardCodeOf } from '../../record/postal-code.ts';
import { areAlike } from '../../words/vocabulary.ts';

/** A word of the name that was asked for. */
export interface AskedWord {
  /** In its common form, and with its spelling corrected. */
  readonly word: string;
  readonly weight: number;
  readonly isCorrected: boolean;
}

/** What a row asks for. Absent parts do not count. */
export interface Asked {
  /** The name as it was written. Empty if it is no name. */
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
  readonly postcode: string;
  readonly town: string;
  readonly roles: readonly { readonly code: string }[];
}

export type Reason = 'name' | 'postcode' | 'outward code' | 'town' | 'role';

export interface Fit {
  /** 0 to 1. */
  readonly score: number;
  readonly why: readonly Reason[];
}

/** The weights of the parts. Those that a row does not have are left out, and the sum is divided. */
const PARTS = { name: 0.6, postcode: 0.3, town: 0.1, role: 0.1 };

const OUTWARD_SHARE = 0.4;
const CORRECTED_SHARE = 0.9;
const ALIKE_SHARE = 0.8;
/** Of a name from which `name` is a reason. */
const NAME_MIN = 0.5;
/** The fewest letters of a word's beginning that stand for the word. */
const BEGINNING_MIN = 4;

export function fitOf(asked: Asked, candidate: Named, weightOf: (word: string) => number): Fit {
  const { postcode, town, roles } = asked;
  const { share, hasTown } = compareNames(asked.words, candidate, weightOf);
  const why: Reason[] = share < NAME_MIN ? [] : ['name'];
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
  return { score: sum / whole, why };
}

/**
 * Twice the weight of the words in both names, divided by the weights of all words of both. Words of
 * the town count as words of the name if they were asked for.
 */
function compareNames(
  words: readonly AskedWord[],
  candidate: Named,
  weightOf: (word: string) => number,
): { readonly share: number; readonly hasTown: boolean } {
  const others = new Set(candidate.words);
  const missing: AskedWord[] = [];
  let both = 0;
  let all = 0;
  for (const asked of words) {
    const { word, weight, isCorrected } = asked;
    if (!others.delete(word)) {
      missing.push(asked);
      continue;
    }
    both += 2 * weight * (isCorrected ? CORRECTED_SHARE : 1);
    all += 2 * weight;
  }
  let hasTown = false;
  const townWords = missing.length === 0 ? [] : candidate.town.split(' ');
  for (const { word, weight } of missing) {
    const similar = findAlike(word, others);
    if (similar !== undefined) {
      others.delete(similar);
      both += 2 * weightOf(similar) * ALIKE_SHARE;
      all += 2 * weightOf(similar);
    } else if (townWords.includes(word)) {
      hasTown = true;
      both += 2 * weight;
      all += 2 * weight;
    } else all += weight;
  }
  for (const word of others) all += weightOf(word);
  return { share: all === 0 ? 0 : both / all, hasTown };
}

/** A misspelling, or a beginning: `orthod` of `orthodontic`. */
function findAlike(word: string, others: ReadonlySet<string>): string | undefined {
  for (const other of others) {
    if (areAlike(word, other)) return other;
    if (word.length >= BEGINNING_MIN && other.startsWith(word)) return other;
  }
  return undefined;
}
