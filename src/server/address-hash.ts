/** Client addresses as numbers, for what is counted by client in shared memory. */
import { networkOf } from './client-address.ts';

/** Never 0. `seed` must be unknown outside, so that nobody can choose addresses that meet. */
export function hashOfAddress(address: string, seed: number): number {
  return hashOf(networkOf(address), seed);
}

/** FNV-1a over the characters, mixed so that neighbours do not lie beside each other; never 0. */
function hashOf(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash === 0 ? 1 : hash;
}
