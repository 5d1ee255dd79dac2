/** What searches of R4 say about values that can match nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { organization, role } from '../records.ts';
import { validResource } from './formats.ts';

const EDITION = editionOf([
  {
    ...organization('A1', { roles: [role('76', { isPrimary: true })] }),
    relationships: [
      { type: '4', uniqueId: 11, isActive: true, periods: [], target: { code: 'ICB' } },
      { type: '77', uniqueId: 12, isActive: true, periods: [], target: { code: 'ICB' } },
    ],
  },
  organization('ICB'),
]);
const EDITIONS = { current: () => EDITION, byNumber: () => EDITION };

const BASE = 'http://directory.test/fhir/R4';
const ODS = 'https://digital.nhs.uk/services/organisation-data-service/CodeSystem';

const NOTED: readonly (readonly [query: string, note: RegExp])[] = [
  [
    'Organization?type=fulll',
    /^Unknown code "fulll" of type\. Did you mean "Full"\? The codes are/,
  ],
  ['Organization?type=RC9', /^Unknown code "RC9" of type\. Did you mean "RC\d"\?/],
  [
    'Organization?type=https://x.test|Full',
    /^Unknown system "https:\/\/x\.test" of type\. The sys/,
  ],
  [
    'Organization?identifier=https://x.test|A1',
    /^Unknown system "https:\/\/x\.test" of identifier\. The only system is https:\/\/fhir\.nhs\.uk/,
  ],
  ['Organization?roleCode=https://x.test|RO76', /^Unknown system "https:\/\/x\.test" of roleCode/],
  ['Organization?activeRoleCode:not=|RO76', /^Unknown system "" of activeRoleCode\. The only/],
  ['Organization?roleCode=RO76,RO9999&_summary=count', /^Unknown role "RO9999"/],
  [
    'OrganizationAffiliation?role=RE44',
    /^Unknown code "RE44" of role\. Did you mean "RE4"\? The c/,
  ],
  ['OrganizationAffiliation?role=RE99&_summary=count', /^Unknown code "RE99" of role/],
  ['OrganizationAffiliation?role=https://x.test|RE4', /^Unknown system ".*" of role\. The only/],
  ['OrganizationAffiliation?identifier=https://x.test|11', /^Unknown system ".*" of identifier/],
  [
    'OrganizationAffiliation?primary-organization=Patient/1',
    /^Unknown type "Patient" of primary-organization\. The only type is Organization\.$/,
  ],
  [
    'OrganizationAffiliation?participating-organization=https://x.test/R4/Organization/ICB',
    /^Unknown server "https:\/\/x\.test\/R4" of participating-organization\. The only server is h/,
  ],
  [
    'OrganizationAffiliation?primary-organization:Organization.identifier=https://x.test|A1',
    /^Unknown system ".*" of primary-organization\.identifier\. The only system is/,
  ],
  [
    'OrganizationAffiliation?primary-organization:identifier=https://x.test|A1',
    /^Unknown system ".*" of primary-organization\. The only system is/,
  ],
];

/** Also codes that may exist elsewhere: they are a plain search without matches. */
const PLAIN: readonly (readonly [query: string, total: number])[] = [
  ['Organization?type=full', 2],
  [`Organization?type=${ODS}/ODSRecordClass|rc1`, 2],
  ['Organization?identifier=a1', 1],
  ['Organization?identifier=NOPE', 0],
  ['Organization?name=nope', 0],
  [`Organization?roleCode=${ODS}/ODSOrganisationRole|`, 2],
  ['OrganizationAffiliation?role=re4', 1],
  ['OrganizationAffiliation?role=RE77', 1],
  ['OrganizationAffiliation?primary-organization=nope', 0],
  ['OrganizationAffiliation?primary-organization=Organization/A1', 2],
  [`OrganizationAffiliation?primary-organization=${BASE}/Organization/A1`, 2],
  ['OrganizationAffiliation?role=RE99&_offset=1', 0],
];

describe('a search of R4', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory({ editions: EDITIONS });
  });
  after(() => server.close());

  const bundle = async (query: string) => {
    const { status, text } = await server.get(`/fhir/R4/${encodeURI(query)}`);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };

  for (const [query, note] of NOTED) {
    it(`${query} says in an entry what cannot match`, async () => {
      const { entry = [] } = await bundle(query);
      const { resource, search } = entry.at(-1);
      assert.equal(search.mode, 'outcome');
      assert.equal(resource.issue.length, 1);
      assert.match(resource.issue[0].diagnostics, note);
      await validResource(server, encodeURI(query));
    });
  }

  for (const [query, total] of PLAIN) {
    it(`${query} has ${total} matches and no such entry`, async () => {
      const found = await bundle(query);
      assert.equal(found.total, total);
      assert.doesNotMatch(JSON.stringify(found), /OperationOutcome/);
    });
  }
});
