/** Roles as people write them, in every door; and the list of roles. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rolesMeant } from '../../src/directory/ask/role-words.ts';
import { type DirectoryServer, editionOf, startDirectory } from './directory-server.ts';
import { validResource } from './r4/formats.ts';
import { CODE_SYSTEMS, organization, role } from './records.ts';

const ROLES = [
  ...CODE_SYSTEMS.roles,
  { code: '150', display: 'MILITARY HOSPITAL' },
  { code: '182', display: 'PHARMACY' },
  { code: '209', display: 'NHS ENGLAND (REGION)' },
  { code: '227', display: 'SCOTTISH GP PRACTICE' },
  { code: '87', display: 'WALK IN CENTRE' },
  { code: '280', display: 'PHARMACY SITE' },
];
const ROLE_SYSTEM =
  'https://digital.nhs.uk/services/organisation-data-service/CodeSystem/ODSOrganisationRole';
const RECORDS = [
  organization('A1', { roles: [role('177', { isPrimary: true }), role('76')] }),
  organization('P1', { roles: [role('182', { isPrimary: true })] }),
  organization('P2', { isActive: false, roles: [role('182', { isPrimary: true })] }),
  organization('U1', { roles: [role('999', { isPrimary: true })] }),
];
const CODES = { ...CODE_SYSTEMS, roles: ROLES };
const EDITION = editionOf(RECORDS, 1, CODES);
const EDITIONS = { current: () => EDITION, byNumber: () => EDITION };

describe('the roles that a text means', () => {
  const cases: [text: string, codes: string][] = [
    ['182', '182'],
    ['RO182', '182'],
    ['ro182', '182'],
    [' RO182 ', '182'],
    ['RO182 (PHARMACY)', '182'],
    ['RO209 (NHS ENGLAND (REGION))', '209'],
    ['999', '999'],
    ['pharmacy', '182'],
    ['Pharmacies', '182'],
    ['GP practice', '76'],
    ['gp', '76 227'],
    ['doctors', '76 227'],
    ['chemist', '182 280'],
    ['hospital', '150 197 198'],
    ['hospitals', '150 197 198'],
    ['walk-in centre', '87'],
    ['region', '209'],
    ['RO9999', ''],
    ['9999', ''],
    ['wizard', ''],
    ['', ''],
    ['x'.repeat(100_000), ''],
  ];
  for (const [text, codes] of cases) {
    it(`are ${codes || 'none'} for “${text.slice(0, 40)}”`, () => {
      const found = [...rolesMeant(EDITION, text)].sort((a, b) => Number(a) - Number(b));
      assert.equal(found.join(' '), codes);
    });
  }
});

describe('roles over HTTP', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory({ editions: EDITIONS });
  });
  after(() => server.close());
  const read = async (path: string) => JSON.parse((await server.get(`/fhir/${path}`)).text);

  it('are a list with names and counts, in the order of their codes', async () => {
    const { results } = await read('roles');
    assert.equal(results.length, ROLES.length + 1);
    assert.deepEqual(results[0], {
      code: 'RO29',
      name: 'TREATMENT CENTRE',
      organisations: 0,
      active: 0,
    });
    assert.deepEqual(results.at(-1), { code: 'RO999', organisations: 1, active: 1 });
    assert.deepEqual(await read('roles?role=pharmacy'), {
      results: [{ code: 'RO182', name: 'PHARMACY', organisations: 2, active: 1 }],
    });
  });

  it('are CSV too', async () => {
    const { headers, text } = await server.get('/fhir/roles?role=chemist&format=csv');
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(
      text,
      'code,name,organisations,active\r\nRO182,PHARMACY,2,1\r\nRO280,PHARMACY SITE,0,0\r\n',
    );
  });

  it('name the nearest role for one that does not exist', async () => {
    const pharmacy = 'Did you mean "RO182 (PHARMACY)"? See /roles or "gazetteer roles" for';
    for (const [text, start] of [
      ['farmacy', `Unknown role "farmacy". ${pharmacy}`],
      ['RO1822', `Unknown role "RO1822". ${pharmacy}`],
      ['1822', `Unknown role "1822". ${pharmacy}`],
      ['hopsital', 'Unknown role "hopsital". Did you mean "RO'],
      ['wizard', 'Unknown role "wizard". See /roles or "gazetteer roles" for'],
    ]) {
      const { error } = await read(`roles?role=${text}`);
      assert.ok(error.startsWith(start), error);
    }
  });

  it('choose events by code, name and everyday word alike', async () => {
    for (const text of ['182', 'RO182', 'pharmacy', 'RO182 (PHARMACY)']) {
      const { events } = await read(`events?since=2000-01-01&role=${encodeURIComponent(text)}`);
      const codes = new Set(events.map(({ code }: { code: string }) => code));
      assert.deepEqual([...codes], ['P1', 'P2'], text);
    }
  });

  it('are told of in R4 by an entry of the searchset that is no match', async () => {
    const bundle = await read('R4/Organization?roleCode=farmacy,RO182');
    assert.equal(bundle.total, 2);
    const modes = bundle.entry.map(({ search }: { search: { mode: string } }) => search.mode);
    assert.deepEqual(modes, ['match', 'match', 'outcome']);
    const { resource, ...rest } = bundle.entry[2];
    assert.deepEqual(rest, { search: { mode: 'outcome' } });
    assert.equal(resource.resourceType, 'OperationOutcome');
    const [{ severity, code, diagnostics }] = resource.issue;
    assert.deepEqual([severity, code], ['warning', 'code-invalid']);
    assert.match(diagnostics, /^Unknown role "farmacy"\. Did you mean "RO182 \(PHARMACY\)"\?/);
  });

  it('are told of in a Bundle that is valid in JSON and XML', async () => {
    for (const query of ['roleCode=RO9999', 'roleCode:not=RO9999&_count=500']) {
      await validResource(server, `Organization?${query}`);
    }
  });

  it('have the same entry in XML, in pieces, pretty and with any of the parameters', async () => {
    for (const query of [
      'roleCode=RO9999&_format=xml',
      'roleCode=RO9999&_format=xml&_pretty=true',
      'roleCode:not=RO9999&_count=500&_format=xml',
      'activeRoleCode=RO9999&_format=xml&_revinclude=OrganizationAffiliation:primary-organization',
      'activeRoleCode:not=RO182,RO9999&_elements=name&_format=xml',
    ]) {
      const { status, text } = await server.get(`/fhir/R4/Organization?${query}`);
      assert.equal(status, 200);
      const entry = /<OperationOutcome[ >][\s\S]*?<mode value="outcome"\/>/g;
      assert.equal(text.match(entry)?.length, 1, text);
      assert.match(text, /Unknown role &quot;RO9999&quot;|Unknown role "RO9999"/);
    }
  });

  it('have the same entry in a search for the total', async () => {
    for (const query of ['roleCode=RO9999&_summary=count', 'roleCode=RO9999&_count=0']) {
      const { total, entry } = await read(`R4/Organization?${query}`);
      assert.deepEqual([total, entry.length, entry[0].search.mode], [0, 1, 'outcome'], query);
    }
  });

  it('are understood in R4 in any case and with white space', async () => {
    for (const role of ['ro182', 'Ro182', ' RO182 ', '182', `${ROLE_SYSTEM}|ro182`]) {
      const { total, entry } = await read(`R4/Organization?roleCode=${encodeURIComponent(role)}`);
      assert.deepEqual([total, entry.length], [2, 2], role);
    }
  });

  it('have no entry where the role is known, nor in later pages', async () => {
    for (const query of [
      'roleCode=RO182',
      'roleCode=RO999',
      'roleCode=RO182&_summary=count',
      'roleCode:not=RO9999&_count=2&_offset=2',
    ]) {
      const { text } = await server.get(`/fhir/R4/Organization?${query}`);
      assert.doesNotMatch(text, /OperationOutcome|outcome/, query);
    }
  });

  it('do not change the answer of STU3 to a code that no record has', async () => {
    const bundle = await read('STU3/Organization?ods-org-role=RO9999');
    assert.equal(bundle.total, 0);
    assert.equal(bundle.entry, undefined);
  });

  it('are named in the details of an error of STU3, beside the national text', async () => {
    const { issue } = await read('STU3/Organization?ods-org-role=farmacy');
    assert.equal(issue[0].diagnostics, 'Invalid FHIR ods-org-role parameter');
    assert.match(issue[0].details.text, /^Unknown role "farmacy"\. Did you mean "RO182 \(PHARM/);
  });
});
