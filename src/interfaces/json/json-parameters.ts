/** Parameters in URLs of interfaces that are not FHIR, and the errors about them. */

import { dayPeriod } from '../../directory/record/day.ts';
import { parseQueryString } from '../../fhir/http/query-string.ts';
import { nearestText } from '../../fhir/request/edit-distance.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
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
      const nearest = nearestText(name, known);
      const hint = nearest === undefined ? `Use ${known.join(', ')}.` : `Did you mean ${nearest}?`;
      throw refuse(`Unknown query parameter "${name}". ${hint}`);
    }
    if (isMalformed) throw refuse(`${name} is not percent-encoded UTF-8.`);
    if (name === repeatable) repeated.push(value);
    else if (Object.hasOwn(values, name)) throw refuse(`The query parameter ${name} is repeated.`);
    else values[name] = value;
  }
  return { values, repeated };
}

/** The period of the day. Throws a FhirError that names the parameter if the text is not a date. */
export function dayNamed(name: string, text: string): DatePeriod {
  const day = dayPeriod(text);
  if (day !== undefined) return day;
  throw refuse(`${name} must be a date YYYY-MM-DD. Got "${beginningOf(text)}".`);
}

/** As much of a text as a message shows. */
export function beginningOf(text: string): string {
  return text.slice(0, 60);
}

export function refuse(diagnostics: string): FhirError {
  return FhirError.of('invalid-parameter', diagnostics);
}
