/**
 * The examples in the description of the national R4 service and in its guide: each request as it is
 * printed there, and each answer compared with the one that is printed, member by member. `samples.http.test.ts`
 * has the examples of reads, and `national-practitioners.http.test.ts` those about practitioners.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openPostcodes } from '../../../../src/directory/places/stored-postcodes.ts';
import { editionOf } from '../../directory-server.ts';
import { storedPostcodes } from '../../places/postcode-rows.ts';
import { startTerminology, validAnswer } from '../terminology-server.ts';
import {
  NATIONAL_AREAS,
  NATIONAL_CODE_SYSTEMS,
  NATIONAL_POSTCODE,
  NATIONAL_PROPERTIES,
  NATIONAL_RECORDS,
  nationalExpansion,
  type Part,
  printed,
} from './national-data.ts';

const CODES = 'https://fhir.nhs.uk/Id/ods-organization-code';
const ODS = 'https://digital.nhs.uk/services/organisation-data-service/CodeSystem';
const ROLES = `${ODS}/ODSOrganisationRole`;

const postcodes = openPostcodes(storedPostcodes([NATIONAL_POSTCODE], NATIONAL_AREAS));
const server = await startTerminology(
  editionOf(NATIONAL_RECORDS, 1, NATIONAL_CODE_SYSTEMS, postcodes),
);
after(() => server.close());

/** Why our answers differ. The documents list these: `docs/reference/r4-api.md`, "Differences". */
const DIFFERENCES = {
  properties: {
    'SMHPC AED': 'no published file of postcodes has the provider collaboratives',
    'SMHPC AS': 'as SMHPC AED',
    'SMHPC CT4': 'as SMHPC AED',
  } as Readonly<Record<string, string>>,
  /** Members that only we have. */
  parts: new Set(['description']),
  version: 'the number of the edition in place of a date',
  name: 'the name of our code system, which FHIR wants to be an identifier',
};

describe('$lookup of the example', async () => {
  const target = `CodeSystem/$lookup?system=${CODES}&code=G81086&property=*`;
  const { parameter } = await validAnswer(server, target);
  const parameters: readonly Part[] = parameter;
  const ours = parameters.flatMap(({ name, part = [] }) =>
    name === 'property' ? [Object.fromEntries(part.map((each) => [each.name, printed(each)]))] : [],
  );

  it('has each property with the same value, type and parts', () => {
    const found = ours.map((parts) =>
      Object.fromEntries(Object.entries(parts).filter(([name]) => !DIFFERENCES.parts.has(name))),
    );
    const wanted = NATIONAL_PROPERTIES.filter(
      ([property]) => DIFFERENCES.properties[property] === undefined,
    ).map(([code, type, value]) =>
      type === 'valueCode' ? { code, value } : { code, [type]: value, value },
    );
    const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort();
    assert.deepEqual(sorted(found), sorted(wanted));
  });

  it('lacks only the properties that the list of differences names', () => {
    const own = new Set(ours.map(({ code }) => code));
    const missing = NATIONAL_PROPERTIES.filter(([property]) => !own.has(property));
    assert.deepEqual(
      missing.map(([property]) => property).sort(),
      Object.keys(DIFFERENCES.properties),
    );
  });

  it('has the same other parameters', () => {
    const others = parameters.filter(({ name }) => name !== 'property');
    assert.deepEqual(
      others.map(({ name, part, ...value }) => [name, Object.keys(value)[0] ?? part?.length]),
      [
        ['code', 'valueCode'],
        ['display', 'valueString'],
        ['name', 'valueString'],
        ['system', 'valueUri'],
        ['version', 'valueString'],
        // Use and value, and the language, which only we have.
        ['designation', 3],
      ],
    );
    assert.deepEqual(others.slice(0, 2).map(printed), ['G81086', 'BIRD-IN-EYE SURGERY']);
  });
});

describe('$validate-code of the example', () => {
  it('compares the status', async () => {
    const ask = (status: string) =>
      validAnswer(server, `CodeSystem/$validate-code?url=${CODES}&code=RH8&status=${status}`);
    const { parameter } = await ask('active');
    assert.deepEqual(parameter[0], { name: 'result', valueBoolean: true });
    assert.deepEqual((await ask('inactive')).parameter.slice(0, 2), [
      { name: 'result', valueBoolean: false },
      { name: 'message', valueString: 'The status of RH8 is "active", not "inactive".' },
    ]);
  });
});

