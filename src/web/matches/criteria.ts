/** The criteria of the look-up page's searches. */
import { lowest } from '../../directory/arrays/binary-search.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type {
  DirectoryCriterion,
  StringField,
  TokenField,
} from '../../directory/index/organization-index.ts';
import type { StringMatch } from '../../fhir/search/string.ts';

export function hasText(
  field: StringField,
  match: StringMatch,
  values: readonly string[],
): DirectoryCriterion {
  return { type: 'string', field, match, values };
}

/** The field has one of these codes. */
export function hasCode(field: TokenField, codes: readonly string[]): DirectoryCriterion {
  return { type: 'token', field, values: codes.map((code) => ({ code })) };
}

/** These rows, which ascend. Reference-only records, which have no page, come after the others. */
export function rowsCriterion({ index }: Edition, rows: Uint32Array): DirectoryCriterion {
  const full = lowest(rows.length, (place) => rows[place]! >= index.count);
  return { type: 'rows', rows: rows.subarray(0, full) };
}

export const ACTIVE = hasCode('active', ['true']);
export const INACTIVE = hasCode('active', ['false']);
