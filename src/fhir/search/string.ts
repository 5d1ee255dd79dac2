/**
 * Search parameters of type string: texts, compared without case, accents and spacing.
 * https://hl7.org/fhir/STU3/search.html#string
 */

import { type CriterionParameter, criterionParameter } from './parameter.ts';
import { type Alternative, type Parsed, parseEach, refused } from './parsed.ts';

/** One text of a resource, as an index holds it. */
export interface StringEntry {
  readonly folded: string;
  /** The text as it is, which `:exact` compares. Absent for a spelling that `:exact` ignores. */
  readonly exact?: string;
}

export type StringMatch = 'startsWith' | 'contains' | 'exact';

/** Matches a resource if one entry of its field matches one of the values. */
export interface StringCriterion<Field extends string = string> {
  readonly type: 'string';
  readonly field: Field;
  readonly match: StringMatch;
  readonly values: readonly string[];
}

/**
 * Decomposes (NFD), removes marks, converts to upper and then lower case, and reduces white space to
 * single spaces. Each letter is folded on its own, so a folded text contains the folded form of each
 * of its parts. Lone surrogates become U+FFFD, as in UTF-8.
 *
 * Marks are also removed before NFD, because NFD sorts each run of marks in quadratic time: 64
 * KiB of marks take half a second. The result is the same, because marks decompose only into
 * marks.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return (
    text
      .toWellFormed()
      .replace(MARKS, '')
      .normalize('NFD')
      .replace(MARKS, '')
      .toUpperCase()
      .toLowerCase()
      // The capital ẞ becomes ß here, but ß alone has become ss.
      .replaceAll('ß', 'ss')
      // JavaScript lowers Σ to ς at the end of a word, but folding must not depend on what follows.
      .replaceAll('ς', 'σ')
      .replace(WHITE_SPACE, ' ')
  );
}

/** Postcodes are also found by this spelling. */
export function withoutSpaces(folded: string): string {
  return folded.replaceAll(' ', '');
}

export function stringEntries(text: string | undefined): StringEntry[] {
  return text === undefined ? [] : [{ folded: fold(text), exact: text }];
}

/** `value` is folded, unless `match` is `exact`. */
export function matchesString(entry: StringEntry, match: StringMatch, value: string): boolean {
  if (match === 'exact') return entry.exact === value;
  return match === 'contains' ? entry.folded.includes(value) : entry.folded.startsWith(value);
}

/** The values that a string parameter accepts. Lengths count code points. */
export interface StringRule {
  readonly lengthMin: number;
  readonly lengthMax: number;
  readonly characters: RegExp;
  readonly tooShort: string;
  readonly tooLong: string;
  readonly otherCharacters: string;
}

export function stringParameter<Field extends string, Context = unknown>({
  name,
  field,
  documentation,
  isCommaLiteral,
  ...rule
}: StringRule & {
  readonly name: string;
  readonly field: Field;
  readonly documentation: string;
  /** Whether a comma is a part of the text even if it has no escape. Absent: it is not. */
  readonly isCommaLiteral?: (context: Context) => boolean;
}): CriterionParameter<StringCriterion<Field>, NoInfer<Context>> {
  return criterionParameter(
    { name, type: 'string', modifiers: ['contains', 'exact'], documentation },
    (alternatives, modifier, context: Context) =>
      parseEach(
        isCommaLiteral?.(context) ? [joinedByCommas(alternatives)] : alternatives,
        (parts) => parseString(parts, rule),
        (values) => ({
          type: 'string',
          field,
          match: MATCHES.get(modifier) ?? 'startsWith',
          values,
        }),
      ),
  );
}

function joinedByCommas(alternatives: readonly Alternative[]): Alternative {
  return [alternatives.map((parts) => parts.join('|')).join(',')];
}

const MATCHES: ReadonlyMap<string, StringMatch> = new Map([
  ['contains', 'contains'],
  ['exact', 'exact'],
]);

/** Checks the length first, so that a value that is too long costs no further work. */
function parseString(parts: Alternative, rule: StringRule): Parsed<string> {
  const value = parts.join('|');
  // A code point has at most two UTF-16 units.
  const length = value.length > rule.lengthMax * 2 ? value.length : codePoints(value);
  if (length > rule.lengthMax) return refused('invalid-value', rule.tooLong);
  // A value of combining marks folds to an empty text, which would match every resource.
  const isShort = length < rule.lengthMin || fold(value).trim() === '';
  if (isShort) return refused('invalid-value', rule.tooShort);
  return rule.characters.test(value) ? { value } : refused('invalid-value', rule.otherCharacters);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Printable ASCII with single spaces: only the case must be folded. */
const PLAIN = /^[!-~]*(?: [!-~]+)* ?$/;
const MARKS = /\p{M}+/gu;
const WHITE_SPACE = /\s+/g;
