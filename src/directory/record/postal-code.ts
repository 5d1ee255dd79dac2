/** Spellings of postcodes that do not depend on case and spaces. */
import { fold, withoutSpaces } from '../../fhir/search/string.ts';

/** `ls6 4jn` is `LS64JN`, also with the invisible characters that come with a paste. */
export function compactPostalCode(text: string): string {
  return withoutSpaces(fold(text.replace(INVISIBLE, ''))).toUpperCase();
}

const INVISIBLE = /\p{Cf}+/gu;

/** The outward code of a compact postcode: `LS6` of `LS64JN`. Undefined for any other text. */
export function outwardCodeOf(compact: string): string | undefined {
  return UNIT.exec(compact)?.[1];
}

/** Whether a folded text is a whole postcode, with or without its space: `ls64jn`, not `ls11`. */
export function isWholePostalCode(folded: string): boolean {
  return WHOLE.test(folded);
}

const WHOLE = /^[a-z][a-z0-9]{1,3} ?[0-9][a-z]{2}$/;

/**
 * Whether a folded text without spaces has all of an outward code and a part of the inward code:
 * `yo107e` can only be `yo10 7e`. `ls11` is an outward code itself.
 */
export function isPastOutwardCode(folded: string): boolean {
  return !OUTWARD.test(folded) && PAST_OUTWARD.test(folded);
}

/** Whether a folded text is an outward code: `ls11`. */
export function isOutwardCode(folded: string): boolean {
  return OUTWARD.test(folded);
}

/** Whether a folded text has the space of a postcode, and begins one: `ls1 `, `ls1 4`. */
export function hasPostalSpace(folded: string): boolean {
  return SPACED.test(folded);
}

const OUTWARD = /^(?:[a-z]{1,2}[0-9][a-z0-9]?|gir)$/;
const PAST_OUTWARD = /^(?:[a-z]{1,2}[0-9][a-z0-9]?|gir)[0-9][a-z]?$/;
const SPACED = /^(?:[a-z]{1,2}[0-9][a-z0-9]?|gir) (?:[0-9][a-z]?)?$/;

/** The inward code is a digit and two letters. */
const UNIT = /^([A-Z][A-Z0-9]{1,3})[0-9][A-Z]{2}$/;
