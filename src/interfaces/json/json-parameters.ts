/** Parameters in URLs of interfaces that are not FHIR, and the errors about them. */

import { dayPeriod } from '../../directory/record/day.ts';
import { parseQueryString } from '../../fhir/http/query-string.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import { shownText, unknownName } from '../../fhir/request/unknown-name.ts';
import type { DatePeriod } from '../../fhir/search/date.ts';

/** A parameter, or a member of a body, as the OpenAPI description has it. */
export interface DescribedParameter {
  readonly name: string;
  readonly documentation: string;
  /** Its JSON schema; by default a text. */
  readonly schema?: object;
}

export interface JsonParameters {
  /** By name. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** The values of the parameter that may be repeated. */
  readonly repeated: readonly string[];
}

/** Throws a FhirError with the first problem. Only the parameter `repeatable` may be repeated. */
export function readParameters(
  query: string,
  known: readonly string[],
  repeatable?: string,
): JsonParameters {
  const values: Record<string, string> = {};
  const repeated: string[] = [];
  for (const { name, value, isMalformed } of parseQueryString(query)) {
    if (!known.includes(name)) {
      throw refuse(unknownParameter(name, known));
    }
    if (isMalformed) throw refuse(`${name} is not percent-encoded UTF-8.`);
    if (name === repeatable) repeated.push(value);
    else if (Object.hasOwn(values, name)) throw refuse(`The query parameter ${name} is repeated.`);
    else values[name] = value;
  }
  return { values, repeated };
}

/** The text about a query parameter that an interface does not have. */
export function unknownParameter(sent: string, known: readonly string[]): string {
  return unknownName({ kind: 'query parameter', sent, known, listedAt: OPENAPI });
}

/** The period of the day. Throws a FhirError that names the parameter if the text is not a date. */
export function dayNamed(name: string, text: string): DatePeriod {
  const day = dayPeriod(text);
  if (day !== undefined) return day;
  throw refuse(`${name} must be a date YYYY-MM-DD. Got "${beginningOf(text)}".`);
}

/** As much of a text as a message shows. */
export function beginningOf(text: string): string {
  return shownText(text);
}

/** Where interfaces that are not FHIR list what they have. */
export const OPENAPI = '/openapi.json';

/** `hint`: the remedy, if the diagnostics are the words of a national service. */
export function refuse(diagnostics: string, hint?: string): FhirError {
  return new FhirError([{ kind: 'invalid-parameter', diagnostics, ...(hint && { hint }) }]);
}
