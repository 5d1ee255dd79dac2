/**
 * The errors for requests without access, and for all requests while the server cannot check
 * tokens: https://www.rfc-editor.org/rfc/rfc6750#section-3. They contain neither the token nor its
 * claims.
 */
import { FhirError } from '../fhir/request/fhir-error.ts';
import type { RequiredScope } from '../fhir/service/interaction.ts';
import { isInAll } from './scopes.ts';

/** The request has no token, so the challenge names no error. */
export function missingToken(): FhirError {
  return FhirError.of(
    'unauthorized',
    'This request needs a bearer token. Send it in the header Authorization: Bearer TOKEN.',
    { headers: ['WWW-Authenticate', CHALLENGE] },
  );
}

/** `reason` is a sentence without quotation marks and backslashes, for use in a quoted string. */
export function invalidToken(reason: string): FhirError {
  return FhirError.of('unauthorized', `The bearer token is not accepted. ${reason}`, {
    headers: [
      'WWW-Authenticate',
      `${CHALLENGE}, error="invalid_token", error_description="${reason}"`,
    ],
  });
}

/** `audience` is the token's `aud`: a service, a list of services, or nothing. */
export function wrongAudience(audience: unknown): FhirError {
  const services = [audience ?? []].flat();
  return invalidToken(
    services.length === 0 ? 'It has no audience (aud).' : 'Its audience (aud) is another service.',
  );
}

export function lackingScope({ type, action }: RequiredScope): FhirError {
  const scope = `system/${type}.${action}`;
  const hint = isInAll(type) ? '' : ` The scope system/*.${action} does not include it.`;
  return FhirError.of(
    'forbidden',
    `The bearer token does not allow this request, which needs the scope ${scope}.${hint}`,
    { headers: ['WWW-Authenticate', `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`] },
  );
}

/**
 * While tokens cannot be checked, the server refuses every request. The client's token is not at
 * fault.
 */
export function cannotCheck(): FhirError {
  return FhirError.of(
    'unavailable',
    'The server cannot check tokens now, because their issuer does not answer. Try again.',
    { headers: ['Retry-After', String(RETRY_AFTER_SECONDS)] },
  );
}

/** Tokens from other addresses may still be checked. */
export function tooManyChecks(): FhirError {
  return FhirError.of(
    'throttled',
    'The server is checking too many tokens from your address. ' +
      `Try again in ${RETRY_AFTER_SECONDS} s, and use one token for many requests.`,
    { headers: ['Retry-After', String(RETRY_AFTER_SECONDS)] },
  );
}

const CHALLENGE = 'Bearer realm="gazetteer"';

/** The same as the pause between attempts to fetch keys. */
const RETRY_AFTER_SECONDS = 5;
