/** The address of the client of a request: the peer, or the address that a trusted proxy names. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';

export type ClientAddressOf = (incoming: IncomingMessage) => string;

/** `proxies` are addresses and networks: `10.0.0.1`, `fd00::/8`. */
export function createClientAddressOf(proxies: readonly string[]): ClientAddressOf {
  if (proxies.length === 0) return ({ socket }) => addressOf(socket);
  const isTrusted = createIsTrusted(proxies);
  return (incoming) => {
    let client = addressOf(incoming.socket);
    const forwarded = incoming.headers['x-forwarded-for'];
    if (forwarded === undefined) return client;
    // Each proxy appends the address that it received the request from. The client can write
    // anything before these, such as a quotation mark. So this is not parsed as a list of HTTP.
    const heard = String(forwarded).split(',');
    while (heard.length > 0 && isTrusted(client)) {
      const address = plain(heard.pop()!.trim());
      if (isIP(address) === 0) break;
      client = address;
    }
    return client;
  };
}

/**
 * The client of a connection; undefined for a proxy, whose connection carries the requests of
 * many clients.
 */
export function createPeerOf(proxies: readonly string[]): (socket: Socket) => string | undefined {
  const isTrusted = createIsTrusted(proxies);
  return (socket) => {
    const address = addressOf(socket);
    return isTrusted(address) ? undefined : address;
  };
}

function createIsTrusted(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (address) =>
    isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function addressOf({ remoteAddress = '' }: Socket): string {
  return plain(remoteAddress);
}

/** IPv4 on a socket for both families as IPv4; without brackets and port. */
function plain(address: string): string {
  const bare = /^\[(.+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address);
  const text = bare?.[1] ?? bare?.[2] ?? address;
  return text.startsWith('::ffff:') && text.includes('.') ? text.slice('::ffff:'.length) : text;
}
