/** The ids of codes and organisations as the release file has them. */

/** The root of the object identifiers of organisation codes. */
export const ORGANISATION_ROOT = '2.16.840.1.113883.2.1.3.2.4.18.48';

/** The authority of organisations for which the source names none. */
export const DEFAULT_AUTHORITY = 'HSCIC';

/** `177` → `RO177`; a code that is not a number stays the same. */
export function prefixedId(prefix: IdPrefix, code: string): string;
export function prefixedId(prefix: IdPrefix, code: string | undefined): string | undefined;
export function prefixedId(prefix: IdPrefix, code: string | undefined): string | undefined {
  return code !== undefined && /^\d+$/.test(code) ? prefix + code : code;
}

export function statusText(isActive: boolean): string {
  return isActive ? 'Active' : 'Inactive';
}

/** A date, or the date of an instant. */
export function dateText(lastUpdated: string): string {
  return lastUpdated.split('T', 1)[0]!;
}

type IdPrefix = 'RO' | 'RE' | 'RC';
