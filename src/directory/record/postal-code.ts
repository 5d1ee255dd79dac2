/** Spellings of postcodes that do not depend on case and spaces. */
import { fold, withoutSpaces } from '../../fhir/search/string.ts';

/** `ls6 4jn` is `LS64JN`. */
export function compactPostalCode(text: string): string {
  return withoutSpaces(fold(text)).toUpperCase();
}

/** The outward code of a compact postcode: `LS6` of `LS64JN`. Undefined for any other text. */
export function outwardCodeOf(compact: string): string | undefined {
  return UNIT.exec(compact)?.[1];
}

/** Whether the text is a whole postcode or an outward code: `ls6 4jn`, `LS64JN` or `LS6`. */
export function isPostalOrOutwardCode(text: string): boolean {
  return !SPLIT_INWARD.test(text) && POSTAL_OR_OUTWARD.test(compactPostalCode(text));
}

const POSTAL_OR_OUTWARD = /^(?:[A-Z]{1,2}[0-9][A-Z0-9]?|GIR)(?:[0-9][A-Z]{2})?$/;

/** `LS1 4` without its space would be another outward code. */
const SPLIT_INWARD = /[0-9][A-Z]? +[0-9]$/i;

/** Whether a folded text is a whole postcode, with or without its space: `ls64jn`, not `ls11`. */
export function isWholePostalCode(folded: string): boolean {
  return WHOLE.test(folded);
}

const WHOLE = /^[a-z][a-z0-9]{1,3} ?[0-9][a-z]{2}$/;

/** The inward code is a digit and two letters. */
const UNIT = /^([A-Z][A-Z0-9]{1,3})[0-9][A-Z]{2}$/;
