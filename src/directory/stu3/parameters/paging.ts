/** _count, _page, _edition and _summary: which part of the matches is wanted. */
import { type Parsed, refused } from '../../../fhir/search/parsed.ts';

/** The size of a page where the request says none; `directory.countMax` may be less. */
export const DEFAULT_COUNT = 20;

export function parseCount(text: string, countMax: number): Parsed<number> {
  const value = wholeNumber(text);
  if (value !== undefined && value <= countMax) return { value };
  return refused(
    'invalid-value',
    `Supplied limit is invalid, the parameter must take an integer between 0 and ${countMax}`,
  );
}

export function parsePage(text: string): Parsed<number> {
  const value = wholeNumber(text);
  if (value !== undefined && value >= 1) return { value };
  return refused('invalid-value', 'page must be a number larger than 0');
}

export function parseEdition(text: string): Parsed<number> {
  const value = wholeNumber(text);
  if (value !== undefined) return { value };
  return refused(
    'invalid-value',
    'Supplied _edition is invalid, it must be the number of an edition',
  );
}

/** True where the client requests only the total. `_summary=false` has no effect. */
export function parseSummary(text: string): Parsed<boolean> {
  if (text === 'count' || text === 'false') return { value: text === 'count' };
  return refused('invalid-value', 'Invalid _summary parameter.');
}

/** Larger ones than JavaScript can count are the largest it can: nothing has so many pages. */
function wholeNumber(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
