/** The dearest request that is known for each endpoint: a method and a path. */
import { DIRECTORY } from '../ask.ts';
import { MCP_BODY, NAMES, REPORT_LIST, tableOf } from './bodies.ts';
import {
  type CaseFacts,
  type EndpointCases,
  FORM_TYPE,
  JSON_TYPE,
  PRETTY,
  R4_PAGE,
} from './case.ts';
import { orderCases } from './order-cases.ts';
import { pageCases } from './page-cases.ts';
import { terminologyCases } from './terminology-cases.ts';

const CSV_TYPE = { 'content-type': 'text/csv' };

export function casesOf(facts: CaseFacts): EndpointCases {
  return {
    ...stu3Cases('/STU3', facts),
    ...stu3Cases('/legacy/STU3', facts),
    ...downloadCases(),
    ...r4Cases(facts),
    ...terminologyCases(facts),
    ...ordCases(facts),
    ...reportCases(facts),
    ...questionCases(),
    ...orderCases(facts),
    ...pageCases(facts),
  };
}

const STU3_PAGE = `_count=${DIRECTORY.countMax}&${PRETTY}`;

function stu3Cases(base: string, { code }: CaseFacts): EndpointCases {
  const definitions = ['CodeSystem', 'ValueSet'].map((type) => {
    const query = PRETTY;
    const path = `${base}/${type}/ODSAPI-OrganizationRole-1`;
    return {
      [`GET ${base}/${type}`]: { query },
      [`GET ${base}/${type}/{id}`]: { path, query: PRETTY },
      [`POST ${base}/${type}/_search`]: { headers: FORM_TYPE, body: query },
    };
  });
  return Object.assign(
    {
      [`GET ${base}/Organization`]: { query: STU3_PAGE },
      [`GET ${base}/Organization/{id}`]: { path: `${base}/Organization/${code}`, query: PRETTY },
      [`POST ${base}/Organization/_search`]: {
        headers: FORM_TYPE,
        body: `name:contains=the&${STU3_PAGE}`,
      },
      [`GET ${base}/SearchParameter/{id}`]: {
        path: `${base}/SearchParameter/Gazetteer-Organization-Near-1`,
        query: PRETTY,
      },
      [`GET ${base}/metadata`]: { query: PRETTY },
    },
    ...definitions,
  );
}

function downloadCases(): EndpointCases {
  const names = ['ndjson', 'xml', 'sqlite', 'parquet.zip'];
  return Object.fromEntries(names.map((name) => [`GET /editions/current.${name}`, {}]));
}

const REVERSE = ['primary', 'participating']
  .map((name) => `_revinclude=OrganizationAffiliation:${name}-organization`)
  .join('&');
const INCLUDE = REVERSE.replaceAll('_revinclude', '_include');

function r4Cases({ code, affiliation, version }: CaseFacts): EndpointCases {
  const affiliations = '/R4/OrganizationAffiliation';
  const organizations = '/R4/Organization';
  return {
    [`GET ${organizations}`]: { query: R4_PAGE },
    [`GET ${organizations}/{id}`]: { path: `${organizations}/${code}`, query: PRETTY },
    [`POST ${organizations}/_search`]: {
      headers: FORM_TYPE,
      // More matches would have more affiliations than a page may.
      body: `name=surgery&_count=100&${PRETTY}&${REVERSE}`,
    },
    [`GET ${organizations}/{id}/_history/{version}`]: {
      path: `${organizations}/${code}/_history/${version}`,
      query: PRETTY,
    },
    [`GET ${affiliations}`]: { query: `${R4_PAGE}&${INCLUDE}` },
    [`GET ${affiliations}/{id}`]: { path: `${affiliations}/${affiliation}`, query: PRETTY },
    [`POST ${affiliations}/_search`]: {
      headers: FORM_TYPE,
      body: `participating-organization=${code}&${INCLUDE}&${R4_PAGE}`,
    },
    [`GET ${affiliations}/{id}/_history/{version}`]: {
      path: `${affiliations}/${affiliation}/_history/${version}`,
      query: PRETTY,
    },
    'GET /R4/List': { query: R4_PAGE },
    'GET /R4/List/{id}': { path: '/R4/List/Organization-deletion', query: PRETTY },
    'POST /R4/List/_search': { headers: FORM_TYPE, body: R4_PAGE },
    'GET /R4/metadata': { query: PRETTY },
  };
}

function ordCases({ code }: CaseFacts): EndpointCases {
  const base = '/ORD/2-0-0';
  return {
    [`GET ${base}/organisations/{code}`]: {
      path: `${base}/organisations/${code}`,
      query: '_format=xml',
    },
    [`GET ${base}/organisations`]: { query: 'Limit=1000&Name=the&_format=xml' },
    [`GET ${base}/sync`]: { query: 'LastChangeDate=2000-01-01&_format=xml' },
    [`GET ${base}/roles`]: {},
    [`GET ${base}/roles/{id}`]: { path: `${base}/roles/RO177` },
    [`GET ${base}/rels`]: {},
    [`GET ${base}/rels/{id}`]: { path: `${base}/rels/RE4` },
    [`GET ${base}/recordclasses`]: {},
    [`GET ${base}/recordclasses/{id}`]: { path: `${base}/recordclasses/RC1` },
  };
}

function reportCases({ code }: CaseFacts): EndpointCases {
  const json = (value: object) => ({ headers: JSON_TYPE, body: JSON.stringify(value) });
  return {
    'GET /api/getReport': { query: `report=${REPORT_LIST}` },
    'POST /api/search/organisationReportSearch': json({ batchSize: 100_000 }),
    'POST /api/search/organisationGeneralSearch': json({
      searchQueryGeneral: 'the',
      batchSize: 100_000,
    }),
    'POST /api/search/practitionerGeneralSearch': json({
      searchQueryGeneral: 'testperson',
      batchSize: 100_000,
    }),
    'GET /api/search/singleOrganisationSearchByCode': { query: `code=${code}` },
    'GET /assets/ods/current/{file}': { path: '/assets/ods/current/succ.zip' },
  };
}

function questionCases(): EndpointCases {
  const few = (name: string, column: string, values: readonly string[]) =>
    [`GET /${name}`, { query: values.map((value) => `${column}=${value}`).join('&') }] as const;
  const table = (name: string, column: string, values: readonly string[]) =>
    [`POST /${name}`, { headers: CSV_TYPE, body: tableOf(column, values) }] as const;
  const codes = Array.from({ length: 1000 }, (_, at) => `A${80_001 + at}`);
  const postcodes = Array.from({ length: 1000 }, (_, at) => `LS${1 + (at % 29)} ${at % 9}AP`);
  return {
    ...Object.fromEntries([
      few('resolve', 'code', codes.slice(0, 50)),
      table('resolve', 'code', codes),
      few('hierarchy', 'code', codes.slice(0, 50)),
      table('hierarchy', 'code', codes),
      few('match', 'name', NAMES.slice(0, 50).map(encodeURIComponent)),
      table('match', 'name', NAMES),
      few('postcodes', 'postcode', postcodes.slice(0, 50).map(encodeURIComponent)),
      table('postcodes', 'postcode', postcodes),
    ]),
    'GET /postcodes/{postcode}': { path: '/postcodes/LS1%204AP' },
    'GET /roles': {},
    'GET /events': { query: 'since=0001-01-01&kind=merged' },
    'POST /mcp': {
      headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream' },
      body: MCP_BODY,
    },
    'GET /openapi.json': {},
  };
}
