/** The settings of limits: sizes, times, and how much one client may use. */
import { whole } from '../setting.ts';

export const LIMIT_SETTINGS = {
  'limits.headerBytes': whole(
    1024,
    1024 ** 2,
    16_384,
    'The most bytes in the request line and headers of a request',
  ),
  'limits.bodyBytes': whole(1024, 1024 ** 3, 1024 ** 2, 'The most bytes in the body of a request'),
  'limits.formBytes': whole(
    1024,
    1024 ** 2,
    65_536,
    'The most bytes in the body of a search by POST',
  ),
  'limits.bodyBytesInFlight': whole(
    1024,
    1024 ** 4,
    256 * 1024 ** 2,
    'The most bytes of request bodies in memory at a time, for the whole server',
  ),
  'limits.bodyBytesPerClient': whole(
    1024,
    1024 ** 4,
    64 * 1024 ** 2,
    'The most bytes of request bodies in memory at a time, from one client address',
  ),
  'limits.headersSeconds': whole(
    1,
    3600,
    10,
    'The seconds within which the headers of a request, or a TLS handshake, must arrive',
  ),
  'limits.requestSeconds': whole(
    1,
    3600,
    30,
    'The seconds within which a whole request must arrive',
  ),
  'limits.idleSeconds': whole(
    1,
    3600,
    75,
    'The seconds after which the server closes an idle connection',
    { details: 'A connection is also idle when its client does not read the answer.' },
  ),
  'limits.connections': whole(
    1,
    1_000_000,
    10_000,
    'The most open connections at a time, for the whole server',
  ),
  'limits.connectionsPerClient': whole(
    0,
    1_000_000,
    1000,
    'The most open connections from one client address; 0 for no limit',
    { details: 'The server does not count connections of `proxies`.' },
  ),
  'limits.requestsPerSecond': whole(
    0,
    100_000,
    0,
    'The most requests a second from one client address; 0 for no limit',
    { details: 'All requests of a second may arrive at the same moment.' },
  ),
  'limits.delayMs': whole(
    0,
    60_000,
    1000,
    'The event-loop delay in milliseconds above which a thread refuses requests; 0 for no limit',
  ),
} as const;
