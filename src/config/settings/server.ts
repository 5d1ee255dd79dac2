/**
 * The settings of the server: where it listens, what it logs, where it sends spans, its limits, TLS,
 * proxies, and its pages for people.
 */
import * as z from 'zod';
import { isNetwork } from './addresses.ts';
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
} from './setting.ts';

const portOrOff = withDefault(
  z.union([z.int().min(0).max(65_535), z.literal('off')], {
    error: 'must be a whole number from 0 to 65535, or off',
  }),
  'N|off',
);

export const SERVER_SETTINGS = {
  data: text('./data', 'FOLDER', 'The folder for editions, order responses and keys'),
  host: text('127.0.0.1', 'ADDRESS', 'The address to listen on'),
  port: whole({ min: 0, max: 65_535, default: 8080 }, 'The port to listen on; 0 takes a free port'),
  threads: optionalWhole(1, 64, 'The number of server threads', 'the number of cores'),
  baseUrl: optionalBaseUrl(
    'The public address of the server, which all links begin with',
    'http://localhost:PORT',
  ),
} as const;

export const LOG_SETTINGS = {
  'log.level': choice(['error', 'warn', 'info', 'debug'], 'info', 'The least severe level to log'),
  'log.format': choice(['auto', 'json', 'text'], 'auto', 'The format of log lines'),
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
    'no telemetry',
  ),
  'telemetry.headersFile': file('The file with HTTP headers for the collector, such as a token'),
  'telemetry.serviceName': text('gazetteer', 'NAME', 'The name of the service in telemetry'),
  'telemetry.samplingRatio': ratio(1, 'The share of traces that are recorded'),
} as const;

export const LIMIT_SETTINGS = {
  'limits.headerBytes': whole(
    { min: 1024, max: 1024 ** 2, default: 16_384 },
    'The most bytes in the request line and headers of a request',
  ),
  'limits.bodyBytes': whole(
    { min: 1024, max: 1024 ** 3, default: 1024 ** 2 },
    'The most bytes in the body of a request',
  ),
  'limits.formBytes': whole(
    { min: 1024, max: 1024 ** 2, default: 65_536 },
    'The most bytes in the body of a search by POST',
  ),
  'limits.bodyBytesInFlight': whole(
    { min: 1024, max: 1024 ** 4, default: 256 * 1024 ** 2 },
    'The most bytes of request bodies in memory at a time, for the whole server',
  ),
  'limits.bodyBytesPerClient': whole(
    { min: 1024, max: 1024 ** 4, default: 64 * 1024 ** 2 },
    'The most bytes of request bodies in memory at a time, from one client address',
  ),
  'limits.headersSeconds': whole(
    { min: 1, max: 3600, default: 10 },
    'The seconds within which the headers of a request, or a TLS handshake, must arrive',
  ),
  'limits.requestSeconds': whole(
    { min: 1, max: 3600, default: 30 },
    'The seconds within which a whole request must arrive',
  ),
  'limits.idleSeconds': whole(
    { min: 1, max: 3600, default: 75 },
    'The seconds after which the server closes an idle connection',
  ),
  'limits.connections': whole(
    { min: 1, max: 1_000_000, default: 10_000 },
    'The most open connections at a time, for the whole server',
  ),
  'limits.connectionsPerClient': whole(
    { min: 0, max: 1_000_000, default: 1000 },
    'The most open connections from one client address; 0 for no limit',
  ),
  'limits.requestsPerSecond': whole(
    { min: 0, max: 100_000, default: 0 },
    'The most requests a second from one client address; 0 for no limit',
  ),
  'limits.waiting': whole(
    { min: 0, max: 1_000_000, default: 5000 },
    'The most requests that wait for changes at a time, for the whole server',
  ),
  'limits.waitingPerClient': whole(
    { min: 0, max: 1_000_000, default: 100 },
    'The most requests that wait for changes at a time, from one client',
  ),
  'limits.longAnswers': whole(
    { min: 1, max: 10_000, default: 16 },
    'The most long answers, such as reports and downloads, that a thread makes at a time',
  ),
  'limits.longAnswersOfKind': whole(
    { min: 1, max: 10_000, default: 12 },
    'The most long answers of one kind, such as reports, that a thread makes at a time',
  ),
  'limits.longAnswersPerClient': whole(
    { min: 1, max: 10_000, default: 8 },
    'The most long answers for one client address that a thread makes at a time',
  ),
  'limits.longAnswerWaitMs': whole(
    { min: 0, max: 60_000, default: 5000 },
    'The milliseconds that a long answer waits for its turn before it is refused',
  ),
  'limits.keptAnswerBytes': whole(
    { min: 0, max: 1024 ** 4, default: 64 * 1024 ** 2 },
    'The most bytes of long answers that the whole server keeps for the next request',
  ),
  'limits.delayMs': whole(
    { min: 0, max: 60_000, default: 1000 },
    'The event-loop delay in milliseconds above which a thread refuses requests, if it lasts; 0 for no limit',
  ),
} as const;

export const TLS_SETTINGS = {
  'tls.certificate': file(
    'The PEM file of the certificate; with it, the server speaks HTTPS',
    'plain HTTP',
  ),
  'tls.key': file('The PEM file of the private key of the certificate'),
  proxies: list(
    isNetwork,
    'must be addresses or networks, separated by commas',
    'The addresses and networks of trusted proxies, separated by commas',
  ),
} as const;

const mapUrl = withDefault(
  matching(/^(off|https?:\/\/\S*\{query\}\S*)$/, 'must be a URL that contains {query}, or off'),
  'URL|off',
);

export const PAGE_SETTINGS = {
  'pages.enabled': flag(true, 'Serve web pages for people'),
  'pages.name': text('Gazetteer', 'NAME', 'The name of the service that pages show'),
  'pages.logo': file('The image beside the name: SVG, PNG or WebP'),
  'pages.mapUrl': mapUrl(
    'https://www.openstreetmap.org/search?query={query}',
    'The URL of the map that pages link to; {query} stands for the postcode',
  ),
  'pages.giveTokens': flag(
    false,
    'Give a token for order responses to everyone who opens /try-order-response',
  ),
} as const;
