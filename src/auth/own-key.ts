/** The installation's own key, in a file of the data folder, for users without an issuer of tokens. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { type JWK, SignJWT } from 'jose';
import { systemReason } from '../fhir/request/system-reason.ts';
import { AuthError } from './settings.ts';

/** The values that the server needs to check a token of this installation. */
export interface OwnPublicKey {
  /** The issuer and the audience of tokens: the installation, independent of its address. */
  readonly issuer: string;
  readonly publicKey: JWK;
}

export interface OwnKey extends OwnPublicKey {
  readonly privateKey: JWK;
}

export const OWN_KEY_ALGORITHM = 'EdDSA';

/** Writes a file that only its user can read, completely or not at all. Throws if it exists. */
export type WriteKey = (path: string, content: Uint8Array) => void;

/**
 * Reads the key from the file at `path`, or makes the file. Several processes at once get the same
 * key. Throws an `AuthError` if other users can read the file, because they can make tokens.
 */
export function openOwnKey(path: string, write: WriteKey): OwnKey {
  try {
    return readOwnKey(path) ?? makeOwnKey(path, write);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new AuthError(`${path} cannot be used: ${systemReason(error)}. Name another file.`);
  }
}

/** The public part of the key, for server threads. */
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
    ...(client !== undefined && { client_id: client }),
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
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw new AuthError(`${path} is a folder. Name a file.`);
    const othersMayRead = (stat.mode & 0o077) !== 0;
    if (othersMayRead && process.platform !== 'win32') {
      throw new AuthError(
        `${path}: other users can read this key. If no other user has copied it, run \`chmod 600\` on ` +
          'the file. Otherwise remove the file: the next start makes a new key, and the server ' +
          'rejects tokens of the old one.',
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
    // The error below says what to do.
  }
  throw new AuthError(
    `${path} does not contain a key. Restore it from a backup, or remove it to get a new key.`,
  );
}

/** If another process makes the file first, returns the key of that process. */
function makeOwnKey(path: string, write: WriteKey): OwnKey {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const text = `${JSON.stringify({ installation: randomUUID(), key: jwk }, null, 2)}\n`;
  let failure: unknown;
  try {
    write(path, Buffer.from(text));
  } catch (error) {
    failure = error;
  }
  const key = readOwnKey(path);
  if (key !== undefined) return key;
  if (failure instanceof Error) throw new AuthError(failure.message);
  throw new AuthError(`${path}: the file disappeared after it was made.`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
