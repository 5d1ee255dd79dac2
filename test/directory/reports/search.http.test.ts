/** The JSON searches of Data Search and Export: their members, criteria, pages and errors. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ORGANISATION_MEMBERS } from '../../../src/interfaces/reports/search/organisation-members.ts';
import { startDirectory } from '../directory-server.ts';
import {
  SEARCH_EDITION,
  SEARCH_RECORDS,
  type SearchServer,
  startSearches,
} from './search-records.ts';

const REPORT = 'organisationReportSearch';
const GENERAL = 'organisationGeneralSearch';

/** Written by hand from the record. */
const PRACTICE = {
  id: 'A81001',
  name: 'THE DENSHAM SURGERY',
  inactive: false,
  country: 'ENGLAND',
  role: ['RO76', 'RO999'],
  roleName: ['GP PRACTICE', null],
  nonPrimaryRoleOpStartDates: ['2005-01-01', null],
  primaryRole: 'RO177',
  primaryRoleName: 'PRESCRIBING COST CENTRE',
  opStartDate: '2001-04-01',
  opEndDate: '2027-03-31',
  legStartDate: '1999-04-01',
  legEndDate: '2027-06-30',
  assigningAuth: 'HSCIC',
  orgRecordClass: 'RC1',
  refOnly: false,
  status: 'Active',
  address1: 'THE HEALTH CENTRE',
  address2: 'LAWSON STREET',
  address3: 'BACK DOOR, FIRST FLOOR',
  town: 'LEEDS',
  postcode: 'LS1 4AP',
  telephone: '0113 000001',
  lastChangeDate: '2026-10-02',
  uprn: '100012345678',
  LSOA11: 'E01033010',
  LA: 'E08000035',
  LAName: 'Leeds',
  GOR: 'E12000003',
  GORName: 'Yorkshire and The Humber',
  RE2: 'RR8',
  RE3: 'Y63',
  RE4: '15F',
  RE6: 'RR8',
  RE8: ['U10002'],
  RE9: ['GONE1', 'RR8'],
  RE11: 'QWO',
  isASubDivisionOfName: 'LEEDS TEACHING HOSPITALS NHS TRUST',
  isASubDivisionOfPrimaryRoleName: 'NHS TRUST',
  isASubDivisionOfLegalStartDate: '2001-05-01',
  isASubDivisionOfLegalEndDate: '2030-01-31',
  isDirectedByName: 'NORTH EAST AND YORKSHIRE',
  isDirectedByPrimaryRoleName: 'NHS ENGLAND (REGION)',
  isDirectedByLegalStartDate: '2002-04-01',
  isDirectedByLegalEndDate: '2030-02-28',
  isCommissionedByName: 'NHS WEST YORKSHIRE ICB - 15F',
  isCommissionedByPrimaryRoleName: 'CLINICAL COMMISSIONING GROUP',
  isCommissionedByLegalStartDate: '2020-05-01',
  isCommissionedByLegalEndDate: '2030-03-31',
  isOperatedByName: 'LEEDS TEACHING HOSPITALS NHS TRUST',
  isOperatedByPrimaryRoleName: 'NHS TRUST',
  isOperatedByLegalStartDate: '2003-04-01',
  isOperatedByLegalEndDate: '2030-04-30',
  isPartnerToCode: ['U10002'],
  isPartnerToName: ['LEEDS PCN'],
  isPartnerToPrimaryRoleName: ['PRIMARY CARE NETWORK'],
  isPartnerToLegalStartDate: ['2022-04-01'],
  isPartnerToLegalEndDate: ['2026-11-30'],
  isNominatedPayeeForCode: ['GONE1', 'RR8'],
  isNominatedPayeeForName: [null, 'LEEDS TEACHING HOSPITALS NHS TRUST'],
  isNominatedPayeeForPrimaryRoleName: ['NON-NHS ORGANISATION', 'NHS TRUST'],
  isNominatedPayeeForLegalStartDate: ['2005-04-01', '2004-04-01'],
  isNominatedPayeeForLegalEndDate: ['2030-05-31', null],
  isConstituentOfName: 'WEST YORKSHIRE ICB',
  isConstituentOfPrimaryRoleName: 'INTEGRATED CARE BOARD',
  isConstituentOfLegalStartDate: '2006-04-01',
  isConstituentOfLegalEndDate: '2030-06-30',
  ICB: 'QWO',
  ICBName: 'WEST YORKSHIRE ICB',
  NHSER: 'Y63',
  NHSERName: 'NORTH EAST AND YORKSHIRE',
};

