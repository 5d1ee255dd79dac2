/** The settings reference: the values that are allowed, and sentences besides the help texts. */

import * as z from 'zod';

import { INTERACTIONS } from '../src/config/settings/order-response.ts';
import type { SettingPath } from '../src/config/settings.ts';

/** In Markdown. */
const DETAILS: Readonly<Partial<Record<SettingPath, string>>> = {
  data: 'With a database: the folder for the keys of this machine and for copies of editions.',
  host: '`0.0.0.0` or `::` stands for all addresses.',
  threads: 'macOS and Windows cannot share a port between threads, so the server runs one there.',
  baseUrl: 'It is an http or https URL without query, fragment or user.',
  'log.level': '`debug` currently logs the same as `info`.',
  'log.format': '`auto` is `text` on a terminal, and `json` elsewhere.',
  'telemetry.endpoint':
    'Example: `http://127.0.0.1:4318`. See [Send telemetry](../how-to/send-telemetry.md). The URL has the scheme http or https, and no query, fragment or user.',
  'telemetry.headersFile':
    'Write each header on its own line, as `Name: value`. No message and no log line contains the headers.',
  'telemetry.samplingRatio':
    'It applies to traces that begin in this program. For the trace of a caller, the caller decides.',
  'limits.idleSeconds': 'A connection is also idle when its client does not read the answer.',
  'limits.connectionsPerClient': 'The server does not count connections of `proxies`.',
  'limits.requestsPerSecond': 'All requests of a second may arrive at the same moment.',
  'tls.certificate':
    'The file contains the certificate, followed by its intermediate certificates.',
  'tls.key': 'Set both files or neither.',
  proxies:
    'Example: `10.0.0.1,fd00::/8`. In the settings file, use a JSON list. ' +
    'See [Use TLS or a proxy](../how-to/use-tls-or-a-proxy.md#put-it-behind-a-proxy).',
  'pages.logo': 'At most 64 KiB. Pages show it 40 pixels high.',
  'pages.mapUrl': '`off` removes the link.',
  'pages.giveTokens':
    'Set it only for demonstrations and tests with invented data: everyone who can reach the server can then read and write its order responses. The tokens are like those of `gazetteer token`. They have the scope `system/OrderResponse.*`, and are valid for one hour.',
  'database.url':
    'Example: `postgres://gazetteer@db1:5432,db2:5432/gazetteer?sslmode=verify-full`. ' +
    'With several hosts, the server uses the one that accepts writes. ' +
    'Other users of the machine can see a flag, so give the password in the variable ' +
    '`PGPASSWORD`, in a password file of PostgreSQL (`~/.pgpass`) or in ' +
    '`database.passwordFile`.',
  'database.passwordFile': 'The file contains nothing else.',
  'database.poolSize': 'A server opens a few more, to search and to read editions.',
  'database.failoverSeconds':
    'After it, the answer is 503 with `Retry-After`, and says that the outcome of a write is ' +
    'unknown. A longer time helps only if the clients and all proxies wait for longer: for ' +
    'clients with a time-out of 60 s, choose 50.',
  'directory.source': 'See [Fetches](import.md#fetches).',
  'directory.fetchAt':
    'The server adds a random delay of up to 30 minutes, so that not all servers ask at once.',
  'directory.authenticate': 'The token must have the scope `Organization.read`.',
  'directory.json':
    'The legacy form is always at `directory.legacyPath`. ' +
    'See [Legacy JSON](directory-api.md#legacy-json).',
  'directory.stu3.path': 'It is below the public address of the server.',
  'directory.legacyPath':
    'To have the legacy form at `/STU3`, set this to `/STU3`, and `directory.stu3.path` to ' +
    'another path. Two interfaces cannot have the same path.',
  'directory.r4.path': 'It is below the public address of the server.',
  'directory.r4.apiKeys':
    'With a file, each request to the interface needs a key in the header `apikey`. See ' +
    '[API keys](r4-api.md#api-keys). The server reads the file again when it changes.',
  'directory.r4.countMax': 'If `_count` is larger, the page has at most this number of matches.',
  'directory.cacheControl':
    'It is for caches between the server and its clients. Example: `public, max-age=60`. ' +
    'With `directory.authenticate`, the value must contain `private`, `no-store` or ' +
    '`no-cache`: a shared cache would send the answers to clients without a token.',
  'directory.gzipMinBytes': 'Use 0 if a proxy compresses.',
  'directory.primaryRoleUrl': 'Some clients expect `primaryrole`.',
  'orders.profile':
    '`contained`: those that contain an Order, a Patient and a Practitioner. ' +
    '`base`: all that FHIR allows.',
  'orders.interactions':
    `They can be ${INTERACTIONS.map((name) => `\`${name}\``).join(', ')}. ` +
    '`transaction` is also for batches. Conditional creates and updates also need `search-type`. ' +
    'A delete also needs `orders.allowDelete`. Example: `read,create,update`.',
  'orders.updates':
    '`anyone`: every client with the scope to write. ' +
    '`creator`: only the client that created it, as its token names it (`client_id` or `azp`, else `sub`).',
  'orders.allowDelete':
    'A deleted order response answers 410. Its versions stay in the database and in its history.',
  'orders.retentionDays':
    'The server checks once an hour. It does not erase order responses that are [on hold](../how-to/erase-order-responses.md).',
  'orders.auditKeyFile':
    'All servers of a database need the same key. The database never contains it.',
  'orders.searchMatchesMax':
    'With several parameters, the limit applies to the one that the fewest order responses match. ' +
    'A million matches take about a second.',
  'orders.transactionEntriesMax': '`limits.bodyBytes` limits the size of the whole Bundle.',
  'orders.corsOrigins': 'Example: `https://app.example`. In the settings file, use a JSON list.',
  'auth.issuer': '`auth.jwksUrl` and `auth.jwksFile` require it.',
  'auth.audience': 'The `aud` of a token must equal or contain it.',
  'auth.jwksUrl': 'It is an https URL, or an http URL of this machine.',
  'auth.jwksFile':
    'Use it instead of `auth.jwksUrl`. The server reads the file again when it changes.',
  'auth.introspectionUrl':
    'It is an https URL, or an http URL of this machine. Set all three introspection settings or none.',
  'auth.ownKey': 'Without an issuer, the server always accepts them.',
  'auth.ownKeyFile':
    'With a database, its public half is in the database, and every server accepts its tokens.',
  'import.unpackedMax': 'For a sync: the most bytes that the peer may send.',
  'sync.overlapDays':
    'The next fetch then also finds changes that the service publishes late. ' +
    'The first of these days is not included, because `gt` begins after it.',
  'sync.tokenFile': 'The file contains nothing else. The sync sends the token only to the peer.',
  'trud.url':
    'It must be https, or an address of this machine, because requests have the key in their path.',
  'trud.key': 'Or put it in the file of `trud.keyFile`. No message and no log line contains it.',
  'trud.keyFile': 'The file contains nothing else.',
  'r4.keyFile': 'The fetch sends it in the header `apikey`, over https or to this machine.',
  'r4.requestsPerSecond': 'The national service allows 5,000 in five minutes.',
};

/** By the path of the setting. */
export const SETTING_DETAILS: ReadonlyMap<string, string> = new Map(Object.entries(DETAILS));

/** The numbers that a schema accepts, and its other values; undefined for one without numbers. */
export function rangeOf(schema: unknown): string | undefined {
  if (schema instanceof z.ZodOptional) return rangeOf(schema.unwrap());
  if (schema instanceof z.ZodUnion) {
    const ranges = schema.options.map(rangeOf);
    return ranges.includes(undefined) ? undefined : ranges.join(', ');
  }
  if (schema instanceof z.ZodLiteral) return `\`${schema.value}\``;
  if (!(schema instanceof z.ZodNumber)) return undefined;
  const [min, max] = [schema.minValue, schema.maxValue].map((value) =>
    (value ?? 0).toLocaleString('en-GB'),
  );
  return schema.maxValue === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
}
