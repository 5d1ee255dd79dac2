/**
 * The settings of the server: where it listens, what it logs, where it sends spans, its limits, TLS,
 * proxies, and its pages for people.
 */
import * as z from 'zod';
import { isNetwork } from '../addresses.ts';
import {
  choice,
  file,
  flag,
  list,
  matching,
  optionalBaseUrl,
  optionalWhole,
  ratio,
  text,
  whole,
  withDefault,
} from '../setting.ts';

const portOrOff = withDefault(
  z.union([z.int().min(0).max(65_535), z.literal('off')], {
    error: 'must be a whole number from 0 to 65535, or off',
  }),
  'N|off',
  { range: '0 to 65,535, `off`' },
);

export const SERVER_SETTINGS = {
  data: text('./data', 'FOLDER', 'The folder for editions, order responses and keys', {
    details: 'With a database: for the keys of this machine and copies of editions.',
  }),
  host: text('127.0.0.1', 'ADDRESS', 'The address to listen on', {
    details: '`0.0.0.0` or `::` stands for all addresses.',
  }),
  port: whole(0, 65_535, 8080, 'The port to listen on; 0 takes a free port'),
  threads: optionalWhole(1, 64, 'The number of server threads', {
    unset: 'the number of cores',
    details: 'On macOS and Windows, the server runs one.',
  }),
  baseUrl: optionalBaseUrl('The public address of the server, which all links begin with', {
    unset: 'http://localhost:PORT',
    details: 'It is an http or https URL without query, fragment or user.',
  }),
} as const;

export const LOG_SETTINGS = {
  'log.level': choice(['error', 'warn', 'info', 'debug'], 'info', 'The least severe level to log', {
    details: '`debug` currently logs the same as `info`.',
  }),
  'log.format': choice(['auto', 'json', 'text'], 'auto', 'The format of log lines', {
    details: '`auto` is `text` on a terminal, and `json` elsewhere.',
  }),
  'log.requests': flag(true, 'Log each request'),
  'log.parameters': flag(
    false,
    'Log the values of query parameters and the paths of refused requests',
  ),
  'metrics.host': text('127.0.0.1', 'ADDRESS', 'The address of health and metrics'),
  'metrics.port': portOrOff(
    9464,
    'The port of health and metrics; 0 takes a free port, off switches both off',
  ),
} as const;

export const TELEMETRY_SETTINGS = {
  'telemetry.endpoint': optionalBaseUrl(
    'The base URL of an OpenTelemetry collector, which receives spans over OTLP/HTTP',
    {
      unset: 'no telemetry',
      details: 'Example: `http://127.0.0.1:4318`.',
    },
  ),
  'telemetry.headersFile': file('The file with HTTP headers for the collector, such as a token', {
    details: 'Each line is `Name: value`.',
  }),
  'telemetry.serviceName': text('gazetteer', 'NAME', 'The name of the service in telemetry'),
  'telemetry.samplingRatio': ratio(1, 'The share of traces that are recorded', {
    details: 'For the trace of a caller, the caller decides.',
  }),
} as const;

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

export const TLS_SETTINGS = {
  'tls.certificate': file('The PEM file of the certificate; with it, the server speaks HTTPS', {
    unset: 'plain HTTP',
    details: 'Its intermediate certificates follow.',
  }),
  'tls.key': file('The PEM file of the private key of the certificate', {
    details: 'Set both files or neither.',
  }),
  proxies: list(
    isNetwork,
    'must be addresses or networks, separated by commas',
    'The addresses and networks of trusted proxies, separated by commas',
    {
      details:
        'Example: `10.0.0.1,fd00::/8`. ' +
        'See [Use TLS or a proxy](../how-to/use-tls-or-a-proxy.md#put-it-behind-a-proxy).',
    },
  ),
} as const;

const mapUrl = withDefault(
  matching(/^(off|https?:\/\/\S*\{query\}\S*)$/, 'must be a URL that contains {query}, or off'),
  'URL|off',
);

export const PAGE_SETTINGS = {
  'pages.enabled': flag(true, 'Serve web pages for people'),
  'pages.name': text('Gazetteer', 'NAME', 'The name of the service that pages show'),
  'pages.logo': file('The image beside the name: SVG, PNG or WebP', {
    details: 'At most 64 KiB, shown 40 pixels high.',
  }),
  'pages.mapUrl': mapUrl(
    'https://www.openstreetmap.org/search?query={query}',
    'The URL of the map that pages link to; {query} stands for the postcode',
    { details: '`off` removes the link.' },
  ),
  'pages.giveTokens': flag(
    false,
    'Give a token for order responses to everyone who opens /try-order-response',
    {
      details:
        'Only for tests with invented data: everyone who can reach the server can then read and write its order responses. See [Try order responses](pages.md#try-order-responses-try-order-response).',
    },
  ),
} as const;
