/**
 * Keys that clients send in the header `apikey`. A file has the SHA-256 hash of each key, and not the
 * key itself. The server reads the file again when it changes.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { FhirError } from '../fhir/request/fhir-error.ts';
import { AuthError } from './settings.ts';
import { textOfFile, type WatchOptions, watchFile } from './watched-file.ts';

/** Throws a FhirError if the key is missing or not accepted. */
export type CheckApiKey = (key: string | undefined) => void;

/** Throws an `AuthError` if the file cannot be used at the start. Later, the known keys stay valid. */
export function createApiKeyCheck(file: string, options: WatchOptions): CheckApiKey {
  const hashes = watchFile(file, readKeyHashes, options);
  return (key) => {
    if (key === undefined || key === '') {
      throw refusal('This request needs an API key. Send it in the header apikey.');
    }
    const hash = createHash('sha256').update(key).digest();
    // Every hash is compared, so that the time does not depend on the key.
    const matches = hashes.current().filter((known) => timingSafeEqual(known, hash));
    if (matches.length === 0)
      throw refusal(
        'The API key in the header apikey is not valid. Ask the operator of the server for a key.',
      );
  };
}

/**
 * One hash on each line, in hexadecimal, followed by anything after a space: a name, or what
 * `sha256sum` writes. Empty lines and lines that begin with `#` do not count. Throws an `AuthError`.
 */
export function readKeyHashes(file: string): readonly Buffer[] {
  const lines = textOfFile(file)
    .split('\n')
    .map((text, index) => ({ text: text.trim(), number: index + 1 }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'));
  if (lines.length === 0)
    throw new AuthError(`${file} has no hash of an API key. Add one line for each key.`);
  return lines.map(({ text, number }) => {
    const hash = /^([0-9a-f]{64})(?:\s|$)/i.exec(text)?.[1];
    if (hash !== undefined) return Buffer.from(hash, 'hex');
    throw new AuthError(
      `${file}, line ${number}: begin the line with the SHA-256 hash of an API key, 64 hexadecimal digits.`,
    );
  });
}

function refusal(diagnostics: string): FhirError {
  return FhirError.of('unauthorized', diagnostics, {
    headers: ['WWW-Authenticate', 'ApiKey realm="gazetteer"'],
  });
}
