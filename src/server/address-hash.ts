/** Hashes client addresses, for the counters of clients in shared memory. */
import { networkOf } from '../fhir/http/client-network.ts';

/**
 * Never returns 0. `seed` must be secret, so that an attacker cannot choose addresses with the
 * same hash.
 */
export function hashOfAddress(address: string, seed: number): number {
  return hashOf(networkOf(address), seed);
}

/** FNV-1a over the characters, mixed so that similar addresses get distant hashes. */
function hashOf(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash === 0 ? 1 : hash;
}
