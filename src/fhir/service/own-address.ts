/** Whether an address that a client sends is one of this server. */
import { headerOf } from '../http/headers.ts';
import type { TypeContext } from './interaction.ts';

/**
 * Whether an absolute address has the path, under the public base or under the host that the client
 * used. `path`: below the base, such as `/OrderResponse`, or empty for the base itself.
 */
export function isOwnAddress(
  address: string,
  path: string,
  { request, service }: Pick<TypeContext, 'request' | 'service'>,
): boolean {
  const own = new URL(`${service.baseUrl}${path}`);
  const named = URL.canParse(address, own.href) ? new URL(address, own.href) : undefined;
  if (named === undefined || named.pathname !== own.pathname) return false;
  // Behind a proxy that terminates TLS, the server does not know the scheme of the request.
  return named.host === own.host || named.host === headerOf(request, 'host')?.toLowerCase();
}
