/** Every setting of the program: its type, its default and what it is for. */
import { isIP } from 'node:net';
import { z } from 'zod';

export interface Setting<T = unknown> {
  readonly schema: z.ZodType<T>;
  /** Absent where there is none: the setting is then undefined. */
  readonly defaultValue?: T;
  /** What stands for the value in the help text. */
  readonly argument: string;
  readonly help: string;
}

const URL_BASE = 'https://fhir.nhs.uk/STU3/StructureDefinition';

/**
 * By path. `log.requests` is also the flag `--log-requests`, the variable
 * `GAZETTEER_LOG_REQUESTS`, and `{"log": {"requests": …}}` in the file of `--config`.
 */
export const SETTINGS = {
  data: text('./data', 'FOLDER', 'The folder where editions, order responses and keys are stored'),
  host: text('127.0.0.1', 'ADDRESS', 'The address to listen on'),
  port: whole(0, 65_535, 8080, 'The port to listen on; 0 takes a free one'),
  threads: {
    schema: wholeSchema(1, 64).optional(),
    argument: 'N',
    help: 'The number of server threads (default: the number of cores)',
  } satisfies Setting<number | undefined>,
  baseUrl: {
    schema: z
      .string()
      .refine(isBaseUrl, 'must be an http or https address without query, fragment or user')
      .transform(normalBaseUrl)
      .optional(),
    argument: 'URL',
    help: 'The public address, with which links begin (default: http://localhost:PORT)',
  } satisfies Setting<string | undefined>,
  'log.level': choice(['error', 'warn', 'info', 'debug'], 'info', 'The least severe level to log'),
  'log.format': choice(
    ['auto', 'json', 'text'],
    'auto',
    'The format of log lines; auto: text on a terminal, JSON elsewhere',
  ),
  'log.requests': flag(true, 'Log each request'),
  'log.parameters': flag(false, 'Log the values of parameters too'),
  'metrics.host': text('127.0.0.1', 'ADDRESS', 'The address of health and metrics'),
  'metrics.port': {
    schema: z.union([z.int().min(0).max(65_535), z.literal('off')], {
      error: 'must be a whole number from 0 to 65535, or off',
    }),
    defaultValue: 9464,
    argument: 'N|off',
    help: 'The port of health and metrics; 0 takes a free one',
  } satisfies Setting<number | 'off'>,
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
    'The most bytes of request bodies in memory at a time',
  ),
  'limits.bodyBytesPerClient': whole(
    1024,
    1024 ** 4,
    64 * 1024 ** 2,
    'The most bytes of request bodies in memory at a time from one client address',
  ),
  'limits.headersSeconds': whole(
    1,
    3600,
    10,
    'The seconds in which the headers of a request must arrive',
  ),
  'limits.requestSeconds': whole(1, 3600, 30, 'The seconds in which a whole request must arrive'),
  'limits.idleSeconds': whole(
    1,
    3600,
    75,
    'The seconds after which an idle connection, or one whose client stops reading, is closed',
  ),
  'limits.connections': whole(1, 1_000_000, 10_000, 'The most connections at a time'),
  'limits.connectionsPerClient': whole(
    0,
    1_000_000,
    1000,
    'The most connections from one client address; 0 for no limit',
  ),
  'limits.requestsPerSecond': whole(
    0,
    100_000,
    0,
    'The most requests a second from one client address; 0 for no limit',
  ),
  'limits.delayMs': whole(
    0,
    60_000,
    1000,
    'The milliseconds of event loop delay above which requests are refused; 0 for no limit',
  ),
  'tls.certificate': file('The PEM file of the certificate and its chain; turns on HTTPS'),
  'tls.key': file('The PEM file of the private key of the certificate'),
  proxies: {
    schema: z
      .union([z.string().transform((list) => list.split(',')), z.array(z.string())])
      .pipe(z.array(z.string().trim().refine(isNetwork, 'must be addresses or networks')))
      .optional(),
    argument: 'LIST',
    help: 'The addresses and networks of trusted proxies, separated by commas',
  } satisfies Setting<readonly string[] | undefined>,
  'directory.enabled': flag(true, 'Serve the directory'),
  'directory.authenticate': flag(false, 'Require a bearer token for the directory'),
  'directory.json': choice(
    ['fhir', 'legacy'],
    'fhir',
    'fhir, or the form of the retired national service',
  ),
  'directory.countMax': whole(1, 1000, 20, 'The most matches on a page of a search'),
  'directory.graceMinutes': whole(
    0,
    1440,
    15,
    'The minutes for which links to a replaced edition still work',
  ),
  'directory.editionsInMemory': whole(
    1,
    100,
    3,
    'The most editions in memory, the current one included',
  ),
  'directory.cacheControl': header('The Cache-Control header of answers (default: no such header)'),
  'directory.gzipMinBytes': whole(
    0,
    1024 ** 3,
    1024,
    'The size in bytes from which bodies are sent with gzip; 0: never',
  ),
  'directory.organizationCodeSystem': uri(
    'https://fhir.nhs.uk/Id/ods-organization-code',
    'The system of organisation codes',
  ),
  'directory.organizationProfile': uri(
    `${URL_BASE}/ODSAPI-Organization-1`,
    'The meta.profile of organisations',
  ),
  'directory.activePeriodUrl': uri(
    `${URL_BASE}/Extension-ODSAPI-ActivePeriod-1`,
    'The URL of the extension for a period',
  ),
  'directory.dateTypeUrl': uri(
    `${URL_BASE}/Extension-ODSAPI-DateType-1`,
    'The URL of the extension for the type of a period',
  ),
  'directory.roleUrl': uri(
    `${URL_BASE}/Extension-ODSAPI-OrganizationRole-1`,
    'The URL of the extension for a role',
  ),
  'directory.primaryRoleUrl': uri(
    'primaryRole',
    'The URL of the part of that extension that marks the primary role',
  ),
  'directory.roleSystem': uri(
    'https://directory.spineservices.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRole-1',
    'The system of role codes',
  ),
  'directory.recordClassSystem': uri(
    'https://fhir.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRecordClass-1',
    'The system of record classes',
  ),
  'directory.uprnUrl': uri(
    `${URL_BASE}/Extension-ODSAPI-UPRN-1`,
    'The URL of the extension for the UPRN',
  ),
  'orders.enabled': flag(true, 'Serve order responses'),
  'orders.profile': choice(
    ['contained', 'base'],
    'contained',
    'contained: an OrderResponse must contain Order, Patient and Practitioner; base: as FHIR allows',
  ),
  'orders.demandIfMatch': flag(false, 'Refuse updates without If-Match'),
  'orders.depthMax': whole(8, 256, 64, 'The most levels of nested elements in an order response'),
  'orders.elementsMax': whole(
    100,
    1_000_000,
    5000,
    'The most elements and XML attributes in an order response',
  ),
  'orders.corsOrigins': {
    schema: z
      .union([z.string().transform((list) => list.split(',')), z.array(z.string())])
      .pipe(z.array(z.string().trim().refine(isOrigin, 'must be origins, as https://app.example')))
      .optional(),
    argument: 'LIST',
    help: 'The origins whose web pages may use order responses, separated by commas (default: none)',
  } satisfies Setting<readonly string[] | undefined>,
  'auth.issuer': {
    schema: z.string().regex(/^\S+$/, 'must be as in tokens, without spaces').optional(),
    argument: 'ISSUER',
    help: 'The issuer (`iss`) of tokens',
  } satisfies Setting<string | undefined>,
  'auth.audience': {
    schema: z.string().regex(/^\S+$/, 'must be as in tokens, without spaces').optional(),
    argument: 'AUDIENCE',
    help: 'The audience (`aud`) of tokens (default: the public address)',
  } satisfies Setting<string | undefined>,
  'auth.jwksUrl': issuerUrl("The address of the issuer's keys, a JWK set"),
  'auth.jwksFile': file("The file with the issuer's keys, a JWK set"),
  'auth.introspectionUrl': issuerUrl(
    'The address where the issuer introspects opaque tokens (RFC 7662)',
  ),
  'auth.introspectionClient': {
    schema: textSchema().optional(),
    argument: 'ID',
    help: 'The client id of this server for introspection',
  } satisfies Setting<string | undefined>,
  'auth.introspectionSecretFile': file('The file with the client secret for introspection'),
  'auth.ownKey': flag(false, 'Accept tokens of "gazetteer token" as well as those of the issuer'),
  'auth.skewSeconds': whole(0, 300, 30, "The most seconds by which the issuer's clock may differ"),
  'pages.enabled': flag(true, 'Serve pages for people'),
  'pages.name': text('Gazetteer', 'NAME', 'The name that pages show'),
  'pages.logo': file('The image that pages show beside the name: SVG, PNG or WebP'),
  'pages.mapUrl': {
    schema: z
      .string()
      .regex(/^(off|https?:\/\/\S*\{query\}\S*)$/, 'must be an address with {query} in it, or off'),
    defaultValue: 'https://www.openstreetmap.org/search?query={query}',
    argument: 'URL|off',
    help: 'The address of the map that pages link to; {query} stands for the postcode',
  } satisfies Setting<string>,
  'editions.keep': whole(1, 1000, 3, 'The number of editions that stay on disk for rollback'),
  'import.unpackedMax': whole(
    1,
    Number.MAX_SAFE_INTEGER,
    8 * 1024 ** 3,
    'The most bytes that a file may unpack to',
  ),
  'sync.overlapDays': whole(1, 365, 7, 'The days by which a sync overlaps the one before it'),
  'sync.fullDays': whole(1, 3650, 30, 'The days after which a sync fetches everything again'),
  'sync.requestsPerSecond': whole(1, 1000, 5, 'The most requests a second to the other directory'),
  'sync.timeoutSeconds': whole(
    1,
    3600,
    60,
    'The seconds without data after which a sync repeats a request',
  ),
  'sync.tokenFile': file('The file with a bearer token for the other directory'),
} as const;

