/** Finds organisations by telephone number, and ignores its spacing. */
import type { Edition } from '../../directory/edition/edition.ts';
import { SLOT_PATTERN } from '../../directory/record/shape.ts';
import { inSteps, type Steps } from './in-steps.ts';

/**
 * The digits of a telephone number without country code and leading 0; undefined if the text
 * is not a telephone number.
 */
export function readPhoneNumber(text: string): number | undefined {
  if (!PHONE.test(text)) return undefined;
  const digits = text.replace(/\(0\)/, '').replace(/\D/g, '').replace(COUNTRY_OR_ZERO, '');
  return LENGTH.test(digits) ? Number(digits) : undefined;
}

/** Digits, and the characters between them. */
const PHONE = /^\+?[\d ()./-]{9,30}$/;
const COUNTRY_OR_ZERO = /^(?:(?:00)?44(?=\d{9,10}$)|0)/;
/** The length of a United Kingdom number without the leading 0. */
const LENGTH = /^\d{9,10}$/;

/** Rows in buckets, by a hash of their numbers. */
interface PhoneBook {
  /** Bucket → its start in `rows`; one more than buckets. */
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
  numbersAt(row: number): readonly number[];
}

/** Built at the first search for a number. */
export const phoneBooks = inSteps(readPhoneBook);

/** The rows with the number; none until the phone book is built. */
export function rowsOfPhone(edition: Edition, number: number): readonly number[] {
  const book = phoneBooks.done(edition);
  if (book === undefined) return [];
  const bucket = bucketOf(number);
  const rows = [...book.rows.subarray(book.starts[bucket], book.starts[bucket + 1])];
  return [...new Set(rows.filter((row) => book.numbersAt(row).includes(number)))];
}

function* readPhoneBook({ rows }: Edition): Steps<PhoneBook> {
  const slots: (readonly number[])[] = [];
  for (let shape = 0; shape < rows.shapeCount; shape++) {
    const phones = rows.shapeAt(shape).telecoms.filter(({ system }) => system === 'phone');
    slots.push(phones.flatMap(({ value }) => slotsOf(value)));
    if (shape % SHAPES_AT_ONCE === 0) yield undefined;
  }
  const numbersAt = (row: number): readonly number[] =>
    slots[rows.shapeOf(row)]!.map((slot) => readPhoneNumber(rows.textAt(row, slot))).filter(
      (number) => number !== undefined,
    );

  // A counting sort: first computes the start of each bucket, then puts each row in its bucket.
  const starts = new Uint32Array(BUCKETS + 1);
  function* eachNumber(use: (bucket: number, row: number) => void) {
    for (let row = 0; row < rows.count; row++) {
      for (const number of numbersAt(row)) use(bucketOf(number), row);
      if (row % ROWS_AT_ONCE === 0) yield undefined;
    }
  }
  yield* eachNumber((bucket) => {
    starts[bucket + 1]!++;
  });
  for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!;
  const next = starts.slice();
  const ordered = new Uint32Array(starts[BUCKETS]!);
  yield* eachNumber((bucket, row) => {
    ordered[next[bucket]!++] = row;
  });
  return { starts, rows: ordered, numbersAt };
}

function slotsOf(value: string): number[] {
  return Array.from(value.matchAll(SLOT_PATTERN), ([, slot]) => Number(slot));
}

/** Uses the last digits, because they differ most. */
function bucketOf(number: number): number {
  return number % BUCKETS;
}

/** With a full directory, each bucket has a few rows. */
const BUCKETS = 65_521;

const SHAPES_AT_ONCE = 50;
const ROWS_AT_ONCE = 500;
