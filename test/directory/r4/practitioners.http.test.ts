/** The code systems of practitioners in R4. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ownerOfSuite } from '../../owner.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { openBytes, practitionerBytes, writeFiles } from '../practitioners/practitioner-files.ts';
import { RECORDS } from '../records.ts';

const ODS = 'https://digital.nhs.uk/services/organisation-data-service/CodeSystem';
const SYSTEMS = [
  'practitioner',
  'practitioner-role',
  'practitioner-relationship-instance',
  'practitioner-additional-attribute',
];

describe('the code systems of practitioners', () => {
  const owner = ownerOfSuite();
  let server: DirectoryServer;
  let kept: DirectoryServer;
  before(async () => {
    const bytes = await practitionerBytes(writeFiles(temporaryFolder(owner)));
    const edition = { ...editionOf(RECORDS), practitioners: openBytes(bytes) };
    const editions = { current: () => edition, byNumber: () => edition };
    server = await startDirectory({ editions, settings: { sharePractitioners: true } });
    kept = await startDirectory({ editions });
    owner.after(() => server.close());
    owner.after(() => kept.close());
  });

  const lookUp = async (system: string, code: string): Promise<Record<string, unknown>> => {
    const query = new URLSearchParams({ system: `${ODS}/${system}`, code, property: '*' });
    const { status, text } = await server.get(`/fhir/R4/CodeSystem/$lookup?${query}`);
    assert.equal(status, 200, text);
    const { parameter } = JSON.parse(text);
    const display = parameter.find(({ name }: { name: string }) => name === 'display');
    const properties = parameter
      .filter(({ name }: { name: string }) => name === 'property')
      .map(({ part }: { part: readonly Record<string, unknown>[] }) => {
        const value = part.find(({ name }) => name === 'value') ?? {};
        const [found] = Object.entries(value).filter(([name]) => name !== 'name');
        return [part[0]?.valueCode, found?.[1]];
      });
    return { display: display.valueString, ...Object.fromEntries(properties) };
  };

  it('have the values that the files state', async () => {
    const role = (code: string, display: string) => ({
      system: `${ODS}/practitioner-role`,
      code,
      display,
    });
    assert.deepEqual(await lookUp('practitioner', 'G1234567'), {
      display: 'TESTPERSON A',
      name: 'TESTPERSON A',
      type: 'PGP',
      role: role('PGP1', 'Principal general practitioner'),
      inactive: false,
      1: 'G1234567',
      6: '9000001',
      ME1: 'A81001',
    });
    const retired = await lookUp('practitioner', 'G1111111');
    assert.deepEqual(
      [retired.inactive, retired.role, retired.inactiveID],
      [true, undefined, role('PGP1', 'Principal general practitioner')],
    );
    assert.deepEqual(await lookUp('practitioner-role', 'PHOSPCON120'), {
      display: 'Hospital consultant, main specialty 120',
    });
    assert.deepEqual(
      await lookUp('practitioner-relationship-instance', 'G1111111_A81001_19990401'),
      {
        display: 'G1111111_A81001_19990401',
        practitionerCode: {
          system: `${ODS}/practitioner`,
          code: 'G1111111',
          display: 'SAMPLE-NAME B',
        },
        orgCode: 'A81001',
        joinDate: '1999-04-01',
        leftDate: '2024-03-31',
        status: 'inactive',
      },
    );
    const consultant = await lookUp('practitioner-relationship-instance', 'C9000002_RR8');
    assert.equal(consultant.status, 'active');
    assert.deepEqual(await lookUp('practitioner-additional-attribute', 'G1234567_6'), {
      display: 'G1234567_6',
      attribute: '9000001',
      attributeTypeID: '6',
      attributeType: 'General Medical Council number (GMC)',
      issuingAuthorityName: 'General Medical Council',
      odsStatus: 'active',
    });
  });

  it('are found, read, expanded and validated', async () => {
    for (const system of SYSTEMS) {
      const found = await server.get(`/fhir/R4/CodeSystem?url=${ODS}/${system}`);
      assert.equal(JSON.parse(found.text).total, 1, system);
      assert.equal((await server.get(`/fhir/R4/CodeSystem/${system}`)).status, 200);
      const path = `/fhir/R4/ValueSet/$expand?url=${ODS.replace('CodeSystem', 'ValueSet')}/${system}&count=100`;
      const { status, text } = await server.get(path);
      assert.equal(status, 200, text);
      const { total, contains } = JSON.parse(text).expansion;
      assert.equal(contains.length, total, system);
      for (const { code } of contains) {
        const query = new URLSearchParams({ url: `${ODS}/${system}`, code });
        const checked = await server.get(`/fhir/R4/CodeSystem/$validate-code?${query}`);
        assert.equal(JSON.parse(checked.text).parameter[0].valueBoolean, true, code);
      }
    }
  });

  it('are not there for pages of every origin, unless a setting says so', async () => {
    for (const system of SYSTEMS) {
      assert.equal((await kept.get(`/fhir/R4/CodeSystem/${system}`)).status, 404);
      const { text } = await kept.get(`/fhir/R4/CodeSystem?url=${ODS}/${system}`);
      assert.equal(JSON.parse(text).total, 0);
    }
  });
});

it('without practitioners the code systems are 404 with the remedy', async (context) => {
  const server = await startDirectory({ settings: { sharePractitioners: true } });
  context.after(() => server.close());
  const query = new URLSearchParams({ system: `${ODS}/practitioner`, code: 'G1234567' });
  const { status, text } = await server.get(`/fhir/R4/CodeSystem/$lookup?${query}`);
  assert.equal(status, 404);
  assert.match(text, /gazetteer import-practitioners FILE/);
});
