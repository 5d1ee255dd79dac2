/** The parameters of a search: the audit log has only their salted digest. */
import { createHash, randomBytes } from 'node:crypto';

export interface SaltedParameters {
  /** A query string. */
  readonly parameters: string;
  readonly salt: Uint8Array;
}

export function withSalt(parameters: string): SaltedParameters {
  return { parameters, salt: randomBytes(SALT_BYTES) };
}

/** The salt keeps a digest from showing its parameters: all NHS numbers could be tried. */
export function parametersDigest({ parameters, salt }: SaltedParameters): string {
  return createHash('sha256').update(salt).update(parameters).digest('hex');
}

const SALT_BYTES = 16;
