/** Every row of the search parameter table and of the error table, over HTTP, in JSON and XML. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { type Answer, type DirectoryServer, startDirectory } from './directory-server.ts';

/** What a search finds: the codes of one page of 20. */
const FOUND: readonly (readonly [query: string, codes: readonly string[]])[] = [
  ['', ['A81001', 'A81002', 'RR8', 'RR801', 'RTG', 'X1']],
  ['_id=RR8', ['RR8']],
  ['_id=rr8', []],
  ['_id=RTG,A81001', ['A81001', 'RTG']],
  ['_id=RTG%2CA81001', ['A81001', 'RTG']],
  ['_id=RTG&_id=A81001', []],
  ['identifier=rtg', ['RTG']],
  ['identifier=https://fhir.nhs.uk/Id/ods-organization-code|RTG', ['RTG']],
  ['identifier=https%3A%2F%2Ffhir.nhs.uk%2FId%2Fods-organization-code%7Crtg,RR8', ['RR8', 'RTG']],
  ['_lastUpdated=gt2017-04-01', ['A81001', 'RR8', 'RR801', 'RTG', 'X1']],
  ['_lastUpdated=gt2017-03-31', ['A81001', 'A81002', 'RR8', 'RR801', 'RTG', 'X1']],
  ['_lastUpdated=gt2017-04', ['A81001', 'RR801', 'RTG', 'X1']],
  ['_lastUpdated=gt2020', ['RTG']],
  ['_lastUpdated=gt2021,gt2020', ['RTG']],
  ['_lastUpdated=gt2019&_lastUpdated=gt2020', ['RTG']],
  ['_lastUpdated=gt2019-07-01T09:29:59Z', ['A81001', 'RR801', 'RTG', 'X1']],
  ['_lastUpdated=gt2019-07-01T09:30:00Z', ['A81001', 'RTG', 'X1']],
  ['_lastUpdated=gt2019-07-01T10:29:59%2B01:00', ['A81001', 'RR801', 'RTG', 'X1']],
  ['_lastUpdated=gt2019-07-01T10:29:59+01:00', ['A81001', 'RR801', 'RTG', 'X1']],
  ['_lastUpdated=gt2019-07-01T23:30:00%2B14:00', ['A81001', 'RTG', 'X1']],
  ['_lastUpdated=gt2019-06-30T19:29:59-14:00', ['A81001', 'RR801', 'RTG', 'X1']],
  ['_lastUpdated=gt2019-07-01T09:30:00.4Z', ['A81001', 'RR801', 'RTG', 'X1']],
  ['_lastUpdated=gt2019-07-01T09:29', ['A81001', 'RR801', 'RTG', 'X1']],
  ['name=Leeds', ['RR8', 'RR801']],
  ['name=teaching', []],
  ['name:contains=TEACHING', ['RR8']],
  ['name:contains=afe', ['A81002']],
  ['name=cafe', ['A81002']],
  ['name=Caf%C3%A9', ['A81002']],
  ['name:contains="quotes"', ['A81002']],
  ['name=one\\,two', []],
  ['name:contains=%23%25!%E2%80%99;', []],
  ['name:exact=LEEDS TEACHING HOSPITALS NHS TRUST', ['RR8']],
  ['name:exact=Leeds Teaching Hospitals NHS Trust', []],
  ['name%3Acontains=TEACHING', ['RR8']],
  ['address-city=leeds\\,', []],
  [Array.from({ length: 50 }, () => 'name=leeds').join('&&'), ['RR8', 'RR801']],
  [`_page=1&_id=${Array.from({ length: 200 }, () => 'RTG').join(',')}`, ['RTG']],
  ['name=leeds,the ', ['A81001', 'RR8', 'RR801']],
  ['name=leeds&name:contains=dental', ['RR801']],
  ['address-postalcode=LS9', ['RR8']],
  ['address-postalcode=ls6', ['A81002']],
  ['address-postalcode=LS64JN', ['A81002']],
  ['address-postalcode=LS6 4', ['A81002']],
  ['address-postalcode=LS1 1', []],
  ['address-postalcode=LS11', ['RR801']],
  ['address-postalcode=LS115', ['RR801']],
  ['address-postalcode=ls97t', ['RR8']],
  ['address-postalcode:contains=6 4J', ['A81002']],
  ['address-postalcode:contains=64J', []],
  ['address-postalcode:contains=64JN', []],
  ['address-postalcode:contains=LS64JN', ['A81002']],
  ['address-postalcode:exact=LS6 4JN', ['A81002']],
  ['address-postalcode:exact=LS64JN', []],
  ['address-city=Peter', ['A81001']],
  ['address-city:contains=er', ['A81001', 'RTG']],
  ['address-city:exact=LEEDS', ['RR8', 'RR801']],
  ['address-city:exact=Leeds', []],
  ['address-city=st. ives', ['A81002']],
  ['active=true', ['A81001', 'RR8', 'RR801', 'RTG', 'X1']],
  ['active=false', ['A81002']],
  ['active=true,false', ['A81001', 'A81002', 'RR8', 'RR801', 'RTG', 'X1']],
  ['ods-org-role=76', ['A81001']],
  ['ods-org-role=RO76', ['A81001']],
  ['ods-org-role=4711', []],
  ['ods-org-role=76&ods-org-role=177', ['A81001']],
  ['ods-org-role=197,198', ['RR8', 'RR801', 'RTG']],
  ['ods-org-role=157&ods-org-role=29,15', ['A81002']],
  ['ods-org-role=157&ods-org-primaryRole=true', ['A81002']],
  ['ods-org-role=157&ods-org-primaryRole=false', ['RR801']],
  ['ods-org-primaryRole=true&ods-org-role=197,157', ['A81002', 'RR8', 'RTG']],
  [
    'ods-org-role=https://directory.spineservices.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRole-1|RO197,198',
    ['RR8', 'RR801', 'RTG'],
  ],
  ['ods-org-role=http://directory.test/fhir/STU3/CodeSystem/ODSAPI-OrganizationRole-1|57', ['RTG']],
  ['ods-org-role=https://fhir.nhs.uk/STU3/ODSAPI-OrganizationRole-1|57', ['RTG']],
  ['ods-org-role=https://fhir.nhs.uk/FHIR/STU3/CodeSystem/ODSAPI-OrganizationRole-1|57', ['RTG']],
  [
    'ods-org-role=https://directory.spineservices.nhs.uk/STU3/STU3/CodeSystem/ODSAPI-OrganizationRole-1|57',
    ['RTG'],
  ],
  [
    'ods-org-role=https://uat.directory.spineservices.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRole-1|57',
    ['RTG'],
  ],
  [
    'ods-org-role=https://uat.directory.spineservices.nhs.uk/STU3/STU3/CodeSystem/ODSAPI-OrganizationRole-1|57',
    ['RTG'],
  ],
  [
    'ods-org-role=http://directory.test/fhir/legacy/STU3/CodeSystem/ODSAPI-OrganizationRole-1|57',
    ['RTG'],
  ],
  ['_count=2', ['A81001', 'A81002']],
  ['_count=2&_page=3', ['RTG', 'X1']],
  ['_count=2&_page=4', []],
  ['_page=99999999999999999999999', []],
  ['_edition=1&name=leeds', ['RR8', 'RR801']],
  ['active=true&name=leeds&address-city=leeds&_pretty=true', ['RR8', 'RR801']],
];

