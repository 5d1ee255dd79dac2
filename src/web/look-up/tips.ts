/** Tips for a search without results, as far as they fit the search. */
import { outwardPart } from './interpretations.ts';
import type { LookUpState } from './state.ts';

/** Whether a text has more than punctuation and symbols. */
export function hasLettersOrDigits(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

export function nothingFoundTips({ text, roles, status, town, of }: LookUpState): string[] {
  const tips: string[] = [];
  if (text !== '' && !hasLettersOrDigits(text)) {
    tips.push('type a code, a postcode, a town or a part of a name');
  } else if (text !== '') {
    tips.push('use fewer words, or only the beginning of a word');
    tips.push('check the spelling');
  }
  const outward = outwardPart(text);
  if (outward !== undefined) tips.push(`use only the first part of a postcode: ${outward}`);
  else if (LETTERS_AND_DIGITS.test(text)) tips.push('use only the first part of a postcode');
  if (town !== '') tips.push('check the spelling of the town, or use only its beginning');
  if (of !== '') tips.push('check the code or the name under “Belongs to”');
  if (roles.length > 0 || status !== undefined || town !== '' || of !== '') {
    tips.push('remove filters, one after the other');
  }
  return tips;
}

/** Text that may be a postcode. */
const LETTERS_AND_DIGITS = /^(?=.*\d)[a-z]{1,2}[a-z\d ]+$/i;
