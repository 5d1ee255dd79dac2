/** How values of practitioners are kept in arrays. */
import { fold } from '../../fhir/search/string.ts';

/** `2026-04-01` as 20260401; 0 if it is not known. */
export function compactDay(day: string | undefined): number {
  return day === undefined ? 0 : Number(day.replaceAll('-', ''));
}

/** The reverse. */
export function dayOfCompact(number: number): string | undefined {
  if (number === 0) return undefined;
  const text = String(number);
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}

/** What a search for words in names looks at. */
export function searchText(name: string, registeredName = ''): string {
  return fold(registeredName === '' ? name : `${name} ${registeredName}`);
}
