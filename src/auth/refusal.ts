/**
 * The answers to requests without access, and to all requests while tokens cannot be checked:
 * https://www.rfc-editor.org/rfc/rfc6750#section-3. They name neither the token nor its claims.
 */
import { FhirError } from '../fhir/fhir-error.ts';
import type { Need } from '../fhir/service.ts';

/** No token was sent, so the challenge names no error. */
export function missingToken(): FhirError {
  return new FhirError(
    [
      {
        kind: 'unauthorized',
        diagnostics: 'A bearer token is needed, in the header Authorization: Bearer TOKEN.',
      },
    ],
    ['WWW-Authenticate', CHALLENGE],
  );
}

/** `reason` is a plain sentence without quotes or backslashes: it stands in a quoted string. */
export function invalidToken(reason: string): FhirError {
  return new FhirError(
    [{ kind: 'unauthorized', diagnostics: `The bearer token is not accepted. ${reason}` }],
    ['WWW-Authenticate', `${CHALLENGE}, error="invalid_token", error_description="${reason}"`],
  );
}

/** `audience` is the token's `aud`: a service, a list of services, or nothing. */
export function wrongAudience(audience: unknown): FhirError {
  const services = [audience ?? []].flat();
  return invalidToken(
    services.length === 0
      ? 'It does not name the service that it is meant for (aud).'
      : 'It is meant for another service.',
  );
}

export function lackingScope({ type, action }: Need): FhirError {
  const scope = `system/${type}.${action}`;
  return new FhirError(
    [
      {
        kind: 'forbidden',
        diagnostics: `The bearer token does not allow this: it needs the scope ${scope}.`,
      },
    ],
    ['WWW-Authenticate', `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`],
  );
}

/**
 * While tokens cannot be checked, the server refuses every request. The client's token is not at
 * fault.
 */
export function cannotCheck(): FhirError {
  return new FhirError(
    [
      {
        kind: 'unavailable',
        diagnostics: 'Tokens cannot be checked now: their issuer does not answer. Try again.',
      },
    ],
    ['Retry-After', String(RETRY_AFTER_SECONDS)],
  );
}

/** Tokens from other addresses may still be checked. */
export function tooManyChecks(): FhirError {
  return new FhirError(
    [
      {
        kind: 'throttled',
        diagnostics:
          'The server is checking too many tokens from your address. ' +
          `Try again in ${RETRY_AFTER_SECONDS} s, and use one token for many requests.`,
      },
    ],
    ['Retry-After', String(RETRY_AFTER_SECONDS)],
  );
}

const CHALLENGE = 'Bearer realm="gazetteer"';

/** As long as keys are not asked for again after a failure. */
const RETRY_AFTER_SECONDS = 5;
