/** Codes as people paste them, at each door that takes one. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findRow } from '../../src/directory/edition/source-record.ts';
import { relationship } from '../web/related-records.ts';
import { type DirectoryServer, editionOf, startDirectory } from './directory-server.ts';
import { organization, role } from './records.ts';

const EDITION = editionOf([
  {
    ...organization('RR8', { name: 'TRUST', roles: [role('197', { isPrimary: true })] }),
    relationships: [relationship('4', '03Q', '98')],
  },
  organization('x9', { name: 'SMALL' }),
]);

/** A no-break space, a zero width space and a byte order mark come from documents and tables. */
const SPELLINGS = [
  'RR8',
  'rr8',
  'RR8 ',
  ' rr8\t',
  'RR8\r\n',
  '\u00a0Rr8\u200b',
  '\ufeffRR8',
  'RR 8',
];

/** Elsewhere, white space may be between two codes. */
const TRIMMED = SPELLINGS.filter((spelling) => spelling !== 'RR 8');

/** The door with a code, and what its answer has if the code was found. */
const DOORS: readonly (readonly [door: string, found: RegExp, code?: string])[] = [
  ['STU3/Organization/{code}', /"id":"RR8"/],
  ['legacy/STU3/Organization/{code}', /"id":"RR8"/],
  ['R4/Organization/{code}', /"id":"RR8"/],
  ['ORD/2-0-0/organisations/{code}', /"extension":"RR8"/],
  ['ORD/2-0-0/organisations?TargetOrgId={code}', /"OrgId":"RR8"/, '03Q'],
  ['ORD/2-0-0/organisations?PrimaryRoleId={code}', /"OrgId":"RR8"/, 'RO197'],
  ['ORD/2-0-0/organisations?RelTypeId={code}', /"OrgId":"RR8"/, 'RE4'],
  ['ORD/2-0-0/roles/{code}', /"id":"RO197"/, 'RO197'],
  ['resolve?code={code}', /"outcome":"current"/],
  ['hierarchy?code={code}', /"outcome":"found"/],
  ['match?name={code}', /"code":"RR8".*"why":\["code"\]/],
  ['events?since=2000-01-01&of={code}', /"code":"RR8"/],
  ['api/search/singleOrganisationSearchByCode?code={code}', /"id":"RR8"/],
];

describe('a code as people paste it', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory({
      editions: { current: () => EDITION, byNumber: () => EDITION },
    });
  });
  after(() => server.close());

  for (const [door, found, code = 'RR8'] of DOORS) {
    it(`is found by ${door}`, async () => {
      for (const spelling of SPELLINGS) {
        const asked = spelling.replace(/rr ?8/i, (text) =>
          text === text.toLowerCase() ? code.toLowerCase() : code,
        );
        const { status, text } = await server.get(
          `/fhir/${door.replace('{code}', encodeURIComponent(asked))}`,
        );
        assert.equal(status, 200, `${JSON.stringify(asked)}: ${text}`);
        assert.match(text, found, JSON.stringify(asked));
      }
    });
  }

  it('gets an answer with the code as it is published, which says where that is', async () => {
    const { headers } = await server.get('/fhir/STU3/Organization/rr8%20');
    assert.equal(
      headers.get('content-location'),
      'http://directory.test/fhir/STU3/Organization/RR8',
    );
  });

  it('is found by a search of R4, where the case of ids and references matters', async () => {
    for (const spelling of TRIMMED) {
      const code = encodeURIComponent(spelling.toUpperCase());
      for (const query of [
        `Organization?_id=${code}`,
        `Organization?_id=x7,${code}`,
        `Organization?identifier=${encodeURIComponent(spelling)}`,
        `OrganizationAffiliation?primary-organization=${code}`,
      ]) {
        const { text } = await server.get(`/fhir/R4/${query}`);
        assert.equal(JSON.parse(text).total, 1, query);
      }
    }
    // FHIR says that the case of ids matters.
    const { text } = await server.get('/fhir/R4/Organization?_id=rr8');
    assert.equal(JSON.parse(text).total, 0);
  });

  it('is found by the searches of Data Search and Export', async () => {
    for (const spelling of TRIMMED) {
      for (const [search, body] of [
        ['organisationReportSearch', { searchQueryCode: `X7,${spelling}` }],
        ['organisationGeneralSearch', { searchQueryGeneral: spelling }],
      ] as const) {
        const { status, text } = await server.post(
          `/fhir/api/search/${search}`,
          JSON.stringify(body),
          { 'content-type': 'application/json' },
        );
        assert.equal(status, 200, text);
        assert.deepEqual(
          JSON.parse(text).orgArray.map(({ id }: { id: string }) => id),
          ['RR8'],
          JSON.stringify(body),
        );
      }
    }
  });

  it('that has letters in lower case is found in them first', () => {
    assert.equal(findRow(EDITION.index, ' x9')?.code, 'x9');
    assert.equal(findRow(EDITION.index, 'X9'), undefined);
    assert.equal(findRow(EDITION.index, ' '), undefined);
    assert.equal(findRow(EDITION.index, 'RR8/'), undefined);
  });
});
