/** Interprets the text in the search box: as a code, postcode, name, town or role. */

import { isWordOfNames, rolesMeant } from '../../directory/ask/role-words.ts';
import { spellingsOf, wholeSpellingsOf, wordsOf } from '../../directory/ask/words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { findRow } from '../../directory/edition/source-record.ts';
import type {
  DirectoryCriterion,
  DirectoryQuery,
} from '../../directory/index/organization-index.ts';
import { rolesOf } from '../parts/code-names.ts';
import { hasCode, hasText } from './criteria.ts';
import type { ReadingKind } from './parameters.ts';

/** One interpretation of a text, and its search. */
export interface Interpretation {
  readonly kind: ReadingKind;
  /** The search term as pages show it: `LS1`. */
  readonly subject: string;
  /** The town, where the text is a name or role followed by a town. */
  readonly place?: string;
  /** The codes of the roles that the text means. */
  readonly roles?: readonly string[];
  /** The words that look like codes, and are none of this directory. */
  readonly unknown?: readonly string[];
  /** Whether the search ignores some words of the name. */
  readonly leavesOutWords?: boolean;
  readonly criteria: readonly DirectoryCriterion[];
  readonly total: number;
}

type Possible = Omit<Interpretation, 'total'>;

/** The row with this code, in any case. */
export function rowOfCode({ index }: Edition, text: string): number | undefined {
  return findRow(index, text)?.row;
}

/** All interpretations with results, the most likely first. `filters` apply to each. */
export function findInterpretations(
  edition: Edition,
  text: string,
  filters: readonly DirectoryCriterion[],
): Interpretation[] {
  const counted = (interpretations: readonly Possible[]): Interpretation[] =>
    interpretations
      .map((interpretation) => ({
        ...interpretation,
        total: count(edition, { criteria: [...interpretation.criteria, ...filters] }),
      }))
      .filter(({ total }) => total > 0);
  const found = counted(possibleInterpretations(edition, text));
  const hasNames = found.some(({ kind }) => kind === 'name' || kind === 'town');
  found.push(...readingsWithTown(edition, text, counted, hasNames));
  const isTown = () => hasTown(edition, text);
  const rank = ({ kind }: Interpretation): number => {
    if (CERTAIN.has(kind)) return 0;
    if (kind === 'role' && isWordOfNames(text)) return 2;
    // A town with exactly this name is as likely as a name that contains the word.
    return kind === 'town' && !isTown() ? 2 : 1;
  };
  // Among equally likely interpretations, the one with the most matches.
  return found
    .map((interpretation) => ({ interpretation, rank: rank(interpretation) }))
    .sort(
      (a, b) =>
        a.rank - b.rank || (a.rank === 1 ? b.interpretation.total - a.interpretation.total : 0),
    )
    .map(({ interpretation }) => interpretation);
}

const CERTAIN: ReadonlySet<ReadingKind> = new Set(['codes', 'postcode', 'district']);

/** All interpretations of a text, with and without results. */
export function possibleInterpretations(edition: Edition, text: string): Possible[] {
  return [
    ...codesInterpretations(edition, text),
    ...postcodeInterpretations(text),
    ...nameInterpretations(text),
    ...roleInterpretations(edition, text),
  ];
}

/** Several codes, such as a pasted column. Half of them may be unknown, if they look like codes. */
function codesInterpretations(edition: Edition, text: string): Possible[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length < 2) return [];
  const rows = words.map((word) => rowOfCode(edition, word));
  const unknown = words.filter((_, at) => rows[at] === undefined);
  const isMostlyKnown = 2 * unknown.length <= words.length;
  if (!isMostlyKnown || !unknown.every((word) => LIKE_A_CODE.test(word))) return [];
  const codes = rows.filter((row) => row !== undefined).map(edition.index.codeOf);
  const subject = codes.join(', ');
  const criteria = [hasCode('code', codes)];
  return [{ kind: 'codes', subject, criteria, ...(unknown.length > 0 && { unknown }) }];
}

/** Letters and digits, and not a word of a name. */
const LIKE_A_CODE = /^(?=.*\d)[A-Z\d]{3,12}$/i;

function postcodeInterpretations(text: string): Possible[] {
  const postcode = readPostcode(text);
  if (postcode === undefined) return [];
  const [outward = '', inward] = postcode.split(' ');
  // A complete postcode matches with any spacing. In a partial postcode, a space ends the outward code.
  const value = inward?.length === INWARD_LENGTH ? outward + inward : postcode;
  const whole: Possible = {
    kind: 'postcode',
    subject: postcode,
    criteria: [hasText('postalCode', 'startsWith', [value])],
  };
  if (inward !== undefined) return [whole];
  const district = [hasText('postalCode', 'startsWith', [`${outward} `])];
  return [whole, { kind: 'district', subject: outward, criteria: district }];
}

