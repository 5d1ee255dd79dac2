/** The answer to a refused request: kind and challenge, and no part of the token. */
import assert from 'node:assert/strict';
import type { Authenticator } from '../../src/auth/authenticator.ts';
import { type ErrorKind, FhirError } from '../../src/fhir/request/fhir-error.ts';

export interface Refusal {
  readonly kind: ErrorKind;
  readonly diagnostics: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a header is refused, or undefined where it is let in. */
export async function refusalOf(
  { authenticate }: Authenticator,
  header: string | undefined,
  address = '127.0.0.1',
): Promise<Refusal | undefined> {
  try {
    await authenticate(header, address);
    return undefined;
  } catch (error) {
    return describeRefusal(error);
  }
}

export function describeRefusal(error: unknown): Refusal {
  if (!(error instanceof FhirError)) throw error;
  assert.equal(error.issues.length, 1);
  const { kind, diagnostics } = error.issues[0];
  const headers: Record<string, string> = {};
  for (let i = 0; i < error.headers.length; i += 2) {
    headers[error.headers[i]!.toLowerCase()] = error.headers[i + 1]!;
  }
  return { kind, diagnostics, headers };
}

/** Why a token is not accepted, as the challenge says. */
export async function reasonOf(authenticator: Authenticator, token: string) {
  const refusal = await refusalOf(authenticator, `Bearer ${token}`);
  if (refusal === undefined) return undefined;
  assert.equal(refusal.kind, 'unauthorized');
  const challenge = refusal.headers['www-authenticate'] ?? '';
  const [, reason] =
    /^Bearer realm="gazetteer", error="invalid_token", error_description="([^"\\]+)"$/.exec(
      challenge,
    ) ?? [];
  assert.ok(reason !== undefined, challenge);
  assert.equal(refusal.diagnostics, `The bearer token is not accepted. ${reason}`);
  for (const part of token.split('.')) {
    if (part.length > 8) assert.ok(!refusal.diagnostics.includes(part));
  }
  return reason;
}