const ALPHANUMERIC_ID = 'Supplied _id must be just alphanumeric characters.';
const ALPHANUMERIC_IDENTIFIER = 'Supplied identifier must be just alphanumeric characters.';
const BAD_DATE = 'Supplied date is invalid';
const BAD_PREFIX = 'Supplied date prefix is invalid, must be gt';
const BAD_ROLE = 'Invalid FHIR ods-org-role parameter';
const MARKS = encodeURIComponent('\u0316\u0301'.repeat(500));
const BAD_COUNT = 'Supplied limit is invalid, the parameter must take an integer between 0 and 20';
const BAD_PAGE = 'page must be a number larger than 0';

/** What is refused, with the code and the diagnostics of each issue. */
const REFUSED: readonly (readonly [query: string, ...issues: [code: string, text: string][]])[] = [
  ['_id=', ['INVALID_VALUE', ALPHANUMERIC_ID]],
  ['_id=A-1', ['INVALID_VALUE', ALPHANUMERIC_ID]],
  ['_id=x|A1', ['INVALID_VALUE', ALPHANUMERIC_ID]],
  [
    'identifier=x|A1',
    [
      'INVALID_IDENTIFIER_SYSTEM',
      'Invalid identifier system. Should be https://fhir.nhs.uk/Id/ods-organization-code.',
    ],
  ],
  [
    'identifier=|A1',
    [
      'INVALID_IDENTIFIER_SYSTEM',
      'Invalid identifier system. Should be https://fhir.nhs.uk/Id/ods-organization-code.',
    ],
  ],
  ['identifier=', ['INVALID_IDENTIFIER_VALUE', ALPHANUMERIC_IDENTIFIER]],
  ['identifier=A 1', ['INVALID_IDENTIFIER_VALUE', ALPHANUMERIC_IDENTIFIER]],
  [
    'identifier=https://fhir.nhs.uk/Id/ods-organization-code|',
    ['INVALID_IDENTIFIER_VALUE', ALPHANUMERIC_IDENTIFIER],
  ],
  [
    'identifier=https://fhir.nhs.uk/Id/ods-organization-code|A|1',
    ['INVALID_IDENTIFIER_VALUE', ALPHANUMERIC_IDENTIFIER],
  ],
  ['_lastUpdated=2017', ['INVALID_VALUE', BAD_PREFIX]],
  ['_lastUpdated=ge2017', ['INVALID_VALUE', BAD_PREFIX]],
  ['_lastUpdated=gt2017-02-30', ['INVALID_VALUE', BAD_DATE]],
  ['_lastUpdated=gt2017-13', ['INVALID_VALUE', BAD_DATE]],
  ['_lastUpdated=gt2017-04-01T24:00:00Z', ['INVALID_VALUE', BAD_DATE]],
  ['_lastUpdated=gt2017-04-01T10', ['INVALID_VALUE', BAD_DATE]],
  ['_lastUpdated=gt2017-04-01T10:00:00%2B14:01', ['INVALID_VALUE', BAD_DATE]],
  ['_lastUpdated=gt2017-04-01T10:00:00%2B15:00', ['INVALID_VALUE', BAD_DATE]],
  ['_lastUpdated=', ['INVALID_VALUE', BAD_DATE]],
  ['_lastUpdated=gt', ['INVALID_VALUE', BAD_DATE]],
  ['name=ab', ['INVALID_VALUE', 'Supplied name needs a minimum of 3 Characters.']],
  ['name=', ['INVALID_VALUE', 'Supplied name needs a minimum of 3 Characters.']],
  ['name=%20%20%20%20', ['INVALID_VALUE', 'Supplied name needs a minimum of 3 Characters.']],
  ['name=leeds,', ['INVALID_VALUE', 'Supplied name needs a minimum of 3 Characters.']],
  [`name=${'x'.repeat(101)}`, ['INVALID_VALUE', 'Supplied name too long, max 100 Characters.']],
  ['name=one*two', ['INVALID_VALUE', 'Supplied name has invalid Character/s.']],
  ['name:exact=lone\\backslash', ['INVALID_VALUE', 'Supplied name has invalid Character/s.']],
  [
    'address-postalcode=L',
    ['INVALID_VALUE', 'Supplied address-postalcode is too short, min 2 characters.'],
  ],
  [
    'address-postalcode=LS11 5ABC',
    ['INVALID_VALUE', 'Supplied address-postalcode is too long, max 8 characters.'],
  ],
  [
    'address-postalcode=LS-1',
    [
      'INVALID_VALUE',
      'Supplied address-postalcode contains invalid characters, alphanumeric characters only.',
    ],
  ],
  ['address-city=L', ['INVALID_VALUE', 'Supplied address-city is too short, min 2 characters']],
  [
    `address-city=${'x'.repeat(76)}`,
    ['INVALID_VALUE', 'Supplied address-city is too long, max 75 characters'],
  ],
  [
    'address-city=%CC%81%CC%81',
    ['INVALID_VALUE', 'Supplied address-city is too short, min 2 characters'],
  ],
  [
    'ods-org-primaryRole=true&foo=1',
    [
      'INVALID_PARAMETER',
      'ods-org-role is a mandatory argument in all queries containing a ods-org-primaryRole term.',
    ],
    ['INVALID_PARAMETER', 'Unknown argument found - foo'],
  ],
  [
    'address-city=LEEDS1',
    [
      'INVALID_VALUE',
      "Supplied address-city contains invalid characters, valid characters include:  , . - ' and alphabetical characters",
    ],
  ],
  ['active=yes', ['INVALID_VALUE', 'Invalid FHIR active parameter']],
  [
    'active=http://hl7.org/fhir/special-values|true',
    ['INVALID_VALUE', 'Invalid FHIR active parameter'],
  ],
  ['active=', ['INVALID_VALUE', 'Invalid FHIR active parameter']],
  ['active=true\\', ['INVALID_VALUE', 'Invalid FHIR active parameter']],
  ['active=false\\x', ['INVALID_VALUE', 'Invalid FHIR active parameter']],
  [
    'ods-org-role=http://example.org|76',
    [
      'INVALID_CODE_SYSTEM',
      'Invalid ods-org-role parameter. Should be https://directory.spineservices.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRole-1.',
    ],
  ],
  [
    'ods-org-role=|76',
    [
      'INVALID_CODE_SYSTEM',
      'Invalid ods-org-role parameter. Should be https://directory.spineservices.nhs.uk/STU3/CodeSystem/ODSAPI-OrganizationRole-1.',
    ],
  ],
  ['ods-org-role=GP', ['INVALID_CODE_VALUE', BAD_ROLE]],
  ['ods-org-role=', ['INVALID_CODE_VALUE', BAD_ROLE]],
  [
    'ods-org-role=https://fhir.nhs.uk/STU3/ODSAPI-OrganizationRole-1|76|1',
    ['INVALID_CODE_VALUE', BAD_ROLE],
  ],
  [
    'ods-org-primaryRole=true',
    [
      'INVALID_PARAMETER',
      'ods-org-role is a mandatory argument in all queries containing a ods-org-primaryRole term.',
    ],
  ],
  [
    'ods-org-role=76&ods-org-primaryRole=true&ods-org-primaryRole=false',
    ['INVALID_PARAMETER', 'Only one ods-org-primaryRole parameter should be supplied'],
  ],
  [
    'ods-org-role=76&ods-org-primaryRole=maybe',
    ['INVALID_VALUE', 'Invalid FHIR ods-org-primaryRole parameter. Must be true or false.'],
  ],
  ['_count=21', ['INVALID_VALUE', BAD_COUNT]],
  ['_count=-1', ['INVALID_VALUE', BAD_COUNT]],
  ['_count=2.5', ['INVALID_VALUE', BAD_COUNT]],
  ['_count=', ['INVALID_VALUE', BAD_COUNT]],
  ['_page=0', ['INVALID_VALUE', BAD_PAGE]],
  ['_page=two', ['INVALID_VALUE', BAD_PAGE]],
  [
    '_edition=one',
    ['INVALID_VALUE', 'Supplied _edition is invalid, it must be the number of an edition'],
  ],
  ['_summary=true', ['INVALID_VALUE', 'Invalid _summary parameter.']],
  ['_pretty=maybe', ['INVALID_VALUE', 'Invalid _pretty parameter "maybe". Must be true or false.']],
  ['_sort=name', ['INVALID_PARAMETER', 'Unknown argument found - _sort']],
  ['_query=named', ['INVALID_PARAMETER', 'Unknown argument found - _query']],
  ['Name=leeds', ['INVALID_PARAMETER', 'Unknown argument found - Name']],
  ['name:missing=true', ['INVALID_PARAMETER', 'Unknown argument found - name:missing']],
  ['active:exact=true', ['INVALID_PARAMETER', 'Unknown argument found - active:exact']],
  ['_count=1&_count=2', ['INVALID_PARAMETER', 'Repeated _count argument.']],
  ['_page=1&_page=1&_page=1', ['INVALID_PARAMETER', 'Repeated _page argument.']],
  ['_edition=1&_edition=1', ['INVALID_PARAMETER', 'Repeated _edition argument.']],
  ['_summary=count&_summary=count', ['INVALID_PARAMETER', 'Repeated _summary argument.']],
  [
    'foo=1&name=ab&foo=2&_count=99',
    ['INVALID_PARAMETER', 'Unknown argument found - foo'],
    ['INVALID_VALUE', 'Supplied name needs a minimum of 3 Characters.'],
    ['INVALID_VALUE', BAD_COUNT],
  ],
  [`name=a${MARKS}`, ['INVALID_VALUE', 'Supplied name too long, max 100 Characters.']],
  [
    `address-postalcode=${MARKS}`,
    ['INVALID_VALUE', 'Supplied address-postalcode is too long, max 8 characters.'],
  ],
  [
    `address-city=a${MARKS}`,
    ['INVALID_VALUE', 'Supplied address-city is too long, max 75 characters'],
  ],
  [
    Array.from({ length: 51 }, () => 'name=leeds').join('&'),
    ['INVALID_PARAMETER', 'More than 50 parameters were supplied; at most 50 are allowed.'],
  ],
  [
    `_id=${Array.from({ length: 201 }, () => 'A1').join(',')}`,
    ['INVALID_PARAMETER', '201 values were supplied; at most 200 are allowed.'],
  ],
  [
    `_page=${','.repeat(201)}`,
    ['INVALID_PARAMETER', '202 values were supplied; at most 200 are allowed.'],
  ],
];

