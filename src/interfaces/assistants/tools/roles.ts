/** Roles as assistants write them. */

import { rolesMeant, unknownRole } from '../../../directory/ask/role-words.ts';
import type { Edition } from '../../../directory/edition/edition.ts';
import { refuse } from '../../json/json-parameters.ts';
import { textInput } from './inputs.ts';

export const ROLE_INPUT = textInput(
  'A role: its code such as RO182, its name, or an everyday word such as pharmacy or GP.',
);

/** The codes without `RO`, at least one. Throws a FhirError. */
export function roleCodesNamed(edition: Edition, role: string): readonly string[] {
  const codes = rolesMeant(edition, role);
  if (codes.length > 0) return codes;
  throw refuse(unknownRole(edition, role, 'the tool roles'));
}
