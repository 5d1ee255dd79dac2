/** The operations of code systems and value sets in R4, by GET and POST, in JSON and XML. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { R4 } from '../../../src/fhir/definitions/fhir-version.ts';
import { encodeXml } from '../../../src/fhir/format/xml.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../../web/related-records.ts';
import { editionOf } from '../directory-server.ts';
import { RECORDS } from '../records.ts';
import { startTerminology, validAnswer } from './terminology-server.ts';

const CODES = 'https://fhir.nhs.uk/Id/ods-organization-code';
const ODS = 'https://digital.nhs.uk/services/organisation-data-service';
const ROLES = `${ODS}/CodeSystem/ODSOrganisationRole`;
const ROLES_SET = `${ODS}/ValueSet/ODSOrganisationRole`;
const RELATIONSHIPS = `${ODS}/CodeSystem/ODSRelationship`;
const CLASSES = `${ODS}/CodeSystem/ODSRecordClass`;
const USE_TYPES = 'https://fhir.nhs.uk/England/CodeSystem/England-ODSRecordUseType';
const GEOGRAPHY = `${ODS}/CodeSystem/geography-name`;
const INSTANCES = [
  'organization-role-instance',
  'organization-relationship-instance',
  'succession',
];
const SYSTEMS = [
  CODES,
  ROLES,
  RELATIONSHIPS,
  CLASSES,
  USE_TYPES,
  ...INSTANCES.map((name) => `${ODS}/CodeSystem/${name}`),
  GEOGRAPHY,
];

const server = await startTerminology();
after(() => server.close());

interface Parameter {
  readonly name: string;
  readonly part?: readonly Parameter[];
  readonly [value: `value${string}`]: unknown;
}

const answerOf = (target: string, body?: string) => validAnswer(server, target, { body });

async function diagnosticsOf(target: string, status: number, body?: string): Promise<string> {
  return (await validAnswer(server, target, { body, status })).issue[0].diagnostics;
}

/** `code: value (description)` for each property. */
async function propertiesOf(query: string): Promise<string[]> {
  const { parameter } = await answerOf(`CodeSystem/$lookup?${query}`);
  return parameter
    .filter(({ name }: Parameter) => name === 'property')
    .map(({ part = [] }: Parameter) => {
      const [code, value, description] = ['code', 'value', 'description'].map((name) =>
        valueIn({ parameter: part }, name),
      );
      return `${code}: ${value}${description === undefined ? '' : ` (${description})`}`;
    });
}

/** A Coding as `system|code|display`. */
function anyValueOf(parameter: Parameter): unknown {
  const value = Object.entries(parameter).find(([name]) => name.startsWith('value'))?.[1];
  return typeof value === 'object' ? Object.values(value).join('|') : value;
}

function valueIn({ parameter }: { parameter: readonly Parameter[] }, name: string): unknown {
  const found = parameter.find((each) => each.name === name);
  return found && anyValueOf(found);
}

function parametersBody(parameter: readonly object[]) {
  return JSON.stringify({ resourceType: 'Parameters', parameter });
}

