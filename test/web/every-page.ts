/** A server on which every page has something to show, and the addresses of all pages. */
import { openPostcodes } from '../../src/directory/places/stored-postcodes.ts';
import { editionOf } from '../directory/directory-server.ts';
import { placed, storedPostcodes } from '../directory/places/postcode-rows.ts';
import {
  openBytes,
  practitionerBytes,
  writeFiles,
} from '../directory/practitioners/practitioner-files.ts';
import type { Owner } from '../owner.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { HISTORY, PAGE_RECORDS } from './records.ts';
import { startWeb, tooManyRequests, type WebServer } from './web-server.ts';

/** The addresses to look at, by route. To add a page, add a line. */
export const PAGE_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  '/': [
    '/',
    '/?q=many',
    '/?near=nonsense',
    '/?near=YO1+2AA&status=all',
    '/?q=many&page=2&status=all&role=177',
    '/?q=leeds',
    '/?q=hostile',
    '/?q=LS9+9ZZ',
    '/?q=xyzzy&status=inactive&town=york',
  ],
  '/organizations/{code}': [
    '/organizations/RR8',
    '/organizations/ZX1',
    '/organizations/ZX2',
    '/organizations/NONE',
  ],
  '/organizations/{code}/practitioners': ['/organizations/A81001/practitioners?on=2026-04-01'],
  '/practitioners/{code}': ['/practitioners/G1234567', '/practitioners/G0000000'],
  '/changes': ['/changes', '/changes?since=2001-01-01', '/changes?since=yesterday'],
  '/editions': ['/editions'],
  '/editions/{number}': ['/editions/3', '/editions/1'],
  '/statistics': ['/statistics'],
  '/reports': ['/reports'],
  '/postcode': ['/postcode', '/postcode?postcode=YO1+1AA', '/postcode?postcode=YO1'],
  '/check-a-list': ['/check-a-list'],
  '/api': ['/api'],
  '/try-order-response': ['/try-order-response'],
  '/docs': ['/docs'],
  '/docs/{path}': ['/docs/how-to/write-a-client', '/docs/reference/pages', '/docs/nothing'],
  '/docs/search': ['/docs/search?q=back+up', '/docs/search?q=qqqqqq', '/docs/search'],
  '/accessibility': ['/accessibility'],
};

/** Routes that answer files, data or another address. */
export const OTHER_ROUTES: readonly string[] = [
  '/suggestions',
  '/results.csv',
  '/results.geojson',
  '/results.ndjson',
  '/organizations/{code}.json',
  '/organizations/{code}.xml',
  '/organizations/{code}.csv',
  '/organizations/{code}/events.json',
  '/editions/{number}/changes.csv',
  '/check-a-list.csv',
  '/statistics/{file}',
  '/try-order-response/token',
  '/favicon.ico',
  '/robots.txt',
  '/assets/{file}',
];

/** Problems that belong to no route. */
const PROBLEMS = ['/nothing', '/refused'];

export const ALL_ADDRESSES: readonly string[] = [
  ...Object.values(PAGE_ADDRESSES).flat(),
  ...PROBLEMS,
];

const POSTCODES = openPostcodes(
  storedPostcodes(
    [
      {
        ...placed('YO1 1AA', 53.9591, -1.0815),
        areas: { localAuthority: 'E06000014', icb: 'E54000051', lsoa21: 'E01013334' },
        terminated: '201903',
      },
      placed('YO1 2AA', 53.9592, -1.0816),
    ],
    { E54000051: { name: 'NHS Leeds Teaching', odsCode: 'RR8' } },
  ),
);

/** With postcodes, practitioners, three editions and order responses. The owner closes it. */
export async function startEveryPage(owner: Owner): Promise<WebServer> {
  const bytes = await practitionerBytes(writeFiles(temporaryFolder(owner)));
  const edition = {
    ...editionOf(PAGE_RECORDS, 3, undefined, POSTCODES),
    practitioners: openBytes(bytes),
  };
  const server = await startWeb({
    editions: { current: () => edition, byNumber: () => edition },
    history: HISTORY,
    hasOrders: true,
    now: () => new Date('2026-10-01T12:00:00Z'),
    refuse: (path) => (path === '/refused' ? tooManyRequests() : undefined),
  });
  owner.after(() => server.close());
  return server;
}