const CODES = SEARCH_RECORDS.filter((record) => !record.isReferenceOnly).map(({ code }) => code);
const ACTIVE = SEARCH_RECORDS.filter((each) => each.isActive && !each.isReferenceOnly);

/** Every member of the body, as programs send those that they do not need. */
const EMPTY = {
  searchQueryName: '',
  searchQueryCode: '',
  searchQueryAddress: '',
  searchQueryTown: '',
  searchQueryPostCode: '',
  searchQueryPrimaryRoleCodes: '',
  searchQueryNonPrimaryRoleCodes: null,
  searchQueryIsActive: '',
  lastChangeDateStart: '',
  lastChangeDateEnd: '',
};

const FOUND: readonly (readonly [search: string, body: object, codes: readonly string[]])[] = [
  [REPORT, {}, CODES],
  [REPORT, EMPTY, CODES],
  [REPORT, { somethingElse: [1], offset: 0 }, CODES],
  [REPORT, { searchQueryName: 'leeds' }, ['OLD1', 'RR8', 'U10002']],
  [REPORT, { searchQueryName: ' cafe ' }, ['A81002']],
  [REPORT, { searchQueryCode: 'a81001' }, ['A81001']],
  [REPORT, { searchQueryCode: 'rr8, A81002,NONE,' }, ['A81002', 'RR8']],
  [REPORT, { searchQueryCode: 'REF1' }, []],
  [REPORT, { searchQueryAddress: 'wales' }, ['RR8']],
  [REPORT, { searchQueryAddress: 'ls10' }, ['A81002']],
  [REPORT, { searchQueryTown: 'ives' }, ['A81002']],
  [REPORT, { searchQueryPostCode: 'LS1' }, ['A81001', 'A81002']],
  [REPORT, { searchQueryPostCode: 'ls14ap' }, ['A81001']],
  [REPORT, { searchQueryPostCode: 'ls1 4' }, ['A81001']],
  [REPORT, { searchQueryPostCode: 'LS' }, ['A81001', 'A81002', 'RR8']],
  [REPORT, { searchQueryPrimaryRoleCodes: 'RO197' }, ['RR8']],
  [REPORT, { searchQueryPrimaryRoleCodes: 'RO98,ro197' }, ['15F', 'NEW1', 'OLD1', 'RR8']],
  [REPORT, { searchQueryPrimaryRoleCodes: '318' }, ['QWO']],
  [REPORT, { searchQueryPrimaryRoleCodes: 'RO76' }, []],
  [REPORT, { searchQueryPrimaryRoleCodes: 'RO12345' }, []],
  [REPORT, { searchQueryNonPrimaryRoleCodes: 'RO76' }, ['A81001', 'A81002']],
  [REPORT, { searchQueryNonPrimaryRoleCodes: 'RO80,RO29' }, ['A81001']],
  [REPORT, { searchQueryIsActive: 'Active' }, ACTIVE.map(({ code }) => code)],
  [REPORT, { searchQueryIsActive: 'inactive' }, ['A81002', 'OLD1', 'U10001']],
  [REPORT, { searchQueryIsActive: 'All (Status)' }, CODES],
  [REPORT, { lastChangeDateStart: '2021-06-30' }, ['A81001', 'A81002']],
  [REPORT, { lastChangeDateStart: '2021-07-01' }, ['A81001']],
  [REPORT, { lastChangeDateStart: '2021-01-01', lastChangeDateEnd: '2021-06-30' }, ['A81002']],
  [REPORT, { lastChangeDateEnd: '2020-01-14' }, []],
  [REPORT, { searchQueryName: 'leeds', searchQueryPrimaryRoleCodes: 'RO197' }, ['RR8']],
  [REPORT, { searchQueryTown: 'leeds', batchSize: '1', offset: '1' }, ['RR8']],
  [REPORT, { offset: CODES.length }, []],
  [REPORT, { offset: 1e15 }, []],
  [GENERAL, { searchQueryGeneral: 'rr8' }, ['RR8']],
  [REPORT, { searchQueryPostCode: 'ls14a' }, ['A81001']],
  [GENERAL, { searchQueryGeneral: 'LS1' }, ['A81001', 'A81002', 'X1']],
  [GENERAL, { searchQueryGeneral: 'LS' }, ['A81001', 'A81002', 'RR8']],
  [GENERAL, { searchQueryGeneral: 'LS9 7TF' }, ['RR8']],
  [GENERAL, { searchQueryGeneral: 'pcn' }, ['U10001', 'U10002', 'U10003']],
  [GENERAL, { searchQueryGeneral: 'pcn', offset: 1, batchSize: 1 }, ['U10002']],
  [GENERAL, { searchQueryGeneral: 'pcn', offset: 3 }, []],
  [GENERAL, { searchQueryGeneral: 'nothing at all' }, []],
];