describe('$expand of the example', () => {
  const expand = (count: number | string, status = 200) =>
    validAnswer(server, 'ValueSet/$expand', {
      body: JSON.stringify(nationalExpansion(count)),
      status,
    });

  it('is refused as it is printed, because its count is a text', async () => {
    const { issue } = await expand('2', 400);
    assert.match(issue[0].diagnostics, /valueInteger/);
  });

  it('has the same members with a number', async () => {
    const { expansion } = await expand(2);
    const { identifier, timestamp, contains, ...rest } = expansion;
    assert.match(identifier, /^urn:uuid:/);
    assert.match(timestamp, /^\d{4}-/);
    assert.deepEqual(rest, {
      // 4,725 in the whole directory.
      total: 2,
      offset: 0,
      parameter: [
        { name: 'version', valueUri: `${CODES}|1` },
        { name: 'used-codesystem', valueUri: `${CODES}|1` },
        { name: 'activeOnly', valueBoolean: false },
        { name: 'count', valueInteger: 2 },
      ],
    });
    const property = (code: string, value: object) => ({
      url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-ValueSet.expansion.contains.property',
      extension: [
        { url: 'code', valueCode: code },
        { url: 'value', ...value },
      ],
    });
    const properties = (code: string, display: string) => [
      property('primaryRole', { valueCoding: { system: ROLES, code, display } }),
      property('country', { valueString: 'ENGLAND' }),
    ];
    assert.deepEqual(contains, [
      {
        extension: properties('RO104', 'SOCIAL CARE PROVIDER'),
        system: CODES,
        code: 'AT32',
        display: 'FORGET ME NOT CARING LTD',
      },
      {
        // The national answer repeats `inactive` in an extension of its server.
        extension: properties('RO172', 'INDEPENDENT SECTOR HEALTHCARE PROVIDER'),
        system: CODES,
        inactive: true,
        code: 'AT9',
        display: 'SOUTH EAST LAMBETH HEALTH PARTNERSHIP',
      },
    ]);
  });
});

describe('the printed searches', () => {
  const COUNTS: readonly (readonly [request: string, total: number])[] = [
    ['Organization?_id=RR8', 1],
    ['Organization?identifier=G81086', 1],
    [`Organization?identifier=${CODES}|G81086`, 1],
    ['Organization?lastChangeDate=gt2017-04-01', 7],
    ['Organization?lastChangeDate=lt2017-04-01', 0],
    ['Organization?lastChangeDate=2024-02-06', 1],
    ['Organization?_count=2&lastChangeDate=lt2023-08-23&lastChangeDate=gt2023-08-21', 1],
    ['Organization?name=Leeds', 1],
    ['Organization?name:contains=Leeds', 1],
    ['Organization?name:exact=LEEDS TEACHING HOSPITALS NHS TRUST', 1],
    ['Organization?active=true', 6],
    ['Organization?address-postalcode=LS1', 1],
    ['Organization?address-postalcode:contains=4DZ', 1],
    ['Organization?address-postalcode:exact=LS1 4DZ', 1],
    ['Organization?address-city=Derby', 0],
    ['Organization?address-city:contains=Derby', 0],
    ['Organization?address-city:exact=DERBY', 0],
    ['Organization?address-country=ENGLAND', 4],
    ['Organization?roleCode=RO197', 2],
    [`Organization?roleCode=${ROLES}|RO197`, 2],
    ['Organization?roleCode=RO197,RO198', 2],
    ['Organization?roleCode=RO197&roleCode=RO7', 0],
    ['Organization?roleCode=RO177&roleCode:not=RO76', 0],
    [`Organization?roleCode:not=${ROLES}|RO197`, 5],
    ['Organization?activeRoleCode=RO197', 2],
    [`Organization?activeRoleCode=${ROLES}|RO197`, 2],
    ['Organization?activeRoleCode=RO197,RO198', 2],
    ['Organization?_count=1000', 7],
    ['Organization?_summary=count', 7],
    ['Organization?_offset=2000', 7],
    [
      'Organization?identifier=G81086&_revinclude=OrganizationAffiliation%3Aprimary-organization',
      1,
    ],
    ['OrganizationAffiliation?primary-organization=G81086', 3],
    ['OrganizationAffiliation?participating-organization=97R', 2],
    [`OrganizationAffiliation?participating-organization=${CODES}|97R`, 2],
    ['OrganizationAffiliation?primary-organization=FDC49', 0],
    ['OrganizationAffiliation?active=true', 3],
    ['OrganizationAffiliation?_id=RTG', 0],
    ['OrganizationAffiliation?_count=1000&_summary=count', 3],
    ['OrganizationAffiliation?_include=OrganizationAffiliation:primary-organization', 3],
    ['OrganizationAffiliation?_include=OrganizationAffiliation:participating-organization', 3],
    [`CodeSystem?url=${CODES}`, 1],
    [`CodeSystem?system=${CODES}`, 1],
    [`CodeSystem?system=${ROLES}&_summary=false`, 1],
  ];
  for (const [request, total] of COUNTS) {
    it(`${request.replaceAll(`${ODS}/`, '')} finds ${total}`, async () => {
      assert.equal((await validAnswer(server, request)).total, total);
    });
  }

  const REFUSED: readonly (readonly [request: string, status: number, diagnostics: RegExp])[] = [
    // A slip of the description, whose other pages have a z.
    [
      'OrganizationAffiliation?primary-organisation=G81086',
      400,
      /Did you mean "primary-organization"\?/,
    ],
    ['Organization?count=2', 400, /"count"/],
    ['Organization/8J632648493', 404, /no organisation with this code/],
    ['OrganizationAffiliation/8J632648493', 404, /no relationship with this number/],
  ];
  for (const [request, status, diagnostics] of REFUSED) {
    it(`${request} is ${status}`, async () => {
      const { issue } = await validAnswer(server, request, { status });
      assert.match(issue[0].diagnostics, diagnostics);
    });
  }
});

it('the lists of deletions have the four printed names', async () => {
  for (const part of ['Organization', 'OrganizationAffiliation', 'Organization-role']) {
    const { resourceType, status } = await validAnswer(server, `List/${part}-deletion`);
    assert.deepEqual([resourceType, status], ['List', 'current']);
  }
  assert.equal(
    (await validAnswer(server, 'List/Organization-succession-deletion')).mode,
    'changes',
  );
});
