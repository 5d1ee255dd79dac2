/** The dearest requests for code systems and value sets: by GET and by POST, of all and of one. */
import { DIRECTORY } from '../ask.ts';
import { type EndpointCase, type EndpointCases, FORM_TYPE, PRETTY, R4_PAGE } from './case.ts';

const SYSTEM = DIRECTORY.organizationCodeSystem;
const SYSTEM_TEXT = encodeURIComponent(SYSTEM);
const CODINGS_COUNT = 1000;

export function terminologyCases({ code }: { readonly code: string }): EndpointCases {
  return {
    ...definitionCases('CodeSystem'),
    ...definitionCases('ValueSet'),
    ...lookUpCases(code),
    ...validateCases('CodeSystem', code),
    ...validateCases('ValueSet', code),
    ...subsumesCases(code),
    ...expandCases(),
  };
}

function definitionCases(type: string): EndpointCases {
  return {
    [`GET /R4/${type}`]: { query: R4_PAGE },
    [`GET /R4/${type}/{id}`]: { path: `/R4/${type}/ODSOrganisationRole`, query: PRETTY },
    [`POST /R4/${type}/_search`]: { headers: FORM_TYPE, body: R4_PAGE },
  };
}

function lookUpCases(code: string): EndpointCases {
  return {
    'GET /R4/CodeSystem/$lookup': { query: `system=${SYSTEM_TEXT}&code=${code}&property=*` },
    'POST /R4/CodeSystem/$lookup': parameters(
      { name: 'system', valueUri: SYSTEM },
      { name: 'code', valueCode: code },
      { name: 'property', valueCode: '*' },
    ),
  };
}

function validateCases(type: 'CodeSystem' | 'ValueSet', code: string): EndpointCases {
  const codings = Array.from({ length: CODINGS_COUNT }, (_, at) => ({
    system: SYSTEM,
    code: `X${at}`,
  }));
  const concept = { name: 'codeableConcept', valueCodeableConcept: { coding: codings } };
  const url = type === 'CodeSystem' ? SYSTEM : `${SYSTEM}/vs`;
  const path = `/R4/${type}/ods-organization-code/$validate-code`;
  const system = type === 'CodeSystem' ? '' : `&system=${SYSTEM_TEXT}`;
  return {
    [`GET /R4/${type}/$validate-code`]: {
      query: `url=${encodeURIComponent(url)}&code=${code}${system}`,
    },
    [`POST /R4/${type}/$validate-code`]: parameters({ name: 'url', valueUri: url }, concept),
    [`GET /R4/${type}/{id}/$validate-code`]: { path, query: `code=${code}${system}` },
    [`POST /R4/${type}/{id}/$validate-code`]: { ...parameters(concept), path },
  };
}

function subsumesCases(code: string): EndpointCases {
  const path = '/R4/CodeSystem/ods-organization-code/$subsumes';
  const query = `codeA=${code}&codeB=${code}`;
  const both = [
    { name: 'codeA', valueCode: code },
    { name: 'codeB', valueCode: code },
  ];
  return {
    'GET /R4/CodeSystem/$subsumes': { query: `system=${SYSTEM_TEXT}&${query}` },
    'POST /R4/CodeSystem/$subsumes': parameters({ name: 'system', valueUri: SYSTEM }, ...both),
    'GET /R4/CodeSystem/{id}/$subsumes': { path, query },
    'POST /R4/CodeSystem/{id}/$subsumes': { ...parameters(...both), path },
  };
}

/** As many codes as an expansion can have with so many properties. */
function expandCases(): EndpointCases {
  const names = 'name role ICB NHSER telephone address1 successor predecessor uprn inactive'.split(
    ' ',
  );
  const filter = [{ property: 'lastChangeDate', op: '=', value: 'ge1900-01-01' }];
  const compose = { include: [{ system: SYSTEM, filter }] };
  const path = '/R4/ValueSet/ods-organization-code/$expand';
  const query = `_format=xml&count=1000&${names.map((name) => `property=${name}`).join('&')}`;
  return {
    'GET /R4/ValueSet/$expand': { query: `url=${encodeURIComponent(`${SYSTEM}/vs`)}&${query}` },
    'POST /R4/ValueSet/$expand': {
      ...parameters({
        name: 'valueSet',
        resource: { resourceType: 'ValueSet', status: 'active', compose },
      }),
      query,
    },
    'GET /R4/ValueSet/{id}/$expand': { path, query },
    'POST /R4/ValueSet/{id}/$expand': {
      ...parameters({ name: 'activeOnly', valueBoolean: true }),
      path,
      query,
    },
  };
}

function parameters(...parameter: object[]): EndpointCase {
  return {
    headers: { 'content-type': 'application/fhir+json' },
    body: JSON.stringify({ resourceType: 'Parameters', parameter }),
  };
}