/** What details.text suggests for the first problem of a search. */
const EMPTY_ALTERNATIVE =
  'A comma separates alternatives, and one of them is empty. Write \\, for a comma in a value.';

const HINTS: readonly (readonly [query: string, hint: string])[] = [
  ['Name=leeds', unknown('Name', 'name')],
  [
    'name:Contains=leeds',
    'Unknown search parameter "name:Contains". Did you mean "name:contains"? The search parameters are name, name:contains, name:exact.',
  ],
  ['adress-city=leeds', unknown('adress-city', 'address-city')],
  ['roleCode=RO197', unknown('roleCode', 'ods-org-role')],
  ['_offset=20', unknown('_offset', '_page')],
  ['_lastUpdated=01/02/2026', 'Write gt and a date, such as _lastUpdated=gt2026-02-01.'],
  ['colour=red', unknown('colour')],
  ['_summary=true', 'Unknown value "true" of _summary. The values are count, false.'],
  ['name=leeds,', EMPTY_ALTERNATIVE],
  ['name=,leeds', EMPTY_ALTERNATIVE],
  ['name:contains=leeds,,dental', EMPTY_ALTERNATIVE],
  ['address-city=,leeds', EMPTY_ALTERNATIVE],
  ['address-postalcode=LS1,', EMPTY_ALTERNATIVE],
  ['_id=RTG,', EMPTY_ALTERNATIVE],
  ['identifier=RTG,%20', EMPTY_ALTERNATIVE],
  ['active=true,', EMPTY_ALTERNATIVE],
  ['ods-org-role=76,', EMPTY_ALTERNATIVE],
  ['_lastUpdated=gt2020,', EMPTY_ALTERNATIVE],
];

