/** The dearest requests for pages. */
import { NAMES } from './bodies.ts';
import { type CaseFacts, type EndpointCases, FORM_TYPE } from './case.ts';

export function pageCases({ code }: CaseFacts): EndpointCases {
  const list = { headers: FORM_TYPE, body: `list=${encodeURIComponent(NAMES.join('\n'))}` };
  return {
    'GET /': { query: `q=the&of=${code}` },
    'GET /organizations/{code}': { path: `/organizations/${code}` },
    ...Object.fromEntries(
      ['csv', 'json', 'xml'].map((form) => [
        `GET /organizations/{code}.${form}`,
        { path: `/organizations/${code}.${form}` },
      ]),
    ),
    'GET /suggestions': { query: 'q=the' },
    'GET /results.csv': {},
    'GET /results.geojson': {},
    'GET /results.ndjson': {},
    'GET /organizations/{code}/events.json': { path: `/organizations/${code}/events.json` },
    'GET /changes': { query: 'since=0001-01-01&kind=merged' },
    'GET /editions': {},
    'GET /editions/{number}': { path: '/editions/2' },
    'GET /editions/{number}/changes.csv': { path: '/editions/2/changes.csv' },
    'GET /postcode': { query: 'postcode=LS1+4AP' },
    'GET /check-a-list': {},
    'POST /check-a-list': list,
    'POST /check-a-list.csv': list,
    'GET /practitioners/{code}': { path: '/practitioners/G1234567' },
    'GET /organizations/{code}/practitioners': { path: `/organizations/${code}/practitioners` },
    'GET /statistics': {},
    'GET /statistics/{file}': { path: '/statistics/roles.svg' },
    'GET /reports': {},
    'GET /api': {},
    'GET /accessibility': {},
    'GET /try-order-response': {},
    'POST /try-order-response/token': { headers: FORM_TYPE, body: '' },
    'GET /docs': {},
    'GET /docs/search': { query: 'q=the+organisation+code' },
    'GET /docs/{path}': { path: '/docs/reference/settings' },
    'GET /favicon.ico': {},
    'GET /robots.txt': {},
    'GET /assets/{file}': { path: '/assets/pages.js' },
  };
}
