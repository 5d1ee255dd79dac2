/** Suggestions while people type: a few organisations, the most likely first. */
import type { Edition } from '../../directory/edition/edition.ts';
import { ACTIVE } from './criteria.ts';
import { findInterpretations, rowOfCode } from './interpretations.ts';
import { respelt } from './spelling.ts';

export interface Suggestion {
  readonly code: string;
  readonly name: string;
  /** Town and postcode, if known. */
  readonly place: string;
  readonly isActive: boolean;
}

const SUGGESTIONS_MAX = 8;

/** One letter matches half of the directory. */
const SUGGESTED_LENGTH_MIN = 2;

/** The beginning of a longer text is enough for suggestions. */
const SUGGESTED_LENGTH_MAX = 60;

/** `typed` as `readText` gives it. */
export async function suggest(edition: Edition, typed: string): Promise<Suggestion[]> {
  const text = typed.slice(0, SUGGESTED_LENGTH_MAX).toWellFormed().trim();
  if (text.length < SUGGESTED_LENGTH_MIN) return [];
  const rows = new Set<number>();
  const exact = rowOfCode(edition, text);
  if (exact !== undefined) rows.add(exact);
  for (const row of rowsOfCodesBeginning(edition, text)) rows.add(row);
  addFound(edition, text, rows);
  const better = rows.size === 0 ? await respelt(edition, text) : undefined;
  if (better !== undefined) addFound(edition, better, rows);
  return [...rows].slice(0, SUGGESTIONS_MAX).map((row) => suggestionOf(edition, row));
}

/** Names that begin with the text come first, because people usually type the start of a name. */
function addFound(edition: Edition, text: string, rows: Set<number>): void {
  const interpretations = findInterpretations(edition, text, []);
  const names = interpretations.filter(({ first }) => first !== undefined);
  const parts = [
    ...names.flatMap(({ first }) => (first === undefined ? [] : [first])),
    ...names.map(({ criteria }) => criteria),
    ...interpretations.filter((one) => !names.includes(one)).map(({ criteria }) => criteria),
  ];
  // People mostly look for active organisations.
  for (const part of [...parts.map((one) => [...one, ACTIVE]), ...parts]) {
    if (rows.size >= SUGGESTIONS_MAX) return;
    const found = edition.index.search({ criteria: part }, 0, SUGGESTIONS_MAX);
    for (const row of found.rows) rows.add(row);
  }
}

/** Few, because people type a code to its end. */
const CODES_MAX = 3;

/** Rows are in the order of their codes: those with a common beginning are neighbours. */
function rowsOfCodesBeginning({ index }: Edition, text: string): number[] {
  const beginning = text.toUpperCase();
  if (!/^(?=.*\d)[A-Z0-9]+$/.test(beginning)) return [];
  let low = 0;
  let high = index.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (index.codeOf(middle) < beginning) low = middle + 1;
    else high = middle;
  }
  const rows: number[] = [];
  for (let row = low; row < index.count && rows.length < CODES_MAX; row++) {
    if (!index.codeOf(row).startsWith(beginning)) break;
    rows.push(row);
  }
  return rows;
}

function suggestionOf({ rows }: Edition, row: number): Suggestion {
  const { code, name, address, isActive } = rows.recordAt(row);
  const place = [address?.city, address?.postalCode].filter((part) => part !== undefined);
  return { code, name: name ?? 'No name', place: place.join(', '), isActive };
}
