/** The search as the contract words it, written without any index: what the engine is held to. */

import type {
  DirectoryCriterion,
  DirectoryQuery,
  Page,
  StringField,
  TokenField,
} from '../../../src/directory/query.ts';
import { lastUpdatedMs, type OrganizationRecord } from '../../../src/directory/record.ts';
import type { DateEntry, DateValue } from '../../../src/fhir/search/date.ts';
import type { StringEntry, StringMatch } from '../../../src/fhir/search/string.ts';
import type { TokenEntry, TokenValue } from '../../../src/fhir/search/token.ts';

/** `records` are sorted by code; a record's row is its place among them. */
export function naiveSearch(
  records: readonly OrganizationRecord[],
  query: DirectoryQuery,
  offset: number,
  limit: number,
): Page {
  const rows = records.flatMap((record, row) =>
    query.criteria.every((criterion) => matches(record, criterion)) ? [row] : [],
  );
  return { total: rows.length, rows: rows.slice(offset, offset + limit) };
}

function matches(record: OrganizationRecord, criterion: DirectoryCriterion): boolean {
  switch (criterion.type) {
    case 'string': {
      const entries = stringsOf(record, criterion.field);
      const { match, values } = criterion;
      return entries.some((entry) => values.some((value) => matchesString(entry, match, value)));
    }
    case 'token': {
      const entries = tokensOf(record, criterion.field);
      const { values, ignoreCase = false } = criterion;
      return entries.some((entry) => values.some((one) => matchesToken(entry, one, ignoreCase)));
    }
    case 'date': {
      const start = lastUpdatedMs(record);
      return criterion.values.some((value) => matchesDate({ start, end: start + 1 }, value));
    }
  }
}

function stringsOf({ name, address }: OrganizationRecord, field: StringField): StringEntry[] {
  const texts = { name, city: address?.city, postalCode: address?.postalCode };
  const exact = texts[field];
  if (exact === undefined) return [];
  const folded = naiveFold(exact);
  const compact = { folded: folded.split(' ').join('') };
  return [{ folded, exact }, ...(field === 'postalCode' ? [compact] : [])];
}

function tokensOf({ code, isActive, roles }: OrganizationRecord, field: TokenField): TokenEntry[] {
  const held = roles.map((role) => ({ code: role.code }));
  const primary = roles.find((role) => role.isPrimary)?.code;
  switch (field) {
    case 'code':
      return [{ code }];
    case 'active':
      return [{ code: String(isActive) }];
    case 'role':
      return held;
    case 'primaryRole':
      return held.filter((role) => role.code === primary);
    case 'otherRole':
      return held.filter((role) => role.code !== primary);
  }
}

function matchesString(entry: StringEntry, match: StringMatch, value: string): boolean {
  if (match === 'exact') return entry.exact === value;
  const wanted = naiveFold(value);
  return match === 'contains' ? entry.folded.includes(wanted) : entry.folded.startsWith(wanted);
}

function matchesToken(entry: TokenEntry, { system, code }: TokenValue, ignoreCase: boolean) {
  const { system: ownSystem = '', code: ownCode } = entry;
  if (system !== undefined && system !== ownSystem) return false;
  if (code === undefined || code === ownCode) return true;
  return ignoreCase && code.toLowerCase() === ownCode.toLowerCase();
}

/** https://hl7.org/fhir/STU3/search.html#prefix */
function matchesDate(entry: DateEntry, { prefix, start, end }: DateValue): boolean {
  const isEqual = entry.start >= start && entry.end <= end;
  switch (prefix) {
    case 'eq':
      return isEqual;
    case 'ne':
      return !isEqual;
    case 'gt':
      return entry.end > end;
    case 'lt':
      return entry.start < start;
    case 'ge':
      return entry.end > end || isEqual;
    case 'le':
      return entry.start < start || isEqual;
    case 'sa':
      return entry.start >= end;
    case 'eb':
      return entry.end <= start;
  }
}

const folded = new Map<string, string>();

function naiveFold(text: string): string {
  const known = folded.get(text);
  if (known !== undefined) return known;
  const made = foldLetters(text);
  folded.set(text, made);
  return made;
}

/** Letter by letter, so that the end of a word makes no difference (Σ), and twice for ẞ. */
function foldLetters(text: string): string {
  const letters = [...text.normalize('NFD')].filter((letter) => !/\p{M}/u.test(letter));
  const once = letters.map((letter) => letter.toUpperCase().toLowerCase()).join('');
  const twice = [...once].map((letter) => letter.toUpperCase().toLowerCase()).join('');
  return twice.replace(/\s+/g, ' ');
}
