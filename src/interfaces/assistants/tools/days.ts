/** The day of an answer. */

import { shownText } from '../../../fhir/request/unknown-name.ts';
import { refuse } from '../../json/json-parameters.ts';
import { DAY_KIND } from '../../json/kinds.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { optionalInput, textInput } from './inputs.ts';

export const DAY_INPUT = optionalInput(
  textInput('The day of the answer, such as 2026-04-01. Without it: today.'),
);

/** Throws a FhirError if it is not a date. */
export function dayOn({ today }: AssistantDirectory, on: string | undefined): string {
  if (on === undefined) return today();
  requireDay('on', on);
  return on;
}

/** Throws a FhirError that names the input if the text is not a date. */
export function requireDay(name: string, text: string): void {
  if (DAY_KIND.parse(text) !== undefined) return;
  throw refuse(`${name} ${DAY_KIND.rule}. Got "${shownText(text)}".`);
}
