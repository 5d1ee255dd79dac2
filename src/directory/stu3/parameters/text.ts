/** name, address-postalcode and address-city: https://hl7.org/fhir/STU3/search.html#string */

import type { Alternative } from '../../../fhir/search/alternatives.ts';
import { type Parsed, parseEach, refused } from '../../../fhir/search/parsed.ts';
import { fold } from '../../index/fold.ts';
import type { Criterion, StringField, StringMatch } from '../../query.ts';

export const parseName = textParser({
  field: 'name',
  lengthMin: 3,
  lengthMax: 100,
  characters: /^[A-Za-z0-9&()'+\-_./:@ ]*$/,
  tooShort: 'Supplied name needs a minimum of 3 Characters.',
  tooLong: 'Supplied name too long, max 100 Characters.',
  invalid: 'Supplied name has invalid Character/s.',
});

export const parseAddressPostalcode = textParser({
  field: 'postalCode',
  lengthMin: 2,
  lengthMax: 8,
  characters: /^[A-Za-z0-9 ]*$/,
  tooShort: 'Supplied address-postalcode is too short, min 2 characters.',
  tooLong: 'Supplied address-postalcode is too long, max 8 characters.',
  invalid: 'Supplied address-postalcode contains invalid characters, alphanumeric characters only.',
});

export const parseAddressCity = textParser({
  field: 'city',
  lengthMin: 2,
  lengthMax: 75,
  characters: /^[\p{L}\p{M} \-',.]*$/u,
  tooShort: 'Supplied address-city is too short, min 2 characters',
  tooLong: 'Supplied address-city is too long, max 75 characters',
  invalid:
    "Supplied address-city contains invalid characters, valid characters include:  , . - ' " +
    'and alphabetical characters',
});

interface TextRule {
  readonly field: StringField;
  /** Lengths count code points. */
  readonly lengthMin: number;
  readonly lengthMax: number;
  readonly characters: RegExp;
  readonly tooShort: string;
  readonly tooLong: string;
  readonly invalid: string;
}

const MATCHES: ReadonlyMap<string, StringMatch> = new Map([
  ['', 'startsWith'],
  ['contains', 'contains'],
  ['exact', 'exact'],
]);

function textParser(rule: TextRule) {
  return (alternatives: readonly Alternative[], modifier: string): Parsed<Criterion> =>
    parseEach(
      alternatives.map((parts) => parts.join('|')),
      (value) => {
        const diagnostics = refusal(value, rule);
        return diagnostics === undefined ? { value } : refused('invalid-value', diagnostics);
      },
      (values) => ({
        kind: 'string',
        field: rule.field,
        match: MATCHES.get(modifier) ?? 'startsWith',
        values,
      }),
    );
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Checks the length first, so that a value that is too long costs no further work. */
function refusal(value: string, rule: TextRule): string | undefined {
  // A code point has at most two UTF-16 units.
  if (value.length > rule.lengthMax * 2) return rule.tooLong;
  const length = codePoints(value);
  if (length > rule.lengthMax) return rule.tooLong;
  // A value of marks alone folds to an empty text, which would match everything.
  if (length < rule.lengthMin || fold(value).trim() === '') return rule.tooShort;
  return rule.characters.test(value) ? undefined : rule.invalid;
}