const CODES_RULE = 'must be codes of letters and digits, separated by commas.';
const BATCH_RULE = 'batchSize must be a whole number, from 1 to 100,000.';
const OFFSET_RULE = 'offset must be a whole number, 0 or more.';

/** Bodies that are not texts are sent as JSON. */
const REFUSED: readonly (readonly [body: unknown, error: string])[] = [
  ['', 'The body is not valid JSON. Unexpected end of JSON input.'],
  ['[]', 'The body must be a JSON object, such as {"batchSize": 1000}.'],
  ['null', 'The body must be a JSON object, such as {"batchSize": 1000}.'],
  ['"a"', 'The body must be a JSON object, such as {"batchSize": 1000}.'],
  [{ searchQueryName: 'le' }, 'searchQueryName must be a text of 3 to 100 characters. Got "le".'],
  [{ searchQueryName: 5 }, 'searchQueryName must be a text of 3 to 100 characters. Got 5.'],
  [{ searchQueryName: ['a'] }, 'searchQueryName must be a text of 3 to 100 characters. Got ["a"].'],
  [{ searchQueryName: '   ' }, 'searchQueryName must be a text of 3 to 100 characters. Got "   ".'],
  [
    { searchQueryName: '\u0301\u0301\u0301' },
    'searchQueryName must be a text of 3 to 100 characters. Got "\u0301\u0301\u0301".',
  ],
  [{ searchQueryTown: 'x' }, 'searchQueryTown must be a text of 2 to 75 characters. Got "x".'],
  [{ searchQueryAddress: {} }, 'searchQueryAddress must be a text of 2 to 100 characters. Got {}.'],
  [
    { searchQueryPostCode: 'LS1 4AP 1' },
    'searchQueryPostCode must be a text of 2 to 8 characters. Got "LS1 4AP 1".',
  ],
  [{ searchQueryCode: 'A B' }, `searchQueryCode ${CODES_RULE} Got "A B".`],
  [{ searchQueryCode: 7 }, `searchQueryCode ${CODES_RULE} Got 7.`],
  [{ searchQueryPrimaryRoleCodes: ',' }, `searchQueryPrimaryRoleCodes ${CODES_RULE} Got ",".`],
  [
    { searchQueryPrimaryRoleCodes: ['RO177'] },
    `searchQueryPrimaryRoleCodes ${CODES_RULE} Got ["RO177"].`,
  ],
  [
    { searchQueryNonPrimaryRoleCodes: 'RO1,'.repeat(201) },
    'searchQueryNonPrimaryRoleCodes has 201 codes. At most 200 are allowed.',
  ],
  [
    { searchQueryIsActive: 'open' },
    'searchQueryIsActive must be Active, Inactive or All (Status). Got "open".',
  ],
  [
    { searchQueryIsActive: true },
    'searchQueryIsActive must be Active, Inactive or All (Status). Got true.',
  ],
  [
    { lastChangeDateStart: '2026-02-30' },
    'lastChangeDateStart must be a date YYYY-MM-DD. Got "2026-02-30".',
  ],
  [{ lastChangeDateEnd: 20260101 }, 'lastChangeDateEnd must be a date YYYY-MM-DD. Got 20260101.'],
  [{ getNumberOfRecords: 1 }, 'getNumberOfRecords must be true or false. Got 1.'],
  [{ batchSize: 0 }, `${BATCH_RULE} Got 0.`],
  [{ batchSize: -1 }, `${BATCH_RULE} Got -1.`],
  [{ batchSize: 1e9 }, `${BATCH_RULE} Got 1000000000.`],
  [{ batchSize: 1.5 }, `${BATCH_RULE} Got 1.5.`],
  [{ batchSize: '1e3' }, `${BATCH_RULE} Got "1e3".`],
  [{ batchSize: true }, `${BATCH_RULE} Got true.`],
  [{ batchSize: [10] }, `${BATCH_RULE} Got [10].`],
  [{ offset: -1 }, `${OFFSET_RULE} Got -1.`],
  ['{"offset": 1e999}', `${OFFSET_RULE} Got null.`],
];

