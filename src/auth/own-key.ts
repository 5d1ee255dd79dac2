/** The installation's own key: a file in the data folder, for those who have no issuer of tokens. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { type JWK, SignJWT } from 'jose';
import { AuthError, messageOf } from './auth-error.ts';

/** What checking a token of this installation takes. */
export interface OwnPublicKey {
  /** Issuer and audience at once: the installation, whatever its address. */
  readonly issuer: string;
  readonly publicKey: JWK;
}

export interface OwnKey extends OwnPublicKey {
  readonly privateKey: JWK;
}

export const OWN_KEY_ALGORITHM = 'EdDSA';

/** Writes a file for its user alone, whole or not at all; throws where there is one already. */
export type WriteKey = (path: string, content: Uint8Array) => void;

/**
 * Reads the key, or makes it where there is none; of several processes at once, all get the same.
 * `path` is that of its file. Throws an `AuthError` where others may read it: they may have, and
 * made tokens since.
 */
export function openOwnKey(path: string, write: WriteKey): OwnKey {
  try {
    return readOwnKey(path) ?? makeOwnKey(path, write);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new AuthError(`${path}: ${messageOf(error)}`);
  }
}

/** The part that server threads need. */
export function publicKeyOf({ issuer, publicKey }: OwnKey): OwnPublicKey {
  return { issuer, publicKey };
}

export interface TokenRequest {
  readonly scopes: readonly string[];
  readonly expiresInSeconds: number;
  readonly subject: string;
  readonly client?: string | undefined;
  readonly now: () => number;
}

export async function signToken(key: OwnKey, request: TokenRequest): Promise<string> {
  const { scopes, expiresInSeconds, subject, client, now } = request;
  const issuedAt = Math.floor(now() / 1000);
  return new SignJWT({
    scope: scopes.join(' '),
    ...(client === undefined ? {} : { client_id: client }),
  })
    .setProtectedHeader({ alg: OWN_KEY_ALGORITHM, typ: 'at+jwt' })
    .setIssuer(key.issuer)
    .setAudience(key.issuer)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresInSeconds)
    .setJti(randomUUID())
    .sign(key.privateKey);
}

function readOwnKey(path: string): OwnKey | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const othersMayRead = (fstatSync(file).mode & 0o077) !== 0;
    if (othersMayRead && process.platform !== 'win32') {
      throw new AuthError(
        `${path}: other users may read this key. If none of them has, run \`chmod 600\` on it; ` +
          'else remove it: a new one is made, and the tokens of the old one end.',
      );
    }
    return parseOwnKey(readFileSync(file, 'utf8'), path);
  } finally {
    closeSync(file);
  }
}

function parseOwnKey(text: string, path: string): OwnKey {
  try {
    const { installation, key: jwk } = JSON.parse(text);
    const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
    if (privateKey.asymmetricKeyType === 'ed25519' && UUID.test(installation)) {
      return {
        issuer: `urn:uuid:${installation}`,
        publicKey: createPublicKey(privateKey).export({ format: 'jwk' }) as JWK,
        privateKey: jwk,
      };
    }
  } catch {
    // As below.
  }
  throw new AuthError(
    `${path} holds no key. Put it back from a backup, or remove it: a new one is made.`,
  );
}

/** Where another process has been faster, its key is the one. */
function makeOwnKey(path: string, write: WriteKey): OwnKey {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const text = `${JSON.stringify({ installation: randomUUID(), key: jwk }, null, 2)}\n`;
  let fault: unknown;
  try {
    write(path, Buffer.from(text));
  } catch (error) {
    fault = error;
  }
  const key = readOwnKey(path);
  if (key !== undefined) return key;
  if (fault instanceof Error) throw new AuthError(fault.message);
  throw new AuthError(`${path}: it is gone as soon as it was made.`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
