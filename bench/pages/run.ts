/** What the pages for people cost: the server's time for each, and the bytes that are sent. */
import { dataFolder } from '../data.ts';
import { type Cell, round, spreadOf, type Table } from '../figures.ts';
import type { Options } from '../options.ts';
import { type RunningProgram, startProgram } from '../server.ts';

/** `{n}` makes a search that was not asked before, so that nothing kept answers it. */
const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['start', '/'],
  ['search', '/?q=leeds'],
  ['search-deep', '/?q=surgery&page=40'],
  ['search-active', '/?q=the+surgery&status=active'],
  ['search-postcode', '/?q=LS1'],
  ['search-letter', '/?q=e'],
  ['search-fresh', '/?q=s{n}'],
  ['search-role', '/?role=177&status=active'],
  ['search-nothing', '/?q=hospitall+zz+{n}'],
  ['search-town', '/?q=dentist+in+leeds'],
  ['search-mistake', '/?q=headimgle{n}'],
  ['members', '/?of=Y54'],
  ['organization', '/organizations/RTG'],
  ['suggestions', '/suggestions?q=lee'],
  ['suggestions-fresh', '/suggestions?q=hospital+{n}'],
  ['editions', '/editions'],
  ['statistics', '/statistics'],
  ['api', '/api'],
  ['try-order-response', '/try-order-response'],
];

const TIMES = 60;

export async function runPages(options: Options): Promise<Table[]> {
  const pages = PAGES.filter(([name]) => options.isWanted('pages', `page-for-people-${name}`));
  if (pages.length === 0) return [];
  // The log has how long each answer took in the server.
  const server = await startProgram(['--data', dataFolder(options.records), '--threads', '1']);
  const rows: Cell[][] = [];
  for (const [name, path] of pages)
    rows.push([name, `\`${path}\``, ...(await visit(server, path))]);
  await server.stop();
  const columns = ['page', 'path', 'first, ms', 'median, ms', 'slowest, ms', 'bytes'];
  const title = `Pages for people: the server's time over ${TIMES} visits of each`;
  return [{ name: 'pages', title, columns, rows }];
}

async function visit(server: RunningProgram, path: string): Promise<Cell[]> {
  const earlier = timesOf(server).length;
  let bytes = 0;
  for (let time = 0; time < TIMES; time++) {
    const headers = { accept: 'text/html' };
    const answer = await fetch(server.origin + path.replace('{n}', String(time)), { headers });
    bytes = Number(answer.headers.get('content-length'));
    await answer.text();
  }
  await server.logged('request', earlier + TIMES);
  const times = timesOf(server).slice(earlier);
  const { median, high } = spreadOf(times);
  return [...[times[0] ?? Number.NaN, median, high].map(round), bytes];
}

function timesOf(server: RunningProgram): number[] {
  return server
    .log()
    .filter(({ msg }) => msg === 'request')
    .map(({ ms }) => Number(ms));
}