export type SettingPath = keyof typeof SETTINGS;

export type Config = {
  readonly [P in SettingPath]: (typeof SETTINGS)[P] extends { readonly schema: z.ZodType<infer T> }
    ? T
    : never;
};

/** The settings below a path as an object of their own: `directory` for the directory service. */
export type Section<S extends string> = {
  readonly [P in SettingPath as P extends `${S}.${infer Name}` ? Name : never]: Config[P];
};

export function sectionOf<S extends string>(config: Config, section: S): Section<S> {
  const prefix = `${section}.`;
  return Object.fromEntries(
    Object.entries(config).flatMap(([path, value]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), value]] : [],
    ),
  ) as Section<S>;
}

/** `log.requests` → `--log-requests`. */
export function flagOf(path: string): string {
  return `--${kebab(path)}`;
}

/** `log.requests` → `GAZETTEER_LOG_REQUESTS`. */
export function variableOf(path: string): string {
  return `${VARIABLE_PREFIX}${kebab(path).replaceAll('-', '_').toUpperCase()}`;
}

export const VARIABLE_PREFIX = 'GAZETTEER_';

function kebab(path: string): string {
  return path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('.', '-');
}

function text(defaultValue: string, argument: string, help: string): Setting<string> {
  return { schema: textSchema(), defaultValue, argument, help };
}

