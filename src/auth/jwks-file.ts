/** The keys of an issuer in a file. The server reads the file again when it changes. */
import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import { type KeySource, readKeySet } from './key-set.ts';
import { textOfKeys, type WatchOptions, watchFile } from './watched-file.ts';

/** Throws an `AuthError` if the file has no usable keys at the start. Later, the known keys stay. */
export function createJwksFile(file: string, options: WatchOptions): KeySource {
  const keys = watchFile(file, readKeys, options);
  return {
    // Only tokens that are not cached need keys.
    keyOf: (header, token) => keys.current()(header, token),
    refresh: async () => keys.reload(),
    reload: async () => keys.reload(),
  };
}

/** Throws an `AuthError` if the file cannot be read, or has no usable key. */
export function readKeys(file: string): LocalJWKSet {
  return createLocalJWKSet(readKeySet(textOfKeys(file), file));
}
