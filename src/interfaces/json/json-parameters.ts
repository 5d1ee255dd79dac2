/** The errors of interfaces that are not FHIR about their parameters. */

import { FhirError } from '../../fhir/request/fhir-error.ts';
import { unknownName } from '../../fhir/request/unknown-name.ts';

/** The text about a query parameter that an interface does not have. */
export function unknownParameter(sent: string, known: readonly string[]): string {
  return unknownName({ kind: 'query parameter', sent, known, listedAt: OPENAPI });
}

/** Where interfaces that are not FHIR list what they have. */
export const OPENAPI = '/openapi.json';

/** `hint`: the remedy, if the diagnostics are the words of a national service. */
export function refuse(diagnostics: string, hint?: string): FhirError {
  return new FhirError([{ kind: 'invalid-parameter', diagnostics, ...(hint && { hint }) }]);
}