function whole(min: number, max: number, defaultValue: number, help: string): Setting<number> {
  return { schema: wholeSchema(min, max), defaultValue, argument: 'N', help };
}

function wholeSchema(min: number, max: number): z.ZodInt {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

function flag(defaultValue: boolean, help: string): Setting<boolean> {
  const schema = z.boolean({ error: 'must be true or false' });
  return { schema, defaultValue, argument: 'true|false', help };
}

function choice<const T extends string>(
  values: readonly [T, ...T[]],
  defaultValue: T,
  help: string,
): Setting<T> {
  const schema = z.enum(values, { error: `must be one of ${values.join(', ')}` });
  return { schema, defaultValue, argument: values.join('|'), help };
}

/** A relative one is allowed: the parts of an extension have such urls. */
function uri(defaultValue: string, help: string): Setting<string> {
  const schema = z.string().regex(/^\S+$/, 'must be a URI without spaces');
  return { schema, defaultValue, argument: 'URI', help };
}

function header(help: string): Setting<string | undefined> {
  const schema = z.string().regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be a header value');
  return { schema: schema.optional(), argument: 'VALUE', help };
}

function file(help: string): Setting<string | undefined> {
  return { schema: textSchema().optional(), argument: 'FILE', help };
}

function textSchema(): z.ZodString {
  const error = 'must not be empty';
  return z.string({ error }).min(1, { error });
}

function issuerUrl(help: string): Setting<string | undefined> {
  const error = 'must be an https address, or http to this machine, without user and fragment';
  return { schema: z.string().refine(isIssuerUrl, error).optional(), argument: 'URL', help };
}

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}

function isOrigin(text: string): boolean {
  return (
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text
  );
}

/** Keys and secrets go over no network in the clear. */
function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isPrivate =
    protocol === 'https:' ||
    (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname));
  return isPrivate && !text.includes('#') && username === '' && password === '';
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && !/[?#]/.test(text) && username === '' && password === '';
}

/** In ASCII, as headers need it: host names and paths in their encoded forms. */
function normalBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}
