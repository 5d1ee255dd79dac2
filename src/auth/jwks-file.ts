/** The keys of an issuer in a file. The server reads the file again when it changes. */
import { readFileSync, statSync } from 'node:fs';
import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import { AuthError, messageOf } from './auth-error.ts';
import { type KeySource, readKeySet } from './key-set.ts';

export interface JwksFileOptions {
  readonly now: () => number;
  /** Receives one line if the changed file has no usable keys. */
  readonly onProblem: (problem: string) => void;
}

/** Throws an `AuthError` if the file has no usable keys at the start. Later, the known keys stay. */
export function createJwksFile(file: string, { now, onProblem }: JwksFileOptions): KeySource {
  let stamp = stampOf(file);
  let keys = readKeys(file);
  let checkedAt = now();
  const readChanges = (): void => {
    checkedAt = now();
    const found = stampOf(file);
    if (found === stamp) return;
    stamp = found;
    try {
      keys = readKeys(file);
    } catch (error) {
      onProblem(`${messageOf(error)} The server keeps the keys that it has.`);
    }
  };
  return {
    keyOf(header, token) {
      if (now() - checkedAt >= CHECK_EVERY_MS) readChanges();
      return keys(header, token);
    },
    refresh: async () => readChanges(),
    reload: async () => readChanges(),
  };
}

/** Throws an `AuthError` if the file cannot be read, or has no usable key. */
export function readKeys(file: string): LocalJWKSet {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new AuthError(`Cannot read ${file}: ${messageOf(error)}.`);
  }
  return createLocalJWKSet(readKeySet(text, file));
}

/** A text that changes with the content of the file; empty while there is no file. */
function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** The shortest time between two checks of the file. Only tokens that are not cached need keys. */
const CHECK_EVERY_MS = 1000;
