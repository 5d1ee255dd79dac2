/** What relationships, successions and numbers of an Organisation become, and a reference only. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Case, isPrimary, PLAIN, role, rolesOf } from './draft-fixture.ts';
import { organisation, readText, releaseXml } from './release-fixture.ts';

const relationship = (
  id: string,
  content: string,
  attributes = '',
  status = '<Status value="Active"/>',
): string => `<Rels><Rel id="${id}"${attributes}>${status}${content}</Rel></Rels>`;
const target = (code: string, role?: string): string =>
  `<Target><OrgId extension="${code}"/>${role === undefined ? '' : `<PrimaryRoleId${role}/>`}</Target>`;

const cases: readonly Case[] = [
  {
    name: 'relationships and successions',
    xml: organisation(
      '<Rels><Rel id="RE4" uniqueRelId="1"><Date><Type value="Legal"/><Start value="x"/></Date>' +
        '<Status value="Inactive"/><Target><OrgId extension="OTHER"/><PrimaryRoleId id="RO98"/>' +
        '</Target></Rel></Rels><Succs><Succ uniqueSuccId="1"><Date/><Type>Successor</Type>' +
        '<Target><OrgId extension="OTHER2"/></Target></Succ></Succs>',
    ),
    record: {
      relationships: [
        {
          type: '4',
          isActive: false,
          periods: [],
          target: { code: 'OTHER', primaryRole: '98' },
          uniqueId: 1,
        },
      ],
      successions: [{ kind: 'Successor', periods: [], target: { code: 'OTHER2' }, uniqueId: 1 }],
    },
    warnings: [
      'invalid-date A1: Legal Start x',
      'period-without-start A1: Legal',
      'element-left-out A1: a Date of type (none)',
    ],
  },
  {
    name: 'the authority and every number',
    xml: organisation(
      relationship(
        'RE4',
        target('RR8', ' id="RO197" uniqueRoleId="7"'),
        ' uniqueRelId="2147483647"',
      ),
      { roles: rolesOf(role('RO177', undefined, `${isPrimary} uniqueRoleId=" 3 "`)) },
    ).replace('<OrgId ', '<OrgId assigningAuthorityName=" HSCIC " '),
    record: {
      authority: 'HSCIC',
      roles: [{ code: '177', isPrimary: true, isActive: true, periods: [], uniqueId: 3 }],
      relationships: [
        {
          type: '4',
          isActive: true,
          periods: [],
          target: { code: 'RR8', primaryRole: '197', primaryRoleId: 7 },
          uniqueId: 2_147_483_647,
        },
      ],
    },
  },
  ...['0', '-1', '1.5', '2147483648', 'x', '1e3'].map((value) => ({
    name: `the number ${value} of a relationship`,
    xml: organisation(relationship('RE4', target('RR8'), ` uniqueRelId="${value}"`)),
    record: {
      relationships: [{ type: '4', isActive: true, periods: [], target: { code: 'RR8' } }],
    },
    warnings: [`invalid-number A1: uniqueRelId "${value}"`],
  })),
  {
    name: 'a relationship without a status, and of an unknown type',
    xml: organisation(relationship('re99', target('RR8'), '', ''), { status: 'Inactive' }),
    record: {
      isActive: false,
      relationships: [{ type: '99', isActive: false, periods: [], target: { code: 'RR8' } }],
    },
    warnings: ['no-status A1: relationship RE99', 'unknown-relationship A1: RE99'],
  },
  {
    name: 'relationships and successions without a type or a target',
    xml: organisation(
      `<Rels>${['<Rel/>', '<Rel id="RE4"/>', '<Rel id="R E" ><Target><OrgId extension="A"/></Target></Rel>', '<Rel id="RE4"><Target><OrgId extension="A-1"/></Target></Rel>'].join('')}</Rels>` +
        `<Succs><Succ/><Succ><Type>Heir</Type>${target('A')}</Succ><Succ><Type>Successor</Type></Succ></Succs>`,
    ),
    record: {},
    warnings: [
      'invalid-relationship A1: a Rel without a type: no id',
      'invalid-relationship A1: a Rel without a target: no code',
      'invalid-relationship A1: a Rel without a type: R E',
      'invalid-relationship A1: a Rel without a target: A-1',
      'invalid-succession A1: a Succ of type (none)',
      'invalid-succession A1: a Succ of type Heir',
      'invalid-succession A1: a Succ without a target: no code',
    ],
  },
  {
    name: 'forwardSuccession as an attribute and as an element',
    xml: organisation(
      `<Succs><Succ forwardSuccession="true"><Type> Successor </Type>${target('A')}</Succ>` +
        `<Succ><Type>Predecessor</Type>${target('B')}<forwardSuccession>false</forwardSuccession></Succ></Succs>`,
    ),
    record: {
      successions: [
        { kind: 'Successor', periods: [], target: { code: 'A' }, isForward: true },
        { kind: 'Predecessor', periods: [], target: { code: 'B' }, isForward: false },
      ],
    },
  },
  {
    name: 'a reference only',
    xml: organisation('', { attributes: 'orgRecordClass="RC1" refOnly="true"' }),
    record: { isReferenceOnly: true },
  },
  {
    name: 'a reference only without roles',
    xml: organisation('', { attributes: 'orgRecordClass="RC1" refOnly=" 1"', roles: '' }),
    record: { isReferenceOnly: true, roles: [] },
  },
];

describe('an Organisation element becomes a record with its links', () => {
  for (const { name, xml, record, warnings } of cases) {
    it(name, async () => {
      const told = await readText(releaseXml([xml]));
      assert.deepEqual(told.records, [{ ...PLAIN, ...record }]);
      assert.deepEqual(told.warnings, warnings ?? []);
    });
  }
});
