/** `$expand` of value sets in R4, and the resources of code systems and value sets. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { R4 } from '../../../src/fhir/definitions/fhir-version.ts';
import { encodeXml } from '../../../src/fhir/format/xml.ts';
import { editionOf, startDirectory } from '../directory-server.ts';
import { organization, role } from '../records.ts';
import { startTerminology, validAnswer } from './terminology-server.ts';

const ODS = 'https://digital.nhs.uk/services/organisation-data-service';
const ROLES = `${ODS}/ValueSet/ODSOrganisationRole`;
const RELATIONSHIPS = `${ODS}/ValueSet/ODSRelationship`;
const ROLE_CODES = ['RO29', 'RO57', 'RO76', 'RO157', 'RO177', 'RO197', 'RO198'];

const server = await startTerminology();
after(() => server.close());

const answerOf = (target: string, body?: string) => validAnswer(server, target, { body });

interface Contained {
  readonly system: string;
  readonly code: string;
}

function codesOf({ expansion }: { expansion: { contains?: readonly Contained[] } }): string[] {
  return (expansion.contains ?? []).map(({ code }) => code);
}

describe('$expand', () => {
  const CASES: readonly (readonly [target: string, total: number, codes: readonly string[]])[] = [
    [`ValueSet/$expand?url=${ROLES}`, 7, ROLE_CODES],
    [`ValueSet/$expand?url=${ODS}/CodeSystem/ODSOrganisationRole`, 7, ROLE_CODES],
    [`ValueSet/$expand?url=${ODS}/CodeSystem/ODSOrganisationRole/vs`, 7, ROLE_CODES],
    [`ValueSet/$expand?url=${ROLES}%7C1`, 7, ROLE_CODES],
    [`ValueSet/$expand?url=${ROLES}&valueSetVersion=1&activeOnly=true`, 7, ROLE_CODES],
    [
      `ValueSet/$expand?url=${ROLES}&excludeNotForUI=true&excludePostCoordinated=false` +
        `&designation=en&system-version=${ODS}/CodeSystem/ODSOrganisationRole%7C1&system-version=x`,
      7,
      ROLE_CODES,
    ],
    [`ValueSet/$expand?url=${ROLES}&filter=trust`, 3, ['RO57', 'RO197', 'RO198']],
    [`ValueSet/$expand?url=${ROLES}&filter=site+NHS+`, 1, ['RO198']],
    [`ValueSet/$expand?url=${ROLES}&filter=ro19`, 2, ['RO197', 'RO198']],
    [`ValueSet/$expand?url=${ROLES}&filter=nothing`, 0, []],
    [`ValueSet/$expand?url=${ROLES}&count=2`, 7, ['RO29', 'RO57']],
    [`ValueSet/$expand?url=${ROLES}&count=2&offset=6`, 7, ['RO198']],
    [`ValueSet/$expand?url=${ROLES}&offset=9`, 7, []],
    [`ValueSet/$expand?url=${ROLES}&filter=trust&offset=1&count=1`, 3, ['RO197']],
    [`ValueSet/$expand?url=${ROLES}&count=0`, 7, []],
    [`ValueSet/$expand?url=${RELATIONSHIPS}&filter=operated`, 1, ['RE6']],
    ['ValueSet/ODSRelationship/$expand', 2, ['RE4', 'RE6']],
    ['ValueSet/ODSRecordClass/$expand?count=1', 2, ['RC1']],
    ['ValueSet/England-ODSRecordUseType/$expand', 2, ['Full', 'RefOnly']],
  ];
  for (const [target, total, codes] of CASES) {
    it(`${target.replace(ODS, '')} has ${total} codes and returns ${codes.join(', ') || 'nothing'}`, async () => {
      const answer = await answerOf(target);
      assert.equal(answer.resourceType, 'ValueSet');
      assert.equal(answer.expansion.total, total);
      assert.deepEqual(codesOf(answer), codes);
    });
  }

  it('says which code system, version, page and filter it is of', async () => {
    const { url, expansion: found } = await answerOf(
      `ValueSet/$expand?url=${ROLES}&filter=trust&offset=1&count=1`,
    );
    assert.equal(url, ROLES);
    const system = `${ODS}/CodeSystem/ODSOrganisationRole`;
    const { identifier, ...expansion } = found;
    assert.match(identifier, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    assert.deepEqual(expansion, {
      timestamp: '2026-09-01T10:00:00.000Z',
      total: 3,
      offset: 1,
      parameter: [
        { name: 'version', valueUri: `${system}|1` },
        { name: 'used-codesystem', valueUri: `${system}|1` },
        { name: 'filter', valueString: 'trust' },
        { name: 'offset', valueInteger: 1 },
        { name: 'count', valueInteger: 1 },
      ],
      contains: [{ system, code: 'RO197', display: 'NHS TRUST' }],
    });
  });

  it('has no parameter for an empty filter', async () => {
    const { expansion } = await answerOf(`ValueSet/$expand?url=${ROLES}&filter=`);
    const all = await answerOf(`ValueSet/$expand?url=${ROLES}`);
    assert.deepEqual(expansion.parameter, all.expansion.parameter);
  });

  it('has the properties of codes that the client names', async () => {
    const { expansion } = await answerOf(
      `ValueSet/$expand?url=${ROLES}&filter=RO197&property=primaryRole&property=display`,
    );
    assert.deepEqual(expansion.contains[0].extension, [
      {
        url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-ValueSet.expansion.contains.property',
        extension: [
          { url: 'code', valueCode: 'primaryRole' },
          { url: 'value', valueBoolean: true },
        ],
      },
    ]);
  });

  it('takes Parameters by POST', async () => {
    const parameter = [
      { name: 'url', valueUri: ROLES },
      { name: 'filter', valueString: 'trust' },
      { name: 'count', valueInteger: 1 },
    ];
    const body = JSON.stringify({ resourceType: 'Parameters', parameter });
    assert.deepEqual(codesOf(await answerOf('ValueSet/$expand', body)), ['RO57']);
  });

  const REFUSED: readonly (readonly [target: string, status: number, diagnostics: RegExp])[] = [
    ['ValueSet/$expand', 400, /^\$expand needs the URL of a value set\. Send url\.$/],
    [
      'ValueSet/$expand?url=urn:x',
      404,
      /^Unknown value set "urn:x"\. See http:\/\/directory\.test\/fhir\/R4\/ValueSet for the list of value sets\.$/,
    ],
    [
      `ValueSet/$expand?url=${ROLES}%7C2`,
      404,
      /^The value set \S+ has version 1 on this server, not "2"/,
    ],
    [
      'ValueSet/none/$expand',
      404,
      /^The value sets are ods-organization-code, ODSOrganisationRole, /,
    ],
    [
      'ValueSet/postcode/$expand',
      404,
      /^This directory has no codes of \S+postcode\. .*import-postcodes/,
    ],
    [
      `ValueSet/ODSRecordClass/$expand?url=${ROLES}`,
      400,
      /^The URL of ODSRecordClass is \S+, not /,
    ],
    [`ValueSet/$expand?url=${ROLES}&count=-1`, 400, /^The parameter count must be a whole number/],
    [
      `ValueSet/$expand?url=${ROLES}&filter=${'a+'.repeat(51)}`,
      400,
      /^The parameter filter has more than 100/,
    ],
    [`ValueSet/$expand?url=${ROLES}&activeOnly=yes`, 400, /^The parameter activeOnly must be true/],
    [
      `ValueSet/$expand?url=${ROLES}&property=primaryRole&property=bogus`,
      400,
      /^Unknown property "bogus" of \S+\. The only property is primaryRole\.$/,
    ],
    [`ValueSet/$expand?url=${ROLES}&colour=red`, 400, /^Unknown parameter "colour" of \$expand\./],
    [`ValueSet/$expand?url=${ROLES}&url=${ROLES}`, 400, /^Send the parameter url only once\.$/],
  ];
  for (const [target, status, diagnostics] of REFUSED) {
    it(`${target.replaceAll(ODS, '')} is ${status}`, async () => {
      const answer = await server.get(`/fhir/R4/${target}`);
      assert.equal(answer.status, status);
      assert.match(JSON.parse(answer.text).issue[0].diagnostics, diagnostics);
    });
  }
});

describe('$expand of a value set in the request', () => {
  const SYSTEM = 'https://fhir.nhs.uk/Id/ods-organization-code';
  const CHANGED = { property: 'lastChangeDate', op: '=', value: '2023-11-14' };
  const include = (...filter: object[]) => ({ include: [{ system: SYSTEM, filter }] });
  const bodyOf = (compose: object, ...more: object[]) => ({
    resourceType: 'Parameters',
    parameter: [
      { name: 'valueSet', resource: { resourceType: 'ValueSet', status: 'draft', compose } },
      ...more,
    ],
  });
  const expand = (...given: Parameters<typeof bodyOf>) =>
    answerOf('ValueSet/$expand', JSON.stringify(bodyOf(...given)));

  it('has the organisations that changed on a day, with their properties', async () => {
    const compose = include(CHANGED);
    const answer = await expand(
      compose,
      { name: 'property', valueCode: 'status' },
      { name: 'property', valueCode: 'postcode' },
    );
    assert.deepEqual(answer.compose, compose);
    const { total, contains } = answer.expansion;
    assert.equal(total, 1);
    const [{ extension, ...code }] = contains;
    assert.deepEqual(code, {
      system: SYSTEM,
      code: 'RR8',
      display: 'LEEDS TEACHING HOSPITALS NHS TRUST',
    });
    assert.deepEqual(
      extension.map((each: { extension: readonly object[] }) => each.extension),
      [
        [
          { url: 'code', valueCode: 'status' },
          { url: 'value', valueCode: 'active' },
        ],
        [
          { url: 'code', valueCode: 'postcode' },
          { url: 'value', valueString: 'LS9 7TF' },
        ],
      ],
    );
  });

  it('is the same in XML', async () => {
    const body = encodeXml(bodyOf(include(CHANGED)), R4.definitions);
    const { status, text } = await server.post('/fhir/R4/ValueSet/$expand', body, {
      accept: 'application/fhir+json',
      'content-type': 'application/fhir+xml',
    });
    assert.equal(status, 200, text);
    assert.deepEqual(JSON.parse(text), await expand(include(CHANGED)));
  });

  it('has periods, active organisations and pages, with reference-only records last', async () => {
    const all = include({ ...CHANGED, value: 'ge2000' });
    const codes = async (...more: object[]) => codesOf(await expand(all, ...more));
    assert.deepEqual(await codes(), ['A81001', 'A81002', 'RR8', 'R1']);
    const activeOnly = { name: 'activeOnly', valueBoolean: true };
    assert.deepEqual(await codes(activeOnly), ['A81001', 'RR8', 'R1']);
    const page = [
      { name: 'offset', valueInteger: 1 },
      { name: 'count', valueInteger: 2 },
    ];
    const { expansion } = await expand(all, ...page);
    assert.deepEqual([expansion.total, expansion.offset], [4, 1]);
    assert.deepEqual(await codes(...page), ['A81002', 'RR8']);
    const between = include(
      { ...CHANGED, value: 'ge2023-11-01' },
      { ...CHANGED, value: 'lt2023-12-01' },
    );
    assert.deepEqual(codesOf(await expand(between)), ['RR8']);
  });

  it('has the organisations with a role, and none for a role of another code system', async () => {
    const codes = async (value: string) =>
      codesOf(await expand(include({ property: 'primaryRole', op: '=', value })));
    const own = await codes('RO197');
    assert.ok(own.includes('RR8'));
    assert.deepEqual(await codes(`${ODS}/CodeSystem/ODSOrganisationRole|RO197`), own);
    assert.deepEqual(await codes('urn:x|RO197'), []);
  });

  it('filters by role as $lookup states it, also of organisations without an active role', async (context) => {
    const roles = [role('197', { isPrimary: true, isActive: false })];
    const closed = organization('A1', { roles, isActive: false });
    const partly = organization('A2', { roles: [role('177', { isPrimary: true }), ...roles] });
    const few = await startTerminology(editionOf([closed, partly, organization('A3', { roles })]));
    context.after(() => few.close());
    const codes = async (value: string) => {
      const body = JSON.stringify(bodyOf(include({ property: 'role', op: '=', value })));
      return codesOf(await validAnswer(few, 'ValueSet/$expand', { body }));
    };
    assert.deepEqual(await codes('RO197'), ['A1', 'A3']);
    assert.deepEqual(await codes('RO177'), ['A2']);
  });

  it('has at most as many codes as the setting allows', async (context) => {
    const small = await startDirectory({ settings: { 'r4.countMax': 2 } });
    context.after(() => small.close());
    const body = JSON.stringify(bodyOf(include({ ...CHANGED, value: 'ge2000' })));
    const { text } = await small.post('/fhir/R4/ValueSet/$expand', body, {
      'content-type': 'application/fhir+json',
    });
    assert.equal(codesOf(JSON.parse(text)).length, 2);
  });

  it('refuses very many properties at once, and names a count that works', async (context) => {
    const records = Array.from({ length: 400 }, (_, i) => organization(`A${1000 + i}`));
    const large = await startTerminology(editionOf(records));
    context.after(() => large.close());
    const ask = async (count: number) => {
      const more = [
        { name: 'property', valueCode: '*' },
        { name: 'count', valueInteger: count },
      ];
      const body = JSON.stringify(bodyOf(include({ ...CHANGED, value: 'ge2000' }), ...more));
      const headers = { 'content-type': 'application/fhir+json' };
      return JSON.parse((await large.post('/fhir/R4/ValueSet/$expand', body, headers)).text);
    };
    const [, most] =
      /Send a count of at most (\d+),/.exec((await ask(400)).issue[0].diagnostics) ?? [];
    assert.equal(codesOf(await ask(Number(most))).length, Number(most));
  });

  const NEEDED = /^This valueSet cannot be expanded\. It needs a compose with one include and /;
  const FILTERS = /^A filter of \S+ must have the op "=", a value, and one of .* lastChangeDate, /;
  const PLAIN = include(CHANGED);
  const OTHERS: readonly (readonly [name: string, body: object, diagnostics: RegExp])[] = [
    ['no system', bodyOf({ include: [{ filter: [CHANGED] }] }), NEEDED],
    ['no include', bodyOf({ inactive: true }), /^ValueSet\.compose needs include\.$/],
    ['two includes', bodyOf({ include: [...PLAIN.include, ...PLAIN.include] }), NEEDED],
    ['an exclude', bodyOf({ ...PLAIN, exclude: PLAIN.include }), NEEDED],
    [
      'filters and a list of codes',
      bodyOf({ include: [{ system: SYSTEM, filter: [CHANGED], concept: [{ code: 'RR8' }] }] }),
      NEEDED,
    ],
    ['another property', bodyOf(include({ ...CHANGED, property: 'name' })), FILTERS],
    ['another op', bodyOf(include({ ...CHANGED, op: 'in' })), FILTERS],
    [
      'another status',
      bodyOf(include({ property: 'status', op: '=', value: 'Active' })),
      /^Unknown value "Active" of the filter status\. Did you mean "active"\? /,
    ],
    [
      'a boolean of organisations that is none',
      bodyOf(include({ property: 'inactive', op: '=', value: 'no' })),
      /^Unknown value "no" of the filter inactive\. The values are true, false\.$/,
    ],
    [
      'a boolean of roles that is none',
      bodyOf({
        include: [
          {
            system: `${ODS}/CodeSystem/ODSOrganisationRole`,
            filter: [{ property: 'primaryRole', op: '=', value: '1' }],
          },
        ],
      }),
      /^Unknown value "1" of the filter primaryRole\. /,
    ],
    ['no date', bodyOf(include({ ...CHANGED, value: 'soon' })), /must be a date/],
    [
      'a property that organisations cannot have',
      bodyOf(PLAIN, { name: 'property', valueCode: 'bogus' }),
      /^Unknown property "bogus" of \S+\. See \S+ for the list of properties\.$/,
    ],
    ['a url beside it', bodyOf(PLAIN, { name: 'url', valueUri: ROLES }), /^Send valueSet alone/],
    [
      'another resource',
      {
        resourceType: 'Parameters',
        parameter: [{ name: 'valueSet', resource: { resourceType: 'Bundle', type: 'batch' } }],
      },
      /^Send the parameter valueSet as resource of a Parameters resource\.$/,
    ],
    [
      'a value in place of it',
      { resourceType: 'Parameters', parameter: [{ name: 'valueSet', valueString: 'x' }] },
      /^Send the parameter valueSet as resource/,
    ],
  ];
  for (const [name, body, diagnostics] of OTHERS) {
    it(`refuses ${name}`, async () => {
      const options = { body: JSON.stringify(body), status: 400 };
      const { issue } = await validAnswer(server, 'ValueSet/$expand', options);
      assert.match(issue[0].diagnostics, diagnostics);
    });
  }
});
