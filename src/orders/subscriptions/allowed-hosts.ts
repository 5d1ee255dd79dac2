/** The hosts that the operator allows as receivers, and the addresses that a connection may go to. */
import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

interface Entry {
  readonly host: string;
  /** Absent: every port. */
  readonly port?: string;
}

/** Whether a text is an entry of the setting: `host`, `host:port`, `[::1]:8443`. */
export function isHostEntry(text: string): boolean {
  return entryOf(text) !== undefined;
}

function entryOf(text: string): Entry | undefined {
  const [, name = '', port] =
    /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::([1-9]\d{0,4}))?$/i.exec(text) ?? [];
  // A port can be too large.
  if (name === '' || !URL.canParse(`https://${text}`)) return undefined;
  const host = bare(new URL(`https://${name}`).hostname);
  return { host, ...(port !== undefined && { port }) };
}

/** Data sent to this machine, or within a private network, does not cross public networks. */
const URL_NEEDED = 'It must be an https URL, or an http URL of localhost or of a private address.';

export class AllowedHosts {
  readonly #entries: readonly Entry[];

  /** @param entries of the setting `subscriptions.allowedHosts` */
  constructor(entries: readonly string[] = []) {
    this.#entries = entries.flatMap((text) => entryOf(text) ?? []);
  }

  /**
   * Sentences that say why nothing may be sent to the URL; undefined if something may.
   *
   * @param otherCredentials what to do instead of sending a user and a password in the URL
   */
  refusalOf(
    endpoint: string,
    otherCredentials = 'Send credentials in channel.header.',
  ): string | undefined {
    if (!URL.canParse(endpoint)) return 'It is not an absolute URL.';
    const { protocol, hostname, host, username, password, hash } = new URL(endpoint);
    if (!/^https?:$/.test(protocol)) return URL_NEEDED;
    if (username !== '' || password !== '') {
      return `It must not have a user or password. ${otherCredentials}`;
    }
    if (hash !== '') return 'It must not have a fragment.';
    if (!this.#names(bare(hostname), portOf(endpoint))) {
      return (
        `This server sends nothing to ${host}. ` +
        `Its operator can add ${hostname}:${portOf(endpoint)} to subscriptions.allowedHosts.`
      );
    }
    if (protocol === 'https:' || isPrivate(bare(hostname)) || hostname === 'localhost') return;
    return URL_NEEDED;
  }

  /**
   * Resolves the name of an endpoint for the socket that connects, so that the address is checked
   * that the connection goes to. Private addresses are left out, unless an entry names the address;
   * those of this machine are also allowed for `localhost`. Fails with an `AddressRefused`.
   */
  lookupFor(endpoint: string, resolve: LookupFunction = systemLookup): LookupFunction {
    const port = portOf(endpoint);
    return (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        if (error !== null) return callback(error, []);
        const all = Array.isArray(found) ? found : [];
        const allowed = all.filter(
          ({ address }) =>
            !isPrivate(address) ||
            this.#names(address, port) ||
            (hostname === 'localhost' && isLoopback(address)),
        );
        const [first] = allowed;
        if (first === undefined) return callback(new AddressRefused(hostname, all[0]?.address), []);
        if (options.all === true) return callback(null, allowed);
        return callback(null, first.address, first.family);
      });
    };
  }

  #names(host: string, port: string): boolean {
    return this.#entries.some(
      (entry) => entry.host === host && (entry.port === undefined || entry.port === port),
    );
  }
}

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(hostname: string, address: string | undefined) {
    super(
      address === undefined
        ? `${hostname} has no address.`
        : `${hostname} has the private address ${address}. The operator can add ` +
            `${address} to subscriptions.allowedHosts.`,
    );
  }
}

/** The port that a connection goes to. */
function portOf(endpoint: string): string {
  const { port, protocol } = new URL(endpoint);
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

/** An IPv6 address without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** An address that is not on the public internet. A name is not an address. */
function isPrivate(address: string): boolean {
  return isIP(address) !== 0 && PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and the same of IPv6 */
const PRIVATE = networks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
);

const LOOPBACK = networks('127.0.0.0/8', '::1/128');

/** An IPv4 address that is written as an IPv6 address (`::ffff:10.0.0.1`) counts as the former. */
function networks(...all: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of all) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
