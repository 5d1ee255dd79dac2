/** What each element and trap of an Organisation becomes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Case, isPrimary, PLAIN, role, rolesOf } from './draft-fixture.ts';
import { organisation, readText, releaseXml } from './release-fixture.ts';

const date = (type: string, start?: string, end?: string): string =>
  `<Date><Type value="${type}"/>${start === undefined ? '' : `<Start value="${start}"/>`}` +
  `${end === undefined ? '' : `<End value="${end}"/>`}</Date>`;
const location = (content: string): string => `<GeoLoc><Location>${content}</Location></GeoLoc>`;

const cases: readonly Case[] = [
  { name: 'a record with nothing but what it needs', xml: organisation(''), record: {} },
  {
    name: 'a name with spaces around it and white space inside',
    xml: organisation('<Name>  THE \n\t SURGERY\u00a0LTD </Name>'),
    record: { name: 'THE SURGERY LTD' },
  },
  {
    name: 'a name with entities, character references and a CDATA section',
    xml: organisation('<Name>A &amp; B&#39;S <![CDATA[<C & D>]]> CAF&#xC9;</Name>'),
    record: { name: "A & B'S <C & D> CAFÉ" },
  },
  {
    name: 'a name with a comment inside',
    xml: organisation('<Name>ONE<!-- two --> THREE</Name>'),
    record: { name: 'ONE THREE' },
  },
  { name: 'an empty name', xml: organisation('<Name> </Name>'), record: {} },
  {
    name: 'elements with a prefix',
    xml: organisation('<HSCOrgRefData:Name>PREFIXED</HSCOrgRefData:Name>'),
    record: { name: 'PREFIXED' },
  },
  {
    name: 'a site, with its attributes in another order',
    xml: organisation('', { attributes: 'refOnly="false" orgRecordClass="RC2"' }),
    record: { recordClass: '2' },
  },
  {
    name: 'an inactive record',
    xml: organisation('', { status: 'Inactive' }),
    record: { isActive: false },
  },
  {
    name: 'no Status: that of the primary role',
    xml: organisation('', {
      status: '',
      roles: rolesOf(
        role('RO76', '<Status value="Inactive"/>'),
        role('RO177', undefined, isPrimary),
      ),
    }),
    record: {
      roles: [
        { code: '177', isPrimary: true, isActive: true, periods: [] },
        { code: '76', isPrimary: false, isActive: false, periods: [] },
      ],
    },
    warnings: ['status-from-role A1: RO177'],
  },
  {
    name: 'no Status anywhere',
    xml: organisation('', { status: '', roles: rolesOf(role('RO177', '', isPrimary)) }),
    record: {
      isActive: false,
      roles: [{ code: '177', isPrimary: true, isActive: false, periods: [] }],
    },
    warnings: ['no-status A1', 'no-status A1: role RO177'],
  },
  {
    name: 'a Status that is neither Active nor Inactive: as if it were absent, and told',
    xml: organisation('', { status: 'Proposed' }),
    record: {},
    warnings: ['unknown-value A1: Status "Proposed"', 'status-from-role A1: RO177'],
  },
  {
    name: 'a Status in another case, with white space around it',
    xml: organisation('', { status: ' inACTIVE ' }),
    record: { isActive: false },
  },
  {
    name: 'a Status of a role that is neither Active nor Inactive',
    xml: organisation('', {
      roles: rolesOf(role('RO177', '<Status value="Proposed"/>', isPrimary)),
    }),
    record: {},
    warnings: ['unknown-value A1: Status of RO177 "Proposed"', 'no-status A1: role RO177'],
  },
  ...['1', ' true ', '\n1\t'].map((value) => ({
    name: `primaryRole="${JSON.stringify(value)}"`,
    xml: organisation('', {
      roles: rolesOf(
        role('RO76', undefined, ' primaryRole="0"'),
        role('RO177', undefined, ` primaryRole="${value}"`),
        role('RO197', undefined, ' primaryRole=" false"'),
      ),
    }),
    record: {
      roles: ['177', '76', '197'].map((code, index) => ({
        code,
        isPrimary: index === 0,
        isActive: true,
        periods: [],
      })),
    },
  })),
  {
    name: 'primaryRole with a value that is no boolean',
    xml: organisation('', {
      roles: rolesOf(
        role('RO177', undefined, isPrimary),
        role('RO76', undefined, ' primaryRole="yes"'),
      ),
    }),
    record: {
      roles: [
        { code: '177', isPrimary: true, isActive: true, periods: [] },
        { code: '76', isPrimary: false, isActive: true, periods: [] },
      ],
    },
    warnings: ['unknown-value A1: primaryRole of RO76 "yes"'],
  },
  {
    name: 'refOnly with a value that is no boolean',
    xml: organisation('', { attributes: 'orgRecordClass="RC1" refOnly="no"' }),
    record: {},
    warnings: ['unknown-value A1: refOnly "no"'],
  },
  {
    name: 'a record class that the code system lacks',
    xml: organisation('', { attributes: 'orgRecordClass="RC3"' }),
    record: { recordClass: '3' },
    warnings: ['unknown-record-class A1: RC3'],
  },
  {
    name: 'a record class in lower case',
    xml: organisation('', { attributes: 'orgRecordClass="rc2"' }),
    record: { recordClass: '2' },
  },
  {
    name: 'a role id in lower case',
    xml: organisation('', { roles: rolesOf(role('ro197', undefined, isPrimary)) }),
    record: { roles: [{ code: '197', isPrimary: true, isActive: true, periods: [] }] },
  },
  {
    name: 'a role id that is not a number',
    xml: organisation('', {
      roles: rolesOf(role('XX12'), role('RO177', undefined, isPrimary)),
    }),
    record: {
      roles: [
        { code: '177', isPrimary: true, isActive: true, periods: [] },
        { code: 'XX12', isPrimary: false, isActive: true, periods: [] },
      ],
    },
    warnings: ['unknown-role A1: XX12'],
  },
  {
    name: 'a role without Status takes that of the organisation',
    xml: organisation('', { roles: rolesOf(role('RO177', '', isPrimary)) }),
    record: {},
    warnings: ['no-status A1: role RO177'],
  },
  {
    name: 'no LastChangeDate',
    xml: organisation('<LastChangeDate/>'),
    record: { lastUpdated: '2026-08-28' },
    warnings: ['no-last-change-date A1'],
  },
  {
    name: 'an impossible LastChangeDate',
    xml: organisation('<LastChangeDate value="2019-02-29"/>'),
    record: { lastUpdated: '2026-08-28' },
    warnings: ['invalid-date A1: LastChangeDate 2019-02-29', 'no-last-change-date A1'],
  },
  {
    name: 'periods: Operational first, then Legal',
    xml: organisation(
      date('Legal', '2000-01-01') + date('Operational', '2001-02-03', '2004-02-29'),
    ),
    record: {
      periods: [
        { kind: 'Operational', start: '2001-02-03', end: '2004-02-29' },
        { kind: 'Legal', start: '2000-01-01' },
      ],
    },
  },
  {
    name: 'a Legal period alone',
    xml: organisation(date('Legal', '2000-01-01')),
    record: { periods: [{ kind: 'Legal', start: '2000-01-01' }] },
  },
  {
    name: 'an end without a start',
    xml: organisation(date('Operational', undefined, '2004-03-31')),
    record: { periods: [{ kind: 'Operational', end: '2004-03-31' }] },
    warnings: ['period-without-start A1: Operational'],
  },
  {
    name: 'an end, and a start that is not a date',
    xml: organisation(date('Operational', '2004-13-01', '2004-03-31')),
    record: { periods: [{ kind: 'Operational', end: '2004-03-31' }] },
    warnings: [
      'invalid-date A1: Operational Start 2004-13-01',
      'period-without-start A1: Operational',
    ],
  },
  {
    name: 'a period without a date',
    xml: organisation(date('Operational', undefined)),
    record: { periods: [] },
    warnings: ['period-without-start A1: Operational'],
  },
  {
    name: 'a start that is not a date',
    xml: organisation(date('Operational', '2004-13-01')),
    record: {},
    warnings: [
      'invalid-date A1: Operational Start 2004-13-01',
      'period-without-start A1: Operational',
    ],
  },
  {
    name: 'an end that is not a date',
    xml: organisation(date('Legal', '2004-01-01', '31/03/2005')),
    record: { periods: [{ kind: 'Legal', start: '2004-01-01' }] },
    warnings: ['invalid-date A1: Legal End 31/03/2005'],
  },
  {
    name: 'an end before the start',
    xml: organisation(date('Legal', '2004-01-02', '2004-01-01')),
    record: { periods: [{ kind: 'Legal', start: '2004-01-02' }] },
    warnings: ['invalid-date A1: Legal End 2004-01-01 before its Start 2004-01-02'],
  },
  {
    name: 'an end on the day of the start',
    xml: organisation(date('Legal', '2004-01-02', '2004-01-02')),
    record: { periods: [{ kind: 'Legal', start: '2004-01-02', end: '2004-01-02' }] },
  },
  {
    name: 'a date of an unknown type',
    xml: organisation(date('Imaginary', '2004-01-02')),
    record: {},
    warnings: ['element-left-out A1: a Date of type Imaginary'],
  },
  {
    name: 'address lines with a gap',
    xml: organisation(location('<AddrLn1>ONE</AddrLn1><AddrLn3>THREE</AddrLn3>')),
    record: { address: { lines: ['ONE', 'THREE'] } },
  },
  {
    name: 'address lines without the first, the second empty, in disorder',
    xml: organisation(location('<AddrLn3>THREE</AddrLn3><AddrLn2> </AddrLn2><Town>HULL</Town>')),
    record: { address: { lines: ['THREE'], city: 'HULL' } },
  },
  {
    name: 'a whole address, its postcode with extra spaces',
    xml: organisation(
      location(
        '<AddrLn1>1 ROAD</AddrLn1><Town> LEEDS</Town><County>WEST  YORKSHIRE</County>' +
          '<PostCode> LS6   4JN </PostCode><Country>ENGLAND</Country><UPRN>72000001</UPRN>',
      ),
    ),
    record: {
      address: {
        lines: ['1 ROAD'],
        city: 'LEEDS',
        district: 'WEST YORKSHIRE',
        postalCode: 'LS6 4JN',
        country: 'ENGLAND',
        uprn: '72000001',
      },
    },
  },
  { name: 'an empty location', xml: organisation(location('<Town/>')), record: {} },
  {
    name: 'a second location',
    xml: organisation(location('<Town>ONE</Town>') + location('<Town>TWO</Town>')),
    record: { address: { lines: [], city: 'ONE' } },
    warnings: ['element-left-out A1: all but the first Location'],
  },
  {
    name: 'contacts of every type',
    xml: organisation(
      '<Contacts><Contact type="tel" value="01632 960001"/><Contact value="01632 960002" type="fax"/>' +
        '<Contact type="mailto" value="a@example.org"/><Contact type="http" value="example.org"/>' +
        '<Contact type="pager" value="7"/><Contact type="tel" value=" "/></Contacts>',
    ),
    record: {
      telecoms: [
        { system: 'phone', value: '01632 960001' },
        { system: 'fax', value: '01632 960002' },
        { system: 'email', value: 'a@example.org' },
        { system: 'url', value: 'example.org' },
        { system: 'other', value: '7' },
      ],
    },
    warnings: ['unknown-contact-type A1: pager'],
  },
  {
    name: 'the primary role comes first, the others in the order of the file',
    xml: organisation('', {
      roles: rolesOf(
        role('RO76'),
        role('RO197'),
        role('RO177', undefined, isPrimary),
        role('RO76'),
      ),
    }),
    record: {
      roles: ['177', '76', '197', '76'].map((code, index) => ({
        code,
        isPrimary: index === 0,
        isActive: true,
        periods: [],
      })),
    },
  },
  {
    name: 'one role held three times, one of them primary',
    xml: organisation('', {
      roles: rolesOf(
        role(
          'RO177',
          `${date('Operational', '1990-01-01', '1999-12-31')}<Status value="Inactive"/>`,
        ),
        role('RO177', `${date('Legal', '2000-01-01')}<Status value="Active"/>`, isPrimary),
        role('RO177', '<Status value="Inactive"/>', ' primaryRole="false"'),
      ),
    }),
    record: {
      roles: [
        {
          code: '177',
          isPrimary: true,
          isActive: true,
          periods: [{ kind: 'Legal', start: '2000-01-01' }],
        },
        {
          code: '177',
          isPrimary: false,
          isActive: false,
          periods: [{ kind: 'Operational', start: '1990-01-01', end: '1999-12-31' }],
        },
        { code: '177', isPrimary: false, isActive: false, periods: [] },
      ],
    },
  },
  {
    name: 'a role that the code system lacks',
    xml: organisation('', { roles: rolesOf(role('RO999'), role('RO177', undefined, isPrimary)) }),
    record: {
      roles: [
        { code: '177', isPrimary: true, isActive: true, periods: [] },
        { code: '999', isPrimary: false, isActive: true, periods: [] },
      ],
    },
    warnings: ['unknown-role A1: RO999'],
  },
  {
    name: 'a role without an id',
    xml: organisation('', {
      roles: rolesOf('<Role uniqueRoleId="2"/>', role('RO177', undefined, isPrimary)),
    }),
    record: {},
    warnings: ['unknown-role A1: a role without a code: no id'],
  },
  {
    name: 'elements that the format does not have',
    xml: organisation(
      '<Alias>X<Name>NOT THIS</Name></Alias><Name>THIS</Name>' +
        location('<Town>A<b>x</b>B</Town><Planet/>'),
    ),
    record: { name: 'THIS', address: { lines: [], city: 'AB' } },
    warnings: ['unknown-element A1: Alias', 'unknown-element A1: b', 'unknown-element A1: Planet'],
  },
  {
    name: 'a second name',
    xml: organisation(`<Name>FIRST</Name><Name>SECOND</Name>${location('<Town>HULL</Town>')}`),
    record: { name: 'FIRST', address: { lines: [], city: 'HULL' } },
  },
  { name: 'a code with spaces around it', xml: organisation('', { code: ' A1 ' }), record: {} },
  {
    name: 'the longest code',
    xml: organisation('', { code: 'x'.repeat(64) }),
    record: { code: 'x'.repeat(64) },
  },
];

describe('an Organisation element becomes a record', () => {
  for (const { name, xml, record, warnings } of cases) {
    it(name, async () => {
      const told = await readText(releaseXml([xml]));
      assert.deepEqual(told.records, [{ ...PLAIN, ...record }]);
      assert.deepEqual(told.warnings, warnings ?? []);
      assert.deepEqual(told.leftOut, []);
    });
  }
});

const refused: readonly (readonly [name: string, xml: string, leftOut: string])[] = [
  ['no roles', organisation('', { roles: '' }), 'no-role A1'],
  ['an empty list of roles', organisation('', { roles: '<Roles/>' }), 'no-role A1'],
  ['no primary role', organisation('', { roles: rolesOf(role('RO177')) }), 'no-primary-role A1'],
  [
    'primaryRole with a value that is no boolean alone',
    organisation('', { roles: rolesOf(role('RO177', '', ' primaryRole="yes"')) }),
    'no-primary-role A1: primaryRole of RO177 "yes"',
  ],
  [
    'two primary roles',
    organisation('', { roles: rolesOf(role('RO177', '', isPrimary), role('RO76', '', isPrimary)) }),
    'several-primary-roles A1: RO177, RO76',
  ],
  ['a code with a hyphen', organisation('', { code: 'A-1' }), 'invalid-code A-1'],
  ['a code with a letter beyond ASCII', organisation('', { code: 'É1' }), 'invalid-code É1'],
  ['an empty code', organisation('', { code: '' }), 'invalid-code '],
  [
    'a code of 65 characters',
    organisation('', { code: 'x'.repeat(65) }),
    `invalid-code ${'x'.repeat(65)}`,
  ],
  [
    'a code that would take over a terminal',
    organisation('', { code: `A&#x9b;31m&#10;${'y'.repeat(200)}` }),
    `invalid-code A 31m ${'y'.repeat(74)}…`,
  ],
  [
    'a reference with an invalid code',
    organisation('', { code: '?', attributes: 'refOnly="true"' }),
    'invalid-code ?',
  ],
];

describe('an Organisation element is left out', () => {
  for (const [name, xml, leftOut] of refused) {
    it(`for ${name}, and the next one is read`, async () => {
      const told = await readText(releaseXml([xml, organisation('', { code: 'A2' })]));
      assert.deepEqual(told.leftOut, [leftOut]);
      assert.deepEqual(told.records, [{ ...PLAIN, code: 'A2' }]);
      assert.deepEqual(told.warnings, []);
      assert.equal(told.summary.recordsLeftOut, 1);
    });
  }
});
