/** What a listener reads of a request: its client, its headers, and its body when a handler asks for it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { FhirError } from '../fhir/request/fhir-error.ts';
import type { BodyAccount } from './limits/gate.ts';

/**
 * Why the server refuses a request for its headers, or undefined. HTTP/1.1 requires one valid Host
 * (RFC 9112, section 3.2), although this server does not use it. A repeated header is refused, also if
 * HTTP would let the server ignore it (RFC 9110, section 5.3): a proxy may keep another of its values.
 */
export function headerRefusal(incoming: IncomingMessage): FhirError | undefined {
  const { headers, httpVersion } = incoming;
  const repeated = repeatedHeader(incoming.rawHeaders);
  if (repeated !== undefined) {
    return badHeader(`The header ${repeated} was sent more than once. Send it once.`);
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return UNKNOWN_CODING;
  if (headers.host === undefined) {
    return httpVersion === '1.0'
      ? undefined
      : badHeader('The header Host is missing. Send it once.');
  }
  if (headers.host !== validHost && !HOST.test(headers.host)) {
    return badHeader(
      'The header Host is not valid. Send the name or address of a host, or that and a port.',
    );
  }
  validHost = headers.host;
  return undefined;
}

/** The last valid Host. Nearly all requests have the same. */
let validHost = '';

/**
 * The headers that decide an answer and have one value. Node joins the values of some
 * with a comma, and drops those of others: either way, the client would get an answer to a request
 * that it did not send. Node's parser refuses a repeated Content-Length.
 */
const SINGLE_HEADERS = [
  'Host',
  'Content-Type',
  'Authorization',
  'apikey',
  'Origin',
  'If-None-Exist',
  'If-Modified-Since',
  'If-Unmodified-Since',
] as const;

/** By length, so that most names need not be compared in lower case. */
const SINGLE_BY_LENGTH = Map.groupBy(
  SINGLE_HEADERS.map((name) => ({ name, lower: name.toLowerCase() })),
  ({ name }) => name.length,
);

/** The name of a header that may be sent once, and was repeated. */
function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const met: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i]!;
    const sameLength = SINGLE_BY_LENGTH.get(sent.length);
    if (sameLength === undefined) continue;
    const sentLower = sent.toLowerCase();
    const found = sameLength.find(({ lower }) => lower === sentLower);
    if (found === undefined) continue;
    if (met.includes(found.name)) return found.name;
    met.push(found.name);
  }
  return undefined;
}

/** A name, an IPv4 address, or an IPv6 address in brackets, with or without a port; may be empty. */
const HOST = /^(?:\[[\w.:~%-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)(?::\d*)?$/;

function badHeader(diagnostics: string): FhirError {
  return FhirError.of('invalid-request', diagnostics);
}

/** RFC 9112, section 6.1. */
const UNKNOWN_CODING = FhirError.of(
  'unknown-transfer-coding',
  'The header Transfer-Encoding names an encoding that is not supported. Send "chunked" alone.',
);

/** Whether the server reads the bodies of requests with this method. */
export function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/**
 * Rejects as soon as the body is larger than `bytesMax`, or the account has no room. The rest of
 * the body is then read and dropped, so that the client receives the answer. Never settles if
 * the client disconnects.
 */
export function receiveBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  bytesMax: number,
  account?: BodyAccount,
): Promise<Uint8Array> {
  if (account !== undefined) outgoing.once('close', account.close);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let isRefused = false;
    const refuse = (reason: FhirError) => {
      isRefused = true;
      pieces.length = 0;
      reject(reason);
    };
    if (Number(incoming.headers['content-length']) > bytesMax) refuse(tooLarge(bytesMax));
    else if (expectsContinue(incoming)) outgoing.writeContinue();
    incoming.on('data', (piece: Buffer) => {
      if (isRefused) return;
      bytes += piece.length;
      const refusal = bytes > bytesMax ? tooLarge(bytesMax) : account?.take(piece.length);
      if (refusal === undefined) pieces.push(piece);
      else refuse(refusal);
    });
    incoming.on('end', () => resolve(Buffer.concat(pieces)));
    incoming.on('error', () => {});
  });
}

/**
 * Node answers every other expectation itself. HTTP/1.0 has no expectations (RFC 9110, section
 * 10.1.1).
 */
function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion !== '1.0';
}

function tooLarge(bytesMax: number): FhirError {
  return FhirError.of('body-too-large', `The body is longer than ${bytesMax} bytes. Send less.`);
}

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

/** The path and the query of a request target; a proxy's absolute form loses its host. */
export function splitTarget(target: string): { path: string; query: string } {
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const query = question < 0 ? '' : target.slice(question + 1);
  if (path.startsWith('/')) return { path, query };
  return { path: path.replace(/^https?:\/\/[^/]*/i, '') || '/', query };
}

/** The request ids that a client may send. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Undefined if the client sent none, or one that cannot be used. */
export function sentIdOf({ headers: { 'x-request-id': id } }: IncomingMessage): string | undefined {
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : undefined;
}
