/** The addresses that `gazetteer serve` prints for a person at a terminal. */
import { sectionOf } from '../../config/section.ts';
import type { Config } from '../../config/settings.ts';
import { DIRECTORY_FACES } from '../../directory/faces.ts';
import { hasPages } from './served-pages.ts';

/** `operationUrl` is the address of health and metrics, if the server has them. */
export function addressesText(
  config: Config,
  serverUrl: string,
  operationUrl: string | undefined,
): string {
  const directory = sectionOf(config, 'directory');
  const faces = DIRECTORY_FACES.map((face) => [face.title, serverUrl + face.pathOf(directory)]);
  const rows = [
    ...(config['directory.enabled'] ? [...faces, ['ORD', serverUrl + directory['ord.path']]] : []),
    ...(config['orders.enabled'] ? [['Order responses', serverUrl]] : []),
    ...(operationUrl === undefined ? [] : [['Health', `${operationUrl}/readyz`]]),
  ];
  const width = Math.max(...rows.map(([title = '']) => title.length));
  const list = rows.map(([title = '', address]) => `  ${title.padEnd(width)}  ${address}\n`);
  const first = hasPages(config) ? `  Open ${serverUrl}/\n` : '';
  return `\n${first}${list.join('')}  Ctrl+C stops the server.\n\n`;
}
