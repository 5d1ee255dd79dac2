/** The settings of the web pages for people. */
import { file, flag, matching, text, withDefault } from '../setting.ts';

const mapUrl = withDefault(
  matching(/^(off|https?:\/\/\S*\{query\}\S*)$/, 'must be a URL that contains {query}, or off'),
  'URL|off',
);

export const PAGE_SETTINGS = {
  'pages.enabled': flag(true, 'Serve web pages for people'),
  'pages.name': text('Gazetteer', 'NAME', 'The name of the service that pages show'),
  'pages.logo': file('The image beside the name: SVG, PNG or WebP', {
    details: 'At most 64 KiB. Pages show it 40 pixels high.',
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
        'Set it only for demonstrations and tests with invented data: everyone who can reach the server can then read and write its order responses. The tokens are like those of `gazetteer token`. They have the scope `system/OrderResponse.*`, and are valid for one hour.',
    },
  ),
} as const;