describe('$lookup', () => {
  it('returns the name of the system, its version, the display and the usual properties', async () => {
    const answer = await answerOf(`CodeSystem/$lookup?system=${CODES}&code=RR8`);
    assert.deepEqual(answer, {
      resourceType: 'Parameters',
      parameter: [
        { name: 'code', valueCode: 'RR8' },
        { name: 'display', valueString: 'LEEDS TEACHING HOSPITALS NHS TRUST' },
        { name: 'name', valueString: 'ODSOrganizationCode' },
        { name: 'system', valueUri: CODES },
        { name: 'version', valueString: '1' },
        {
          name: 'designation',
          part: [
            { name: 'language', valueCode: 'en' },
            {
              name: 'use',
              valueCoding: {
                system: 'http://terminology.hl7.org/CodeSystem/designation-usage',
                code: 'display',
              },
            },
            { name: 'value', valueString: 'LEEDS TEACHING HOSPITALS NHS TRUST' },
          ],
        },
        {
          name: 'property',
          part: [
            { name: 'code', valueCode: 'status' },
            { name: 'value', valueCode: 'active' },
          ],
        },
        {
          name: 'property',
          part: [
            { name: 'code', valueCode: 'inactive' },
            { name: 'valueBoolean', valueBoolean: false },
            { name: 'value', valueBoolean: false },
          ],
        },
      ],
    });
  });

  it('returns every property of an organisation for *', async () => {
    assert.deepEqual(await propertiesOf(`system=${CODES}&code=RR8&property=*`), [
      'name: LEEDS TEACHING HOSPITALS NHS TRUST',
      'status: active',
      'inactive: false',
      'lastChangeDate: 2023-11-14',
      'refOnly: false',
      `orgRecordClass: ${CLASSES}|RC1`,
      'assigningAuth: HSCIC',
      `primaryRole: ${ROLES}|RO197|NHS TRUST`,
      `role: ${ROLES}|RO197|NHS TRUST`,
      `role: ${ROLES}|RO57|FOUNDATION TRUST`,
      'opStartDate: 1998-04-01',
      'legStartDate: 1998-04-01',
      'legEndDate: 2030-01-01',
      "address1: ST. JAMES'S UNIVERSITY HOSPITAL",
      'address2: BECKETT STREET',
      'town: LEEDS',
      'county: WEST YORKSHIRE',
      'postcode: LS9 7TF',
      'country: ENGLAND',
      'uprn: 72016246',
      'telephone: 0113 243 3144',
      'website: HTTPS://WWW.LEEDSTH.NHS.UK/',
    ]);
  });

  const PROPERTIES: readonly (readonly [query: string, ...properties: string[]])[] = [
    [
      `system=${CODES}&code=A81001&property=RE4&property=RE8&property=RE6`,
      'RE4: RR8 (LEEDS TEACHING HOSPITALS NHS TRUST)',
      'RE8: Q99',
    ],
    [
      `system=${CODES}&code=A81001&property=predecessor&property=successor`,
      'predecessor: G82100',
      'predecessor: A81002 (OLD SURGERY)',
    ],
    [
      `system=${CODES}&code=A81002&property=successor&property=status`,
      'status: inactive',
      'successor: A81001 (THE DENSHAM SURGERY)',
    ],
    [`system=${CODES}&code=R1&property=refOnly`, 'refOnly: true'],
    [`system=${CODES}&code=RR8&property=ICB&property=NHSER&property=LA&property=LSOA11`],
    [`system=${CODES}&code=RR8&property=display&property=designation`],
    [`system=${ROLES}&code=RO197`, 'primaryRole: true'],
    [`system=${ROLES}&code=RO57&property=*`, 'primaryRole: false'],
    [`system=${RELATIONSHIPS}&code=RE4&property=*`],
    [`system=${CLASSES}&code=RC1&property=*&version=1&displayLanguage=en`],
    [`system=${USE_TYPES}&code=RefOnly`],
  ];
  for (const [query, ...properties] of PROPERTIES) {
    const shown = query.replace(/system=\S*\//, '');
    it(`finds ${shown} with ${properties.join(', ') || 'no properties'}`, async () => {
      assert.deepEqual(await propertiesOf(query), properties);
    });
  }

  it('takes Parameters in JSON and XML, with a code or a coding', async () => {
    const byCode = [
      { name: 'system', valueUri: ROLES },
      { name: 'code', valueCode: 'RO197' },
      { name: 'property', valueCode: 'primaryRole' },
    ];
    const coding = [
      { name: 'coding', valueCoding: { system: ROLES, version: '1', code: 'RO197' } },
    ];
    const expected = await answerOf(`CodeSystem/$lookup?system=${ROLES}&code=RO197`);
    for (const parameter of [byCode, coding]) {
      const body = { resourceType: 'Parameters', parameter };
      assert.deepEqual(await answerOf('CodeSystem/$lookup', JSON.stringify(body)), expected);
      const xml = encodeXml(body, R4.definitions);
      const { text } = await server.post('/fhir/R4/CodeSystem/$lookup', xml, {
        accept: 'application/fhir+json',
        'content-type': 'application/fhir+xml',
      });
      assert.deepEqual(JSON.parse(text), expected);
    }
  });

  it('is 404 for other systems, naming the nearest one and where the list is', async () => {
    const diagnostics = await diagnosticsOf(
      'CodeSystem/$lookup?system=http://snomed.info/sct&code=1',
      404,
    );
    assert.match(
      diagnostics,
      /^Unknown code system "http:\/\/snomed\.info\/sct"\. See http:\/\/directory\.test\/fhir\/R4\/CodeSystem for the list of code systems\.$/,
    );
    const misspelt = `CodeSystem/$lookup?system=${ROLES.replace('isation', 'ization')}&code=RO197`;
    assert.ok((await diagnosticsOf(misspelt, 404)).includes(`Did you mean "${ROLES}"?`));
  });

  it('is 404 for codes and versions that the system does not have', async () => {
    for (const system of SYSTEMS) {
      assert.equal(
        await diagnosticsOf(`CodeSystem/$lookup?system=${system}&code=zz9`, 404),
        `The code system ${system} has no code "zz9".`,
      );
      assert.equal(
        await diagnosticsOf(`CodeSystem/$lookup?system=${system}&code=zz9&version=7`, 404),
        `The code system ${system} has version 1 on this server, not "7". Leave the version out.`,
      );
    }
    assert.equal(
      (await server.get(`/fhir/R4/CodeSystem/$lookup?system=${CODES}&code=rr8`)).status,
      404,
    );
  });

  const NEEDED = /^\$lookup needs the code and the URL of its system\./;
  const REFUSED: readonly (readonly [target: string, diagnostics: RegExp])[] = [
    [`code=RR8`, NEEDED],
    [`system=${CODES}`, NEEDED],
    ['', NEEDED],
    [
      `system=${CODES}&code=RR8&colour=red`,
      /^Unknown parameter "colour" of \$lookup\. The parameters are code, /,
    ],
    [
      `system=${CODES}&code=RR8&property=colour&property=size`,
      /^Unknown property "colour, size" of \S+\. See \S+ for the list of properties\.$/,
    ],
    [
      `system=${ROLES}&code=RO197&property=RE4`,
      /^Unknown property "RE4" of \S+\. The only property is primaryRole\.$/,
    ],
    [
      `system=${CLASSES}&code=RC1&property=status`,
      /^Unknown property "status" of \S+\. There are no properties here\.$/,
    ],
    [`system=${CODES}&code=RR8&coding=RR8`, /^Send the parameter coding as valueCoding /],
    [`system=${CODES}&code=RR8&_format=pdf`, /^Unknown content type/],
  ];
  for (const [query, diagnostics] of REFUSED) {
    it(`refuses ${query.replace(/system=\S*\//, '') || 'no parameters'}`, async () => {
      assert.match(await diagnosticsOf(`CodeSystem/$lookup?${query}`, 400), diagnostics);
    });
  }

  it('refuses a coding beside a code, and a coding without a system', async () => {
    const coding = { name: 'coding', valueCoding: { system: ROLES, code: 'RO197' } };
    const both = parametersBody([coding, { name: 'code', valueCode: 'RO197' }]);
    assert.match(
      await diagnosticsOf('CodeSystem/$lookup', 400, both),
      /^The request has a coding, and also code, system or version\./,
    );
    const half = parametersBody([{ name: 'coding', valueCoding: { code: 'RO197' } }]);
    assert.match(await diagnosticsOf('CodeSystem/$lookup', 400, half), NEEDED);
  });

  it('finds the board and the region of an organisation through others', async (context) => {
    const related = await startTerminology(editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS));
    context.after(() => related.close());
    const query = `system=${CODES}&code=A81000&property=ICB&property=NHSER`;
    const { parameter } = await validAnswer(related, `CodeSystem/$lookup?${query}`);
    const parts = parameter.flatMap(({ part = [] }: Parameter) => [part.map(anyValueOf)]).slice(-2);
    const board = `${GEOGRAPHY}|QWO|NHS WEST YORKSHIRE, LEEDS INTEGRATED CARE BOARD`;
    const region = `${GEOGRAPHY}|Y63|NORTH EAST AND YORKSHIRE`;
    assert.deepEqual(parts, [
      ['ICB', board, board],
      ['NHSER', region, region],
    ]);
  });

  it('says that an edition has no relationships, and never answers as if there were none', async (context) => {
    const other = await startTerminology({ ...editionOf(RECORDS), hasLinks: false });
    context.after(() => other.close());
    const ask = (path: string) => other.get(`/fhir/R4/${path}`);
    for (const query of [
      `system=${CODES}&code=RR8&property=RE4`,
      `system=${CODES}&code=RR8&property=successor`,
      `system=${CODES}&code=RR8&property=ICB`,
      `system=${CODES}&code=RR8&property=*`,
      `system=${RELATIONSHIPS}&code=RE4`,
    ]) {
      const { status, text } = await ask(`CodeSystem/$lookup?${query}`);
      assert.equal(status, 503, query);
      assert.match(text, /does not know the relationships of organisations/);
    }
    assert.equal((await ask(`CodeSystem/$lookup?system=${CODES}&code=RR8`)).status, 200);
    assert.equal((await ask('ValueSet/ODSRelationship/$expand')).status, 503);
    const { content, concept } = JSON.parse((await ask('CodeSystem/ODSRelationship')).text);
    assert.deepEqual([content, concept], ['not-present', undefined]);
  });
});

