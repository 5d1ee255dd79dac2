/** The criteria of the look-up page's searches. */
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

export const ACTIVE = hasCode('active', ['true']);
export const INACTIVE = hasCode('active', ['false']);
