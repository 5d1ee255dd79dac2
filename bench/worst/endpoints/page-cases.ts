/** The dearest requests for pages. */
import { openAssets } from '../../../src/web/parts/assets.ts';
import { NAMES } from './bodies.ts';
import { type CaseFacts, type EndpointCases, FORM_TYPE, NEAR_ALL } from './case.ts';

export function pageCases(facts: CaseFacts): EndpointCases {
  const { code, employer, practitioner, text } = facts;
  const [postcode = ''] = facts.postcodes;
  const results = `status=all&${NEAR_ALL}`;
  const list = { headers: FORM_TYPE, body: `list=${encodeURIComponent(NAMES.join('\n'))}` };
  return {
    'GET /': { query: `of=${code}&print=true&${results}` },
    'GET /organizations/{code}': { path: `/organizations/${code}` },
    'GET /organizations/{code}.csv': { path: `/organizations/${code}.csv` },
    'GET /organizations/{code}.json': { path: `/organizations/${code}.json` },
    'GET /organizations/{code}.xml': { path: `/organizations/${code}.xml` },
    'GET /suggestions': { query: `q=${text}` },
    'GET /results.csv': { query: results },
    'GET /results.geojson': { query: results },
    'GET /results.ndjson': { query: results },
    'GET /organizations/{code}/events.json': { path: `/organizations/${code}/events.json` },
    'GET /changes': { query: 'since=0001-01-01&kind=merged' },
    'GET /editions': {},
    'GET /editions/{number}': { path: '/editions/2' },
    'GET /editions/{number}/changes.csv': { path: '/editions/2/changes.csv' },
    'GET /postcode': { query: `postcode=${postcode}` },
    'GET /check-a-list': {},
    'POST /check-a-list': list,
    'POST /check-a-list.csv': list,
    'GET /practitioners/{code}': { path: `/practitioners/${practitioner}` },
    'GET /organizations/{code}/practitioners': {
      path: `/organizations/${employer}/practitioners`,
    },
    'GET /statistics': {},
    'GET /statistics/{file}': { path: '/statistics/main-roles.svg' },
    'GET /reports': {},
    'GET /api': {},
    'GET /accessibility': {},
    'GET /try-order-response': {},
    'POST /try-order-response/token': { headers: FORM_TYPE, body: '', status: 201 },
    'GET /docs': {},
    'GET /docs/search': { query: 'q=the+organisation+code' },
    'GET /docs/{path}': { path: '/docs/reference/settings' },
    'GET /favicon.ico': { status: 303 },
    'GET /robots.txt': {},
    'GET /assets/{file}': { path: openAssets(undefined).pathOf('swagger-ui-bundle') },
  };
}
