/** The search as the contract words it, written without any index: what the engine is held to. */

import type {
  Criterion,
  Page,
  Query,
  StringField,
  StringMatch,
} from '../../../src/directory/query.ts';
import type { OrganizationRecord } from '../../../src/directory/record.ts';

/** `records` are sorted by code; a record's row is its place among them. */
export function naiveSearch(
  records: readonly OrganizationRecord[],
  query: Query,
  offset: number,
  limit: number,
): Page {
  const rows = records.flatMap((record, row) =>
    query.criteria.every((criterion) => matches(record, criterion)) ? [row] : [],
  );
  return { total: rows.length, rows: rows.slice(offset, offset + limit) };
}

function matches(record: OrganizationRecord, criterion: Criterion): boolean {
  switch (criterion.kind) {
    case 'code':
      return criterion.values.some((value) =>
        criterion.ignoreCase
          ? value.toLowerCase() === record.code.toLowerCase()
          : value === record.code,
      );
    case 'string': {
      const { field, match } = criterion;
      const text = textOf(record, field);
      if (text === undefined) return false;
      return criterion.values.some((value) => matchesText(text, field, match, value));
    }
    case 'changed':
      return criterion.values.some((value) => Date.parse(record.lastUpdated) >= value);
    case 'active':
      return criterion.values.includes(record.isActive);
    case 'role': {
      const held = record.roles.map((role) => role.code);
      const primary = record.roles.find((role) => role.isPrimary)?.code;
      return criterion.values.some((value) => {
        if (criterion.primary === true) return value === primary;
        if (criterion.primary === false) return held.includes(value) && value !== primary;
        return held.includes(value);
      });
    }
  }
}

function textOf(record: OrganizationRecord, field: StringField): string | undefined {
  if (field === 'name') return record.name;
  return field === 'city' ? record.address?.city : record.address?.postalCode;
}

function matchesText(text: string, field: StringField, match: StringMatch, value: string): boolean {
  if (match === 'exact') return text === value;
  const wanted = naiveFold(value);
  const candidates = [naiveFold(text)];
  if (field === 'postalCode' && !wanted.includes(' ')) {
    candidates.push(naiveFold(text).split(' ').join(''));
  }
  return candidates.some((candidate) =>
    match === 'contains' ? candidate.includes(wanted) : candidate.startsWith(wanted),
  );
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
