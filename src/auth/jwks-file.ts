/** An issuer's keys in a file, which is read again when it has changed. */
import { readFileSync, statSync } from 'node:fs';
import type { LocalJWKSet } from 'jose';
import { AuthError, messageOf } from './auth-error.ts';
import { type KeySource, readKeySet } from './key-set.ts';

export interface JwksFileOptions {
  readonly now: () => number;
  /** Told, in one line, when it has changed into something that cannot be used. */
  readonly onProblem: (problem: string) => void;
}

/** Throws an `AuthError` where it cannot be used from the start; later the known keys go on. */
export function createJwksFile(file: string, { now, onProblem }: JwksFileOptions): KeySource {
  let stamp = stampOf(file);
  let keys = readKeys(file);
  let lookedAt = now();
  const look = (): void => {
    lookedAt = now();
    const found = stampOf(file);
    if (found === stamp) return;
    stamp = found;
    try {
      keys = readKeys(file);
    } catch (error) {
      onProblem(`${messageOf(error)} The known keys go on.`);
    }
  };
  return {
    current() {
      if (now() - lookedAt >= LOOK_EVERY_MS) look();
      return keys;
    },
    async renewed(known) {
      look();
      return keys === known ? undefined : keys;
    },
    async reload() {
      look();
    },
  };
}

/** Throws an `AuthError` where the file cannot be read, or has no key that can be used. */
export function readKeys(file: string): LocalJWKSet {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new AuthError(`Cannot read ${file}: ${messageOf(error)}.`);
  }
  return readKeySet(text, file);
}

/** What changes with the content; the same for as long as the file is missing. */
function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** Only tokens not seen before ask for keys, so this is rarely more than once for each. */
const LOOK_EVERY_MS = 1000;
