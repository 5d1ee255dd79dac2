/** The settings of the web pages for people. */
import * as z from 'zod';
import { file, flag, type Setting, text } from '../setting.ts';

export const PAGE_SETTINGS = {
  'pages.enabled': flag(true, 'Serve web pages for people'),
  'pages.name': text('Gazetteer', 'NAME', 'The name of the service that pages show'),
  'pages.logo': file('The image beside the name: SVG, PNG or WebP', {
    details: 'At most 64 KiB. Pages show it 40 pixels high.',
  }),
  'pages.mapUrl': {
    schema: z
      .string()
      .regex(/^(off|https?:\/\/\S*\{query\}\S*)$/, 'must be a URL that contains {query}, or off'),
    defaultValue: 'https://www.openstreetmap.org/search?query={query}',
    argument: 'URL|off',
    help: 'The URL of the map that pages link to; {query} stands for the postcode',
    details: '`off` removes the link.',
  } satisfies Setting<string>,
  'pages.giveTokens': flag(
    false,
    'Give a token for order responses to everyone who opens /try-order-response',
    {
      details:
        'Set it only for demonstrations and tests with invented data: everyone who can reach the server can then read and write its order responses.',
    },
  ),
} as const;
