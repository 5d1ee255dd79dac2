/** The settings of the server: where it listens, what it logs, TLS and proxies. */
import * as z from 'zod';
import { isNetwork } from '../addresses.ts';
import {
  baseUrl,
  choice,
  file,
  flag,
  list,
  optionalWhole,
  type Setting,
  text,
  whole,
} from '../setting.ts';

export const SERVER_SETTINGS = {
  data: text('./data', 'FOLDER', 'The folder for editions, order responses and keys', {
    details: 'With a database: the folder for the keys of this machine and for copies of editions.',
  }),
  host: text('127.0.0.1', 'ADDRESS', 'The address to listen on', {
    details: '`0.0.0.0` or `::` stands for all addresses.',
  }),
  port: whole(0, 65_535, 8080, 'The port to listen on; 0 takes a free port'),
  threads: optionalWhole(1, 64, 'The number of server threads', {
    unset: 'the number of cores',
    details: 'macOS and Windows cannot share a port between threads, so the server runs one there.',
  }),
  baseUrl: {
    schema: baseUrl().optional(),
    unset: 'http://localhost:PORT',
    argument: 'URL',
    help: 'The public address of the server, which all links begin with',
    details: 'It is an http or https URL without query, fragment or user.',
  } satisfies Setting<string | undefined>,
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
  'metrics.port': {
    schema: z.union([z.int().min(0).max(65_535), z.literal('off')], {
      error: 'must be a whole number from 0 to 65535, or off',
    }),
    defaultValue: 9464,
    argument: 'N|off',
    range: '0 to 65,535, `off`',
    help: 'The port of health and metrics; 0 takes a free port, off switches both off',
  } satisfies Setting<number | 'off'>,
} as const;

export const TLS_SETTINGS = {
  'tls.certificate': file('The PEM file of the certificate; with it, the server speaks HTTPS', {
    unset: 'plain HTTP',
    details: 'The file contains the certificate, followed by its intermediate certificates.',
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
        'Example: `10.0.0.1,fd00::/8`. In the settings file, use a JSON list. ' +
        'See [Use TLS or a proxy](../how-to/use-tls-or-a-proxy.md#put-it-behind-a-proxy).',
    },
  ),
} as const;
