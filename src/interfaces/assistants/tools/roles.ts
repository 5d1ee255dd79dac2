/** Roles as assistants write them. */

import { roleCodesOf } from '../../../directory/ask/role-words.ts';
import type { Edition } from '../../../directory/edition/edition.ts';
import { shownText } from '../../../fhir/request/unknown-name.ts';
import { refuse } from '../../json/json-parameters.ts';
import { textInput } from './inputs.ts';

export const ROLE_INPUT = textInput(
  'A role: its code such as RO182, its name, or an everyday word such as pharmacy or GP.',
);

/** The codes without `RO`, at least one. Throws a FhirError. */
export function roleCodesNamed(edition: Edition, role: string): readonly string[] {
  const codes = roleCodesOf(edition, role);
  if (codes.length > 0) return codes;
  throw refuse(
    `The directory has no role "${shownText(role)}". Use the tool roles for the list of roles.`,
  );
}