describe('$validate-code', () => {
  const TEXT_OF_RR8 = 'LEEDS TEACHING HOSPITALS NHS TRUST';
  const CASES: readonly (readonly [target: string, result: boolean, message?: RegExp])[] = [
    [`CodeSystem/$validate-code?url=${CODES}&code=RR8`, true],
    [`CodeSystem/$validate-code?url=${CODES}&code=A81002`, true],
    [
      `CodeSystem/$validate-code?url=${CODES}&code=RR8&display=leeds  teaching hospitals nhs trust`,
      true,
    ],
    [
      `CodeSystem/$validate-code?url=${CODES}&code=RR8&display=LEEDS`,
      false,
      /^The display of RR8 is "LEEDS TEACHING HOSPITALS NHS TRUST", not "LEEDS"\.$/,
    ],
    [`CodeSystem/$validate-code?url=${CODES}&code=rr8`, false, /has no code "rr8"\.$/],
    [`CodeSystem/$validate-code?url=${ROLES}&code=RO197&version=1`, true],
    [`CodeSystem/$validate-code?url=${ROLES}&code=197`, false, /has no code "197"\.$/],
    ['CodeSystem/ODSOrganisationRole/$validate-code?code=RO197', true],
    ['ValueSet/ODSOrganisationRole/$validate-code?code=RO197', true],
    [`ValueSet/ODSRelationship/$validate-code?code=RE4&system=${RELATIONSHIPS}`, true],
    [`ValueSet/$validate-code?url=${ROLES}&code=RO197`, true],
    [`ValueSet/$validate-code?url=${ROLES_SET}&code=RO197&system=${ROLES}&systemVersion=1`, true],
    [`ValueSet/$validate-code?url=${ROLES_SET}%7C1&code=RO197&valueSetVersion=1`, true],
    [`ValueSet/$validate-code?url=${ROLES_SET}&code=RO197&display=nhs trust&abstract=true`, true],
    [
      `ValueSet/$validate-code?url=${ROLES_SET}&code=RO197&display=TRUST`,
      false,
      /^The display of RO197 is "NHS TRUST", not "TRUST"\.$/,
    ],
    [`ValueSet/$validate-code?url=${ROLES_SET}&code=RO999`, false, /has no code "RO999"\.$/],
    [
      `ValueSet/ODSOrganisationRole/$validate-code?code=RC1&system=${CLASSES}`,
      false,
      /^The code RC1 must be of the code system \S+ODSOrganisationRole, not "\S+ODSRecordClass"\.$/,
    ],
    [`CodeSystem/ODSOrganisationRole/$validate-code?code=RO197&url=${ROLES}`, true],
  ];
  for (const [target, result, message] of CASES) {
    it(`${target.replace(/url=\S*\//, '')} is ${result}`, async () => {
      const answer = await answerOf(target);
      assert.equal(valueIn(answer, 'result'), result);
      if (message === undefined) assert.equal(valueIn(answer, 'message'), undefined);
      else assert.match(String(valueIn(answer, 'message')), message);
    });
  }

  const coding = { system: CODES, code: 'RR8', display: TEXT_OF_RR8 };
  const other = { system: 'urn:x', code: '1' };
  const BODIES: readonly (readonly [
    name: string,
    parameter: readonly object[],
    result: boolean,
  ])[] = [
    ['a coding', [{ name: 'coding', valueCoding: coding }], true],
    [
      'a coding of another system than the URL',
      [
        { name: 'url', valueUri: ROLES },
        { name: 'coding', valueCoding: coding },
      ],
      false,
    ],
    [
      'a concept with one valid coding',
      [
        { name: 'url', valueUri: CODES },
        { name: 'codeableConcept', valueCodeableConcept: { coding: [other, coding] } },
      ],
      true,
    ],
    [
      'a concept without a coding of the system',
      [
        { name: 'url', valueUri: CODES },
        { name: 'codeableConcept', valueCodeableConcept: { coding: [other] } },
      ],
      false,
    ],
  ];
  const role = { system: ROLES, code: 'RO197' };
  const VALUE_SET_BODIES: typeof BODIES = [
    [
      'the parameters of the client of HAPI FHIR',
      [
        { name: 'url', valueUri: ROLES_SET },
        { name: 'code', valueString: 'RO197' },
        { name: 'system', valueUri: ROLES },
        { name: 'display', valueString: 'NHS TRUST' },
      ],
      true,
    ],
    [
      'a coding',
      [
        { name: 'url', valueUri: ROLES_SET },
        { name: 'coding', valueCoding: role },
      ],
      true,
    ],
    [
      'a concept with one valid coding',
      [
        { name: 'url', valueUri: ROLES_SET },
        { name: 'codeableConcept', valueCodeableConcept: { coding: [other, role] } },
      ],
      true,
    ],
    [
      'a coding of another system',
      [
        { name: 'url', valueUri: ROLES_SET },
        { name: 'coding', valueCoding: coding },
      ],
      false,
    ],
  ];
  for (const [name, parameter, result] of VALUE_SET_BODIES) {
    it(`takes Parameters for a value set with ${name}`, async () => {
      const answer = await answerOf('ValueSet/$validate-code', parametersBody(parameter));
      assert.equal(valueIn(answer, 'result'), result);
      const [, ...noUrl] = parameter;
      const target = 'ValueSet/ODSOrganisationRole/$validate-code';
      assert.deepEqual(await answerOf(target, parametersBody(noUrl)), answer);
    });
  }

  for (const [name, parameter, result] of BODIES) {
    it(`takes Parameters with ${name}`, async () => {
      const answer = await answerOf('CodeSystem/$validate-code', parametersBody(parameter));
      assert.equal(valueIn(answer, 'result'), result);
      assert.equal(valueIn(answer, 'message') === undefined, result);
    });
  }

  const REFUSED: readonly (readonly [target: string, status: number, diagnostics: RegExp])[] = [
    ['CodeSystem/$validate-code', 400, /^\$validate-code needs one of code, coding and/],
    [
      'CodeSystem/$validate-code?code=RR8',
      400,
      /^The URL of the code system is missing\. Send url\.$/,
    ],
    ['CodeSystem/$validate-code?code=RR8&url=urn:x', 404, /^Unknown code system "urn:x"/],
    [
      `CodeSystem/$validate-code?code=RR8&url=${CODES}&version=2`,
      404,
      /has version 1 on this server/,
    ],
    ['CodeSystem/none/$validate-code?code=RR8', 404, /^The code systems are ods-org/],
    ['ValueSet/$validate-code?code=RO197', 400, /needs the URL of a value set\. Send url\.$/],
    ['ValueSet/$validate-code?code=RO197&url=urn:x', 404, /^Unknown value set "urn:x"/],
    [
      `ValueSet/ODSRecordClass/$validate-code?code=RC1&url=${ROLES_SET}`,
      400,
      /^The URL of ODSRecordClass is/,
    ],
    [`ValueSet/ODSRecordClass/$validate-code?code=RC1&systemVersion=2`, 404, /has version 1/],
    [`ValueSet/$validate-code?code=RO197&url=${ROLES_SET}&valueSetVersion=2`, 404, /has version 1/],
    ['ValueSet/ODSRecordClass/$validate-code', 400, /^\$validate-code needs one of code, coding/],
    [
      `CodeSystem/ODSRecordClass/$validate-code?code=RC1&url=${ROLES}`,
      400,
      /^The URL of ODSRecordClass is \S+ODSRecordClass, not "\S+ODSOrganisationRole"\.$/,
    ],
  ];
  for (const [target, status, diagnostics] of REFUSED) {
    it(`${target.replaceAll(/url=https\S*\//g, '')} is ${status}`, async () => {
      assert.match(await diagnosticsOf(target, status), diagnostics);
    });
  }

  it('refuses a concept without codes', async () => {
    const body = parametersBody([
      { name: 'codeableConcept', valueCodeableConcept: { text: 'Leeds' } },
    ]);
    assert.match(await diagnosticsOf('CodeSystem/$validate-code', 400, body), /with a code\.$/);
  });
});
