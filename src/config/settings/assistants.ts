/** The settings of the tools for assistants over HTTP. */
import { isOrigin } from './addresses.ts';
import { flag, list } from './setting.ts';

export const ASSISTANT_SETTINGS = {
  'mcp.enabled': flag(
    false,
    'Serve the directory as tools for assistants at `/mcp`, by the Model Context Protocol',
  ),
  'mcp.origins': list(
    isOrigin,
    'must be origins, such as https://app.example, separated by commas',
    'The other origins whose web pages may use `/mcp`, separated by commas',
    'only pages of the server itself',
  ),
} as const;
