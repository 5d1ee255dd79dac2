/** The samples of the national R4 service, made from the release XML of the same organisations. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readText, releaseXml } from '../../sources/release-file/release-fixture.ts';
import { editionOf, startDirectory } from '../directory-server.ts';

const ROOT = 'root="2.16.840.1.113883.2.1.3.2.4.18.48" assigningAuthorityName="HSCIC"';

const date = (kind: string, start: string) =>
  `<Date><Type value="${kind}"/><Start value="${start}"/></Date>`;

const bothDates = (start: string) => date('Operational', start) + date('Legal', start);

const RR8 = `<Organisation orgRecordClass="RC1">
  <Name>LEEDS TEACHING HOSPITALS NHS TRUST</Name>
  ${bothDates('1998-04-01')}
  <OrgId ${ROOT} extension="RR8"/>
  <Status value="Active"/>
  <LastChangeDate value="2023-11-14"/>
  <GeoLoc><Location>
    <AddrLn1>ST. JAMES'S UNIVERSITY HOSPITAL</AddrLn1>
    <AddrLn2>BECKETT STREET</AddrLn2>
    <Town>LEEDS</Town><PostCode>LS9 7TF</PostCode><Country>ENGLAND</Country>
    <UPRN>72016246</UPRN>
  </Location></GeoLoc>
  <Contacts>
    <Contact type="tel" value="0113 243 3144"/>
    <Contact type="http" value="HTTPS://WWW.LEEDSTH.NHS.UK/"/>
  </Contacts>
  <Roles>
    <Role id="RO197" uniqueRoleId="37525" primaryRole="true">
      ${bothDates('1998-04-01')}<Status value="Active"/>
    </Role>
  </Roles>
</Organisation>`;

const practice = (code: string, content: string, attributes = '') =>
  `<Organisation orgRecordClass="RC1"${attributes}>
  <Name>PRACTICE ${code}</Name>
  <OrgId ${ROOT} extension="${code}"/>
  <Status value="Active"/>
  <LastChangeDate value="2020-01-02"/>
  <Roles>
    <Role id="RO177" uniqueRoleId="1${code.slice(-2)}" primaryRole="true"><Status value="Active"/></Role>
  </Roles>
  ${content}
</Organisation>`;

const G81086 = practice(
  'G81086',
  `<Rels>
    <Rel id="RE8" uniqueRelId="617400">
      ${bothDates('2019-10-01')}<Status value="Active"/>
      <Target><OrgId ${ROOT} extension="U36842"/><PrimaryRoleId id="RO272" uniqueRoleId="7"/></Target>
    </Rel>
    <Rel id="RE4" uniqueRelId="617401">
      ${date('Operational', '2013-04-01')}<Status value="Active"/>
      <Target><OrgId ${ROOT} extension="09D"/></Target>
    </Rel>
  </Rels>`,
);

const CODE_SYSTEMS =
  '<CodeSystems><CodeSystem name="OrganisationRole" oid="2.999.1">' +
  '<concept id="RO177" code="177" displayName="PRESCRIBING COST CENTRE"/>' +
  '<concept id="RO197" code="197" displayName="NHS TRUST"/></CodeSystem>' +
  '<CodeSystem name="OrganisationRelationship" oid="2.999.2">' +
  '<concept id="RE4" code="4" displayName="IS COMMISSIONED BY"/>' +
  '<concept id="RE8" code="8" displayName="IS PARTNER TO"/></CodeSystem>' +
  '<CodeSystem name="OrganisationRecordClass" oid="2.999.3">' +
  '<concept id="RC1" code="1" displayName="HSCOrg"/></CodeSystem></CodeSystems>';

const RELEASE = releaseXml([G81086, RR8, practice('U36842', '', ' refOnly="true"')], {
  codeSystems: CODE_SYSTEMS,
});

async function startRelease() {
  const { records, codeSystems, warnings } = await readText(RELEASE);
  assert.deepEqual(warnings, []);
  const edition = editionOf(records, 1, codeSystems[0]);
  return startDirectory({ editions: { current: () => edition, byNumber: () => edition } });
}

/**
 * The text without `versionId`, `lastUpdated` and `source`, which are the server's own. The sample of
 * an organisation has the profile of England first, and all recordings of the service have it last.
 */
function comparable(text: string): string {
  const { meta, ...resource } = JSON.parse(text);
  return JSON.stringify({ ...resource, profile: meta.profile.toSorted() });
}

for (const [path, file] of [
  ['Organization/RR8', 'organization-RR8.json'],
  ['OrganizationAffiliation/617400', 'affiliation-617400.json'],
] as const) {
  it(`${path} is the sample, field for field and in the same order`, async (context) => {
    const server = await startRelease();
    context.after(() => server.close());
    const { status, text } = await server.get(`/fhir/R4/${path}`);
    assert.equal(status, 200, text);
    const sample = readFileSync(join(import.meta.dirname, file), 'utf8');
    assert.equal(comparable(text), comparable(sample));
    assert.match(JSON.parse(text).meta.profile[0], /\/UKCore-/);
  });
}

it('a reference-only organisation has this type, and a code without a record no reference', async (context) => {
  const server = await startRelease();
  context.after(() => server.close());
  const json = async (path: string) => JSON.parse((await server.get(`/fhir/R4/${path}`)).text);
  const { type } = await json('Organization/U36842');
  assert.equal(type[0].coding[0].code, 'RefOnly');
  const { participatingOrganization } = await json('OrganizationAffiliation/617401');
  assert.deepEqual(participatingOrganization, {
    identifier: { system: 'https://fhir.nhs.uk/Id/ods-organization-code', value: '09D' },
  });
  assert.equal((await server.get('Organization/U36842')).status, 404, 'STU3 has full records only');
});
