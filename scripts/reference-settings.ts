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
    'Example: `postgres://gazetteer@db1:5432,db2:5432/gazetteer?sslmode=verify-full`. Of several hosts, the one that accepts writes is used. `sslmode` is `disable`, `require` (encrypts, and checks no certificate), `verify-ca` (checks the authority) or `verify-full` (also checks the name); its default is `verify-full`, or `disable` if all hosts are this machine. Give the password in `PGPASSWORD`, `~/.pgpass` or `database.passwordFile`.',
  'database.poolSize': 'A few more are for searches and editions.',
  'database.failoverSeconds':
    'This is for a write that was sent, to learn whether it was stored. After it, the answer is 503, and the outcome is unknown. While the database refuses connections, other requests get 503 after about 2 seconds, and nothing is stored. Choose less than clients and proxies wait.',
  'log.level': '`debug` currently logs the same as `info`.',
  'log.format': '`auto` is `text` on a terminal, and `json` elsewhere.',
  'telemetry.endpoint': 'Example: `http://127.0.0.1:4318`.',
  'telemetry.headersFile': 'Each line is `Name: value`.',
  'telemetry.samplingRatio': 'For the trace of a caller, the caller decides.',
  'limits.idleSeconds': 'Also if its client does not read the answer.',
  'limits.connectionsPerClient': 'Those of `proxies` do not count.',
  'limits.requestsPerSecond': 'They may arrive at the same moment.',
  'tls.certificate': 'The same file has its intermediate certificates after it.',
  proxies:
    'Example: `10.0.0.1,fd00::/8`. See [Put it behind a proxy](../how-to/use-tls-or-a-proxy.md#put-it-behind-a-proxy).',
  'directory.source': 'See [Fetches](import.md#fetches).',
  'directory.fetchAt': 'Up to 30 minutes are added at random.',
  'directory.authenticate': 'Scope: `Organization.read`.',
  'directory.json': 'See [Legacy JSON](directory-api.md#legacy-json).',
  'directory.stu3.path': 'All paths are below `baseUrl`, and differ from each other.',
  'directory.legacyPath':
    'See [Move a client](../how-to/move-a-client.md#if-you-cannot-change-the-path).',
  'directory.r4.apiKeys': 'See [API keys](r4-api.md#api-keys).',
  'directory.cacheControl':
    'Example: `public, max-age=60`. With `directory.authenticate`, the value must contain `private`, `no-store` or `no-cache`.',
  'directory.gzipMinBytes': 'Use 0 if a proxy compresses.',
  'directory.primaryRoleUrl': 'Some clients expect `primaryrole`.',
  'mcp.enabled': 'See [Connect an assistant](../how-to/connect-an-assistant.md#over-http).',
  'mcp.origins': 'Programs other than browsers send no origin. Example: `https://app.example`.',
  'orders.profile':
    '`contained`: those that contain an Order, a Patient and a Practitioner. `base`: all that FHIR allows.',
  'orders.interactions':
    `They can be ${INTERACTIONS.map((name) => `\`${name}\``).join(', ')}. ` +
    '`transaction` is also for batches. Conditional creates and updates also need `search-type`. ' +
    'A delete also needs `orders.allowDelete`, and notifications need `history-type`. Example: `read,create,update`.',
  'orders.updates':
    '`creator`: only the client that created it, by `client_id` or `azp` of its token, else `sub`.',
  'orders.allowDelete': 'Its versions stay in its history.',
  'orders.retentionDays': 'Those [on hold](../how-to/erase-order-responses.md) are kept.',
  'orders.auditKeyFile': 'All servers of a database need the same key.',
  'orders.searchMatchesMax': 'With several parameters, the one that the fewest match counts.',
  'orders.transactionEntriesMax': '`limits.bodyBytes` limits its size.',
  'orders.corsOrigins': 'Example: `https://app.example`.',
  'subscriptions.allowedHosts':
    'Name the port: an entry without a port allows every port, and clients can then find out which ports of the host answer. A private address needs its own entry. Example: `hooks.example:443,10.0.0.7:8443`.',
  'subscriptions.updates':
    '`creator`: only the client that created it, by `client_id` or `azp` of its token, else `sub`.',
  'subscriptions.countMax':
    'Subscriptions with the status `off` count, and deleted ones do not. If you lower the setting, the subscriptions that exist stay.',
  'subscriptions.webhooksFile':
    'Use it if a URL has a secret: other users of the machine can see the flags of a program. The server uses these URLs and those of `subscriptions.webhooks`.',
  'subscriptions.webhooks':
    'Their hosts must be in `subscriptions.allowedHosts`. See [Get notifications of editions](../how-to/get-notifications.md#get-notifications-of-editions).',
  'auth.issuer': '`auth.jwksUrl` and `auth.jwksFile` require it.',
  'auth.tokenUrl': 'https, or http to this machine. `auth.issuer` must be set too.',
  'auth.jwksUrl': 'https, or http to this machine.',
  'auth.jwksFile': 'Use it instead of `auth.jwksUrl`.',
  'auth.introspectionUrl':
    'https, or http to this machine. Set all three introspection settings or none.',
  'auth.ownKey': 'Without an issuer, the server always accepts them.',
  'auth.ownKeyFile': 'With a database, every server accepts its tokens.',
  'pages.logo': 'At most 64 KiB, shown 40 pixels high.',
  'pages.mapUrl': '`off` removes the link.',
  'pages.giveTokens':
    'Only for tests with invented data: see [Try order responses](pages.md#try-order-responses-try-order-response).',
  'import.unpackedMax': 'For a sync: the most bytes that the peer may send.',
  'sync.overlapDays': 'This finds changes that were published late.',
  'trud.url': 'https, or an address of this machine.',
  'trud.key': 'Or put it in the file of `trud.keyFile`.',
  'r4.keyFile': 'The key is sent only over https or to this machine.',
  'r4.requestsPerSecond': 'The national service allows 5,000 in five minutes.',
  'directory.reports': 'Example of a file: `egpcur.csv`.',
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
