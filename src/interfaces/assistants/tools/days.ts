/** The day of an answer. */

import { dayNamed } from '../../json/json-parameters.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { optionalInput, textInput } from './inputs.ts';

export const DAY_INPUT = optionalInput(
  textInput('The day of the answer, such as 2026-04-01. Without it: today.'),
);

/** Throws a FhirError if it is not a date. */
export function dayOn({ today }: AssistantDirectory, on: string | undefined): string {
  if (on === undefined) return today();
  dayNamed('on', on);
  return on;
}