describe('a search of Data Search and Export', () => {
  let server: SearchServer;
  before(async () => {
    server = await startSearches();
  });
  after(() => server.close());

  const search = async (name: string, body: object) => {
    const { status, text } = await server.search(name, body);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const codesOf = ({ orgArray }: { orgArray: { id: string }[] }) => orgArray.map(({ id }) => id);

  it('answers every member of an organisation with the value of the record', async () => {
    const { headers, text } = await server.search(REPORT, { searchQueryCode: 'A81001' });
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('etag'), null);
    assert.deepEqual(JSON.parse(text), {
      orgArray: [PRACTICE],
      orgCodeSystemUpdatedAt: '2026-09-01T10:00:00.000Z',
    });
    assert.deepEqual(
      Object.keys(PRACTICE),
      ORGANISATION_MEMBERS.map(([name]) => name),
    );
  });

  it('leaves out what the record does not have, and answers the last relationships of a closed one', async () => {
    const { orgArray } = await search(REPORT, { searchQueryCode: 'A81002' });
    assert.deepEqual(orgArray, [
      {
        id: 'A81002',
        name: 'CAFÉ CLINIC',
        inactive: true,
        role: ['RO76'],
        roleName: ['GP PRACTICE'],
        nonPrimaryRoleOpStartDates: ['2001-04-01'],
        primaryRole: 'RO177',
        primaryRoleName: 'PRESCRIBING COST CENTRE',
        opStartDate: '2001-04-01',
        opEndDate: '2021-06-30',
        assigningAuth: 'HSCIC',
        orgRecordClass: 'RC1',
        refOnly: false,
        status: 'Inactive',
        town: 'ST. IVES',
        postcode: 'LS10 1AA',
        lastChangeDate: '2021-06-30',
        RE4: '15F',
        RE8: [],
        RE9: [],
        isCommissionedByName: 'NHS WEST YORKSHIRE ICB - 15F',
        isCommissionedByPrimaryRoleName: 'CLINICAL COMMISSIONING GROUP',
        isCommissionedByLegalStartDate: '2020-04-01',
        isCommissionedByLegalEndDate: '2021-06-30',
        isPartnerToCode: [],
        isPartnerToName: [],
        isPartnerToPrimaryRoleName: [],
        isPartnerToLegalStartDate: [],
        isPartnerToLegalEndDate: [],
        isNominatedPayeeForCode: [],
        isNominatedPayeeForName: [],
        isNominatedPayeeForPrimaryRoleName: [],
        isNominatedPayeeForLegalStartDate: [],
        isNominatedPayeeForLegalEndDate: [],
        ICB: 'QWO',
        ICBName: 'WEST YORKSHIRE ICB',
        NHSER: 'Y63',
        NHSERName: 'NORTH EAST AND YORKSHIRE',
      },
    ]);
  });

  for (const [name, body, codes] of FOUND) {
    it(`${name} ${JSON.stringify(body)} finds ${codes.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(codesOf(await search(name, body)), codes);
    });
  }

  it('has pages that together are all matches, each once', async () => {
    for (const batchSize of [1, 2, 3, 7, CODES.length]) {
      const found: string[] = [];
      for (;;) {
        const page = codesOf(await search(REPORT, { offset: found.length, batchSize }));
        found.push(...page);
        if (page.length < batchSize) break;
      }
      assert.deepEqual(found, CODES);
    }
  });

  it('counts all matches if the body asks for their number', async () => {
    for (const wanted of [true, 'true']) {
      const body = { searchQueryTown: 'leeds', batchSize: 1, getNumberOfRecords: wanted };
      const { orgArray, numberOfRecords } = await search(REPORT, body);
      assert.deepEqual([orgArray.length, numberOfRecords], [1, 2]);
    }
    const general = { searchQueryGeneral: 'pcn', batchSize: 2, getNumberOfRecords: true };
    assert.equal((await search(GENERAL, general)).numberOfRecords, 3);
    const body = { searchQueryTown: 'leeds', getNumberOfRecords: false };
    assert.equal((await search(REPORT, body)).numberOfRecords, undefined);
  });

  for (const [body, error] of REFUSED) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    it(`refuses ${text.slice(0, 60) || 'an empty body'}`, async () => {
      const answer = await server.search(REPORT, text);
      assert.deepEqual([answer.status, JSON.parse(answer.text)], [400, { error }]);
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    });
  }

  it('refuses JSON that is cut off, bytes that are not UTF-8, and a general search for nothing', async () => {
    const cut = await server.search(REPORT, '{"offset":');
    assert.equal(cut.status, 400);
    assert.match(cut.text, /^\{"error":"The body is not valid JSON\. Unexpected end/);
    const bytes = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d);
    const headers = { 'content-type': 'application/json' };
    const other = await server.post(`/fhir/api/search/${REPORT}`, bytes, headers);
    const error = 'The body is not valid JSON. It is not UTF-8.';
    assert.deepEqual([other.status, JSON.parse(other.text)], [400, { error }]);
    for (const body of [{}, { searchQueryGeneral: '' }]) {
      const empty = await server.search(GENERAL, body);
      assert.equal(empty.status, 400);
      assert.equal(empty.text, '{"error":"The member searchQueryGeneral is missing."}');
    }
  });

  it('takes application/json with a charset or without, and no other type', async () => {
    const statusOf = async (headers: Record<string, string>) =>
      (await server.search(REPORT, '{}', headers)).status;
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset=UTF-8',
    ]) {
      assert.equal(await statusOf({ 'content-type': type }), 200, type);
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/fhir+json',
      'application/json; charset=latin1',
    ]) {
      assert.equal(await statusOf({ 'content-type': type }), 415, type);
    }
    const compressed = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    assert.equal(await statusOf(compressed), 415);
  });

  it('refuses a body of a megabyte', async () => {
    const answer = await server.search(REPORT, { searchQueryName: 'x'.repeat(1024 * 1024) });
    assert.equal(answer.status, 413);
    assert.deepEqual(Object.keys(JSON.parse(answer.text)), ['error']);
  });

  it('is offered to POST only, also from other origins', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const answer = await server.get(REPORT, {}, method);
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.get('allow'), 'POST, OPTIONS');
    }
    const origin = 'https://example.org';
    const asked = { origin, 'access-control-request-method': 'POST' };
    const preflight = await server.get(GENERAL, asked, 'OPTIONS');
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST, OPTIONS');
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Content-Type/);
    const sent = { 'content-type': 'application/json', origin };
    const { headers } = await server.search(REPORT, {}, sent);
    assert.equal(headers.get('access-control-allow-origin'), '*');
  });

  it('compresses the answer for clients that accept it', async () => {
    const sent = { 'content-type': 'application/json' };
    const plain = await server.search(REPORT, {}, { ...sent, 'accept-encoding': 'identity' });
    const zipped = await server.search(REPORT, {}, { ...sent, 'accept-encoding': 'gzip' });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(zipped.headers.get('content-encoding'), 'gzip');
    assert.equal(zipped.text, plain.text);
  });
});

it('a search is 503 while there is no edition', async (context) => {
  const editions = { current: () => undefined, byNumber: () => undefined };
  const server = await startDirectory({ editions });
  context.after(() => server.close());
  const headers = { 'content-type': 'application/json' };
  const answer = await server.post(`/fhir/api/search/${REPORT}`, '{}', headers);
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '5');
});

it('a search of an edition without relationships does not say that there are none', async (context) => {
  const server = await startSearches({ ...SEARCH_EDITION, hasLinks: false });
  context.after(() => server.close());
  const { orgArray } = JSON.parse((await server.search(REPORT, { batchSize: 2 })).text);
  for (const organisation of orgArray) {
    const names = Object.keys(organisation);
    assert.deepEqual(
      names.filter((name) => /^(RE|is[A-Z]|ICB|NHSER)/.test(name)),
      [],
    );
  }
  const single = await server.get('singleOrganisationSearchByCode?code=RR8');
  assert.equal(single.status, 404);
  assert.match(single.text, /does not know the relationships of organisations/);
});
