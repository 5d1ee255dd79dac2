/** The token in an Authorization header: https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
import { invalidToken, missingToken } from './refusal.ts';

/** Throws a FhirError where there is none, or none that can be one. */
export function bearerTokenOf(header: string | undefined): string {
  const [, scheme = '', rest = ''] = /^\s*(\S*)(.*)$/s.exec(header ?? '') ?? [];
  // Another way to say who one is (Basic) is no token.
  if (scheme.toLowerCase() !== 'bearer') throw missingToken();
  const token = rest.trim();
  if (token.length > TOKEN_LENGTH_MAX) throw invalidToken('It is longer than 8 KiB.');
  if (!TOKEN.test(token)) {
    throw invalidToken('The Authorization header holds no single, well-formed token.');
  }
  return token;
}

/** Tokens of issuers are 1 to 2 KiB; checking longer ones is work for nothing. */
const TOKEN_LENGTH_MAX = 8192;

/** `b64token`; two headers joined by a comma are none. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
