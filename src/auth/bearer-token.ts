/** Reads the token in an Authorization header: https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
import { invalidToken, missingToken } from './refusal.ts';

/** Throws a FhirError if there is no token, or if it is not well-formed. */
export function bearerTokenOf(header: string | undefined): string {
  const [, scheme = '', rest = ''] = /^\s*(\S*)(.*)$/s.exec(header ?? '') ?? [];
  // Credentials of another scheme, such as Basic, are not a token.
  if (scheme.toLowerCase() !== 'bearer') throw missingToken();
  const token = rest.trim();
  if (token.length > TOKEN_LENGTH_MAX) throw invalidToken('It is longer than 8 KiB.');
  if (!TOKEN.test(token)) {
    throw invalidToken('The Authorization header must have exactly one well-formed token.');
  }
  return token;
}

/** Tokens of issuers have 1 to 2 KiB. */
const TOKEN_LENGTH_MAX = 8192;

/** `b64token`, which has no comma: two headers, joined by a comma, do not match. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
