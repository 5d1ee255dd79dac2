/** Cleans and checks the texts of a source: white space, dates, codes. */

import { MARKER_CHARACTERS } from '../../directory/record/shape.ts';

/**
 * Trims the text, replaces each run of white space by one space, and leaves out the characters of
 * markers, which no font shows. Undefined if nothing is left.
 */
export function cleanText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const clean = isClean(text)
    ? text
    : text.replace(MARKER_CHARACTERS, '').replace(/\s+/gu, ' ').trim();
  return clean === '' ? undefined : standAlone(clean);
}

/** Whether the text is a day of the calendar, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (text.length !== 10 || text.charCodeAt(4) !== hyphen || text.charCodeAt(7) !== hyphen) {
    return false;
  }
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 2);
  const day = digitsAt(text, 8, 2);
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= daysInMonth(year, month);
}

/** Whether the text is 1 to 64 ASCII letters and digits, as every organisation code is. */
export function isCode(text: string): boolean {
  return codePattern.test(text);
}

/** Makes a text of a source fit for a message: one short line without control characters. */
export function printable(text: string): string {
  const line = text
    .slice(0, SHOWN_MAX * 4)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line;
}

/** As `printable`, in quotation marks. */
export function quoted(text: string): string {
  return `"${printable(text)}"`;
}

/**
 * A record with a longer text is refused. Real texts have less than 100 characters, and sorting
 * the suffixes of a repetitive text takes quadratic time.
 */
export const TEXT_LENGTH_MAX = 4096;

const codePattern = /^[A-Za-z0-9]{1,64}$/;
const hyphen = 0x2d;
const space = 0x20;

/** The characters of a file name or value that messages show. */
const SHOWN_MAX = 80;

/** Whether the text is ASCII with single spaces inside only, as most texts are. */
function isClean(text: string): boolean {
  let previous = space;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < space || unit > 0x7e || (unit === space && previous === space)) return false;
    previous = unit;
  }
  return previous !== space;
}

/**
 * Copies the text so that it shares no memory with the text it was cut from. V8 keeps the whole text
 * in memory as long as a slice of it is used; slices of all pieces would keep the whole file.
 */
function standAlone(text: string): string {
  if (text.length < SLICED_LENGTH_MIN) return text;
  if (text.length * 3 > scratch.length) return Buffer.from(text).toString();
  return scratch.toString('utf8', 0, scratch.write(text));
}

/** V8 copies shorter slices itself (`SlicedString::kMinLength`). */
const SLICED_LENGTH_MIN = 13;
const scratch = Buffer.alloc(4096);

/** The number that the digits make, or -1 if one of the characters is not a digit. */
function digitsAt(text: string, start: number, count: number): number {
  let number = 0;
  for (let index = start; index < start + count; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
