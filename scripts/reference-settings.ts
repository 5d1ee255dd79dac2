/** The settings reference: the values that are allowed, and sentences besides the help texts. */

import * as z from 'zod';

import { INTERACTIONS } from '../src/config/settings/order-response.ts';
import type { SettingPath } from '../src/config/settings.ts';

/** In Markdown. */
const DETAILS: Readonly<Partial<Record<SettingPath, string>>> = {
  data: 'With a database: for the keys of this machine and copies of editions.',
  host: '`0.0.0.0` or `::` stands for all addresses.',
  threads: 'On macOS and Windows, the server runs one.',
  'database.url':
    'Example: `postgres://gazetteer@db1:5432,db2:5432/gazetteer?sslmode=verify-full`. With several hosts, the server uses the one that accepts writes. Give the password in the variable `PGPASSWORD`, in `~/.pgpass` or in `database.passwordFile`: other users of the machine can see a flag.',
  'database.passwordFile': 'The file contains nothing else.',
  'database.poolSize': 'A server opens a few more, to search and to read editions.',
  'database.failoverSeconds':
    'After it, the answer is 503, and the outcome of a write is unknown. Choose less than the clients and all proxies wait: for 60 s, choose 50.',
  'log.level': '`debug` currently logs the same as `info`.',
  'log.format': '`auto` is `text` on a terminal, and `json` elsewhere.',
  'telemetry.endpoint': 'Example: `http://127.0.0.1:4318`.',
  'telemetry.headersFile': 'Each line is `Name: value`.',
  'telemetry.samplingRatio': 'For the trace of a caller, the caller decides.',
  'limits.idleSeconds': 'A connection is also idle when its client does not read the answer.',
  'limits.connectionsPerClient': 'The server does not count connections of `proxies`.',
  'limits.requestsPerSecond': 'All requests of a second may arrive at the same moment.',
  'tls.certificate': 'Its intermediate certificates follow.',
  proxies:
    'Example: `10.0.0.1,fd00::/8`. See [Use TLS or a proxy](../how-to/use-tls-or-a-proxy.md#put-it-behind-a-proxy).',
  'directory.source': 'See [Fetches](import.md#fetches).',
  'directory.fetchAt': 'The server adds a random delay of up to 30 minutes.',
  'directory.authenticate': 'The token must have the scope `Organization.read`.',
  'directory.json': 'See [Legacy JSON](directory-api.md#legacy-json).',
  'directory.stu3.path': 'All paths are below `baseUrl`, and differ from each other.',
  'directory.legacyPath':
    'For the legacy form at `/STU3`, set this to `/STU3`, and `directory.stu3.path` to another path.',
  'directory.r4.apiKeys':
    'With a file, each request needs a key. See [API keys](r4-api.md#api-keys).',
  'directory.cacheControl':
    'Example: `public, max-age=60`. With `directory.authenticate`, the value must contain `private`, `no-store` or `no-cache`.',
  'directory.gzipMinBytes': 'Use 0 if a proxy compresses.',
  'directory.primaryRoleUrl': 'Some clients expect `primaryrole`.',
  'orders.profile':
    '`contained`: those that contain an Order, a Patient and a Practitioner. `base`: all that FHIR allows.',
  'orders.interactions':
    `They can be ${INTERACTIONS.map((name) => `\`${name}\``).join(', ')}. ` +
    '`transaction` is also for batches. Conditional creates and updates also need `search-type`. ' +
    'A delete also needs `orders.allowDelete`. Example: `read,create,update`.',
  'orders.updates':
    '`anyone`: every client with the scope to write. `creator`: only the client that created it, as its token names it (`client_id` or `azp`, else `sub`).',
  'orders.allowDelete': 'Its versions stay in its history.',
  'orders.retentionDays':
    'It does not erase order responses that are [on hold](../how-to/erase-order-responses.md).',
  'orders.auditKeyFile': 'All servers of a database need the same key.',
  'orders.searchMatchesMax': 'With several parameters: the one that the fewest match.',
  'orders.transactionEntriesMax': '`limits.bodyBytes` limits its size.',
  'orders.corsOrigins': 'Example: `https://app.example`.',
  'auth.issuer': '`auth.jwksUrl` and `auth.jwksFile` require it.',
  'auth.jwksUrl': 'https, or http to this machine.',
  'auth.jwksFile': 'Use it instead of `auth.jwksUrl`.',
  'auth.introspectionUrl':
    'https, or http to this machine. Set all three introspection settings or none.',
  'auth.ownKey': 'Without an issuer, the server always accepts them.',
  'auth.ownKeyFile': 'With a database, every server accepts its tokens.',
  'pages.logo': 'At most 64 KiB, shown 40 pixels high.',
  'pages.mapUrl': '`off` removes the link.',
  'pages.giveTokens':
    'Only for tests with invented data: everyone who can reach the server can then read and write its order responses. See [Try order responses](pages.md#try-order-responses-try-order-response).',
  'import.unpackedMax': 'For a sync: the most bytes that the peer may send.',
  'sync.overlapDays': 'The fetch then also finds changes that the service published late.',
  'sync.tokenFile': 'The file contains nothing else.',
  'trud.url': 'https, or an address of this machine.',
  'trud.key': 'Or put it in the file of `trud.keyFile`.',
  'trud.keyFile': 'The file contains nothing else.',
  'r4.keyFile': 'The fetch sends it only over https or to this machine.',
  'r4.requestsPerSecond': 'The national service allows 5,000 in five minutes.',
  'directory.reports': 'The name of each file is that of its report, such as `egpcur.csv`.',
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
