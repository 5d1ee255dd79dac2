/** The network that the address of a client belongs to. */
import { isIPv6 } from 'node:net';

/**
 * The key of the limits for each client: an IPv4 address, or the /64 prefix of an IPv6 address,
 * because a client can use any address in its /64.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('%')[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  if (!address.includes('::')) return before.slice(0, 4).join(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
