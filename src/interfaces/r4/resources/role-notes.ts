/** The notes about roles that a search names and the edition does not have. */

import { roleCodeOf, unknownRole } from '../../../directory/ask/role-words.ts';
import type { Edition } from '../../../directory/edition/edition.ts';
import { parseQueryString } from '../../../fhir/http/query-string.ts';
import { parseAlternatives } from '../../../fhir/search/parsed.ts';
import type { Search } from '../../faces/search.ts';
import { R4_SYSTEMS } from './systems.ts';

/** Codes of other systems match nothing, as FHIR says, and need no note. */
export function unknownRoleNotes(
  edition: Edition,
  { pairs }: Pick<Search, 'pairs'>,
): readonly string[] {
  const sent = pairs
    .filter(({ name }) => ROLE_PARAMETER.test(name))
    .flatMap(({ text }) => parseQueryString(text))
    .flatMap(({ value }) => parseAlternatives(value))
    .flatMap(([first = '', second, ...others]) => {
      if (second === undefined) return [first];
      return first === R4_SYSTEMS.role && others.length === 0 ? [second] : [];
    });
  return [...new Set(sent)]
    .filter((role) => role !== '' && roleCodeOf(edition, role) === undefined)
    .slice(0, NOTES_MAX)
    .map((role) => unknownRole(edition, role));
}

const ROLE_PARAMETER = /^(?:roleCode|activeRoleCode)(?::|$)/;

/** A search can have 200 values. */
const NOTES_MAX = 10;
