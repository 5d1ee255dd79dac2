/** The day of an answer. */

import { readValue } from '../../json/read-parameters.ts';
import { DAY_PARAMETER } from '../../questions/question-parameters.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { optionalInput, textInput } from './inputs.ts';

export const DAY_INPUT = optionalInput(
  textInput('The day of the answer, such as 2026-04-01. Without it: today.'),
);

/** Throws a FhirError if it is not a date. */
export function dayOn({ today }: AssistantDirectory, on: string | undefined): string {
  return on === undefined ? today() : readValue('on', on, DAY_PARAMETER.on);
}