function unknown(sent: string, nearest?: string): string {
  const meant = nearest === undefined ? '' : `Did you mean "${nearest}"? `;
  const list = 'See http://directory.test/fhir/STU3/metadata for the list of search parameters.';
  return `Unknown search parameter "${sent}". ${meant}${list}`;
}

const ISSUE_CODES: Readonly<Record<string, [code: string, display: string]>> = {
  INVALID_CODE_SYSTEM: ['code-invalid', 'Invalid code system'],
  INVALID_CODE_VALUE: ['code-invalid', 'Invalid code value'],
  INVALID_IDENTIFIER_SYSTEM: ['code-invalid', 'Invalid identifier system'],
  INVALID_IDENTIFIER_VALUE: ['code-invalid', 'Invalid identifier value'],
  INVALID_PARAMETER: ['invalid', 'Invalid parameter'],
  INVALID_VALUE: ['invalid', 'An input field has an invalid value for its type'],
};

for (const format of ['json', 'xml'] as const) {
  describe(`a search, answered in ${format}`, () => {
    let server: DirectoryServer;
    before(async () => {
      server = await startDirectory();
    });
    after(() => server.close());

    const search = (query: string) =>
      server.get(`Organization?${query.replaceAll(' ', '%20')}`, {
        accept: `application/fhir+${format}`,
      });

    for (const [query, codes] of FOUND) {
      it(`${query || 'without parameters'} finds ${codes.join(', ') || 'nothing'}`, async () => {
        const answer = await search(query);
        assert.equal(answer.status, 200, answer.text);
        const bundle = resourceOf(answer);
        assert.equal(bundle.type, 'searchset');
        const found = (bundle.entry ?? []).map((entry) => entry.resource.id);
        assert.deepEqual(found, codes);
        for (const { fullUrl, resource, search } of bundle.entry ?? []) {
          assert.equal(fullUrl, `http://directory.test/fhir/STU3/Organization/${resource.id}`);
          assert.deepEqual(search, { mode: 'match' });
        }
        if (codes.length === 0) assert.equal(bundle.entry, undefined);
      });
    }

    for (const [query, ...issues] of REFUSED) {
      it(`${query.slice(0, 80)} is refused`, async () => {
        const answer = await search(query);
        assert.equal(answer.status, 400, answer.text);
        const outcome = resourceOf(answer);
        assert.match(
          outcome.id,
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        assert.deepEqual(outcome.meta, {
          profile: ['https://fhir.nhs.uk/STU3/StructureDefinition/Spine-OperationOutcome-1'],
        });
        const expected = issues.map(([detail, diagnostics]) => {
          const [code, display] = ISSUE_CODES[detail]!;
          const system = 'https://fhir.nhs.uk/STU3/CodeSystem/Spine-ErrorOrWarningCode-1';
          return {
            severity: 'error',
            code,
            details: { coding: [{ system, code: detail, display }] },
            diagnostics,
          };
        });
        for (const { location } of outcome.issue ?? []) {
          if (issues[0]?.[1]?.includes('were supplied')) continue;
          assert.equal(location?.length, 1);
          const name = location?.[0]?.replace('http.', '');
          assert.ok(`&${query}`.includes(`&${name}=`), `${name} is in ${query}`);
        }
        assert.deepEqual(
          outcome.issue?.map(({ location: _, details: { text: __, ...details }, ...issue }) => ({
            ...issue,
            details,
          })),
          expected,
        );
      });
    }

    for (const [query, hint] of HINTS) {
      it(`${query} is answered with the hint ${hint}`, async () => {
        const [issue] = resourceOf(await search(query)).issue ?? [];
        assert.equal(issue?.details.text, hint);
      });
    }

    it('_summary=false finds the same as without it', async () => {
      const plain = resourceOf(await search('name=leeds'));
      const bundle = resourceOf(await search('name=leeds&_summary=false'));
      assert.deepEqual([bundle.total, bundle.entry], [plain.total, plain.entry]);
      assert.match(bundle.link?.[0]?.url ?? '', /_summary=false/);
    });

    it('the self link of a page after every other one has its number', async () => {
      for (const number of ['9007199254740991', '9007199254740993', '99999999999999999999']) {
        const { link = [] } = resourceOf(await search(`_count=2&_page=${number}`));
        assert.match(link[0]?.url ?? '', new RegExp(`_page=${number}$`));
      }
    });

    for (const query of ['_summary=count', '_count=0', '_summary=count&_count=5&_page=2']) {
      it(`${query} gives only the total and the self link`, async () => {
        const bundle = resourceOf(await search(`${query}&name=leeds`));
        assert.equal(bundle.total, 2);
        assert.equal(bundle.entry, undefined);
        assert.deepEqual(
          bundle.link?.map(({ relation }) => relation),
          ['self'],
        );
        assert.match(bundle.link?.[0]?.url ?? '', /_summary=count/);
      });
    }
  });
}

/** As much of a Bundle or OperationOutcome as these tests look at. */
interface Parsed {
  readonly id: string;
  readonly meta: unknown;
  readonly type?: string;
  readonly total?: number;
  readonly link?: readonly { relation: string; url: string }[];
  readonly entry?: readonly { fullUrl: string; resource: { id: string }; search: unknown }[];
  readonly issue?: readonly {
    location?: readonly string[];
    details: { coding: unknown; text?: string };
  }[];
}

/** The resource of an answer, which must be valid by the definitions. */
function resourceOf(answer: Answer): Parsed {
  const isJson = answer.headers.get('content-type')?.includes('json');
  const decode = isJson ? decodeJson : decodeXml;
  const { resource, findings } = decode(Buffer.from(answer.text), STU3.definitions);
  assert.deepEqual(findings, []);
  return resource as unknown as Parsed;
}