function nameInterpretations(text: string): Possible[] {
  const { words, ...searched } = searchedWords(text);
  if (words.length === 0) return [];
  const whole = wholeSpellingsOf(text);
  return [
    {
      kind: 'name',
      ...searched,
      criteria: words.map(inName),
    },
    { kind: 'town', subject: text, criteria: [hasText('city', 'startsWith', whole)] },
  ];
}

function roleInterpretations(edition: Edition, text: string): Possible[] {
  const codes = rolesMeant(edition, text);
  if (codes.length === 0) return [];
  const subject = codes.map(rolesOf(edition).name).join(' or ');
  return [{ kind: 'role', subject, roles: codes, criteria: [hasCode('role', codes)] }];
}

/** A formatted postcode or its beginning: `ls16ab` is `LS1 6AB`; undefined for other texts. */
export function readPostcode(text: string): string | undefined {
  const match = POSTCODE.exec(text.toUpperCase());
  if (match === null) return undefined;
  const [, outward = '', inward = ''] = match;
  return inward === '' ? outward : `${outward} ${inward}`;
}

/** The outward part of what may be a postcode: `LS1` of `LS1 6AB`. */
export function outwardPart(text: string): string | undefined {
  const postcode = readPostcode(text);
  return postcode?.includes(' ') ? postcode.split(' ')[0] : undefined;
}

const INWARD_LENGTH = 3;

/** The outward part, and the inward part or its beginning. `LS11` without a space is outward. */
const POSTCODE = /^([A-Z]{1,2}\d[A-Z\d]?)(?:\s*(\d[A-Z]{0,2}))?$/;

/** The words to search for in names. Of too many, the longest, because they are the rarest. */
function searchedWords(text: string) {
  const words = [...new Set(wordsOf(text))];
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, WORDS_MAX);
  const letters = longest.filter((word) => word.length === 1 && word !== '&');
  const searched = new Set(longest).difference(new Set(letters.slice(LETTERS_MAX)));
  if (searched.size === words.length) return { words, subject: text, leavesOutWords: false };
  const kept = words.filter((word) => searched.has(word));
  return { words: kept, subject: kept.join(' '), leavesOutWords: true };
}

/** Each word takes a search, and a page can need several of each. */
const WORDS_MAX = 8;

/** Half of all names contain a given letter, so single letters do not help. */
const LETTERS_MAX = 3;

/**
 * Interpretations with a town after or before a role or a name: `dentist in leeds`, `leeds
 * pharmacy`. If whole names match the text, only roles are considered.
 */
function readingsWithTown(
  edition: Edition,
  text: string,
  counted: (interpretations: readonly Possible[]) => Interpretation[],
  onlyRoles: boolean,
): Interpretation[] {
  for (const [rest, place] of splitsWithTown(wordsOf(text))) {
    const roles = roleInterpretations(edition, rest);
    if (onlyRoles && roles.length === 0) continue;
    const inTown = hasText('city', 'startsWith', wholeSpellingsOf(place));
    // The town comes first, because its search is fast and mostly has no result.
    if (count(edition, { criteria: [inTown] }) === 0) continue;
    const { words, ...name } = searchedWords(rest);
    const names: Possible[] = onlyRoles
      ? []
      : [{ kind: 'name-town', ...name, place, criteria: [...words.map(inName), inTown] }];
    const found = counted([
      ...names,
      ...roles.map((role) => ({
        ...role,
        kind: 'role-town' as const,
        place,
        criteria: [...role.criteria, inTown],
      })),
    ]);
    if (found.length > 0) return found;
  }
  return [];
}

/** The splits into a role or name and a town. Splits with the town at the end come first. */
function* splitsWithTown(words: readonly string[]): Generator<[rest: string, place: string]> {
  if (words.length > SPLIT_WORDS_MAX) return;
  for (let at = 1; at < words.length; at++) {
    const rest = words.slice(0, at);
    if (/^(in|near|at)$/.test(rest.at(-1) ?? '')) rest.pop();
    if (rest.length > 0) yield [rest.join(' '), words.slice(at).join(' ')];
  }
  for (let at = words.length - 1; at > 0; at--) {
    yield [words.slice(at).join(' '), words.slice(0, at).join(' ')];
  }
}

/** Each split takes two searches. */
const SPLIT_WORDS_MAX = 12;

function inName(word: string): DirectoryCriterion {
  return hasText('name', 'contains', spellingsOf(word));
}

function hasTown(edition: Edition, text: string): boolean {
  const values = wholeSpellingsOf(text).map((spelling) => spelling.toUpperCase());
  return count(edition, { criteria: [hasText('city', 'exact', [...values, text])] }) > 0;
}

function count({ index }: Edition, query: DirectoryQuery): number {
  return index.search(query, 0, 0).total;
}
