/** The code systems of roles, relationships and successions, by their numbers. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { SourceRecord } from '../../../../src/directory/record/record.ts';
import { editionOf } from '../../directory-server.ts';
import { organization, role } from '../../records.ts';
import { startTerminology, validAnswer } from '../terminology-server.ts';
import { expandedCodes, lookedUp } from './answers.ts';
import { NATIONAL_CODE_SYSTEMS } from './national-data.ts';

const ODS = 'https://digital.nhs.uk/services/organisation-data-service';
const ROLE = `${ODS}/CodeSystem/organization-role-instance`;
const RELATIONSHIP = `${ODS}/CodeSystem/organization-relationship-instance`;
const SUCCESSION = `${ODS}/CodeSystem/succession`;
const ROLES = `${ODS}/CodeSystem/ODSOrganisationRole`;
const TYPES = `${ODS}/CodeSystem/ODSRelationship`;

const from = (start: string, end?: string) => [
  { kind: 'Operational' as const, start, ...(end !== undefined && { end }) },
  { kind: 'Legal' as const, start, ...(end !== undefined && { end }) },
];

const RECORDS: readonly SourceRecord[] = [
  {
    ...organization('A1', {
      name: 'A PRACTICE',
      roles: [
        role('177', { isPrimary: true, uniqueId: 30, periods: from('2001-04-01') }),
        role('76', { uniqueId: 9, isActive: false, periods: from('2001-04-01', '2010-03-31') }),
      ],
    }),
    relationships: [
      {
        type: '4',
        uniqueId: 500,
        isActive: true,
        periods: from('2019-10-01'),
        target: { code: 'B1' },
      },
      {
        type: '8',
        uniqueId: 40,
        isActive: false,
        periods: from('2013-04-01', '2020-03-31'),
        target: { code: 'GONE', primaryRole: '272' },
      },
      { type: '6', isActive: true, periods: [], target: { code: 'B1' } },
    ],
    successions: [
      {
        kind: 'Predecessor',
        uniqueId: 77,
        isForward: false,
        periods: [{ kind: 'Legal', start: '2013-04-01' }],
        target: { code: 'OLD' },
      },
    ],
  },
  {
    ...organization('B1', {
      name: 'A BOARD',
      roles: [role('319', { isPrimary: true, uniqueId: 100 })],
    }),
    successions: [
      {
        kind: 'Successor',
        uniqueId: 5,
        periods: [{ kind: 'Legal', start: '2022-07-01' }],
        target: { code: 'A1' },
      },
    ],
  },
  {
    ...organization('R9', { name: 'A REFERENCE', roles: [role('197', { uniqueId: 31 })] }),
    isReferenceOnly: true,
    successions: [
      {
        kind: 'Successor',
        uniqueId: 77,
        periods: [{ kind: 'Legal', start: '2013-04-01' }],
        target: { code: 'A1' },
      },
    ],
  },
];

const server = await startTerminology(editionOf(RECORDS, 1, NATIONAL_CODE_SYSTEMS));
after(() => server.close());

describe('$lookup with all properties', () => {
  const CASES: readonly (readonly [system: string, code: string, properties: string[]])[] = [
    [
      ROLE,
      '30',
      [
        'orgCode: A1 (A PRACTICE)',
        `role: ${ROLES}|RO177|PRESCRIBING COST CENTRE`,
        'primaryRole: true',
        'status: active',
        'opStartDate: 2001-04-01',
        'legStartDate: 2001-04-01',
      ],
    ],
    [
      ROLE,
      '9',
      [
        'orgCode: A1 (A PRACTICE)',
        `role: ${ROLES}|RO76|GP PRACTICE`,
        'primaryRole: false',
        'status: inactive',
        'opStartDate: 2001-04-01',
        'opEndDate: 2010-03-31',
        'legStartDate: 2001-04-01',
        'legEndDate: 2010-03-31',
      ],
    ],
    [
      RELATIONSHIP,
      '500',
      [
        `relationshipTypeCode: ${TYPES}|RE4|IS COMMISSIONED BY`,
        'sourceOrgCode: A1 (A PRACTICE)',
        `sourceOrgRole: ${ROLES}|RO177|PRESCRIBING COST CENTRE`,
        'targetOrgCode: B1 (A BOARD)',
        `targetOrgRole: ${ROLES}|RO319|SUB ICB LOCATION`,
        'status: active',
        'opStartDate: 2019-10-01',
        'legStartDate: 2019-10-01',
      ],
    ],
    [
      RELATIONSHIP,
      '40',
      [
        `relationshipTypeCode: ${TYPES}|RE8|IS PARTNER TO`,
        'sourceOrgCode: A1 (A PRACTICE)',
        `sourceOrgRole: ${ROLES}|RO177|PRESCRIBING COST CENTRE`,
        'targetOrgCode: GONE',
        `targetOrgRole: ${ROLES}|RO272|PRIMARY CARE NETWORK`,
        'status: inactive',
        'opStartDate: 2013-04-01',
        'opEndDate: 2020-03-31',
        'legStartDate: 2013-04-01',
        'legEndDate: 2020-03-31',
      ],
    ],
    [
      SUCCESSION,
      '77',
      [
        'predecessor: OLD',
        'successor: A1 (A PRACTICE)',
        'legStartDate: 2013-04-01',
        'forwardSuccession: false',
      ],
    ],
    [
      SUCCESSION,
      '5',
      ['predecessor: B1 (A BOARD)', 'successor: A1 (A PRACTICE)', 'legStartDate: 2022-07-01'],
    ],
  ];
  for (const [system, code, properties] of CASES) {
    it(`of ${code} of ${system.slice(system.lastIndexOf('/') + 1)}`, async () => {
      const target = `CodeSystem/$lookup?system=${system}&code=${code}&property=*`;
      assert.deepEqual(lookedUp(await validAnswer(server, target)), properties);
    });
  }

  for (const [system, usual] of [
    [ROLE, ['orgCode', 'role', 'status']],
    [RELATIONSHIP, ['relationshipTypeCode', 'sourceOrgCode', 'targetOrgCode', 'status']],
    [SUCCESSION, ['predecessor', 'successor']],
  ] as const) {
    it(`${system.slice(system.lastIndexOf('/') + 1)} has usual properties without any named`, async () => {
      const code = { [ROLE]: 30, [RELATIONSHIP]: 500, [SUCCESSION]: 77 }[system];
      const answer = await validAnswer(server, `CodeSystem/$lookup?system=${system}&code=${code}`);
      assert.deepEqual(
        lookedUp(answer).map((line) => line.split(':')[0]),
        usual,
      );
    });
  }

  for (const code of ['030', '30.0', '3e1', '-30', '31x', '99999999999999999999', '8']) {
    it(`the number ${code} is no code of a role`, async () => {
      const target = `CodeSystem/$lookup?system=${ROLE}&code=${code}`;
      const { issue } = await validAnswer(server, target, { status: 404 });
      assert.match(issue[0].diagnostics, /has no code /);
    });
  }
});

describe('$expand', () => {
  const CASES: readonly (readonly [query: string, total: number, codes: readonly string[]])[] = [
    [`url=${ROLE}`, 4, ['9', '30', '31', '100']],
    [`url=${ROLE}&count=2&offset=1`, 4, ['30', '31']],
    [`url=${ROLE}&count=0`, 4, []],
    [`url=${ROLE}&offset=999999999`, 4, []],
    [`url=${ROLE}&activeOnly=true`, 3, ['30', '31', '100']],
    [`url=${ROLE}&activeOnly=true&offset=1&count=1`, 3, ['31']],
    [`url=${ROLE}&filter=30`, 1, ['30']],
    [`url=${ROLE}&filter=30&activeOnly=true&offset=1`, 1, []],
    [`url=${ROLE}&filter=9&activeOnly=true`, 0, []],
    [`url=${ROLE}&filter=3`, 0, []],
    [`url=${RELATIONSHIP}`, 2, ['40', '500']],
    [`url=${RELATIONSHIP}&activeOnly=true`, 1, ['500']],
    [`url=${SUCCESSION}`, 2, ['5', '77']],
    [`url=${SUCCESSION}&activeOnly=true&filter=77`, 1, ['77']],
  ];
  for (const [query, total, codes] of CASES) {
    it(`with ${query.replaceAll(`${ODS}/CodeSystem/`, '')} has ${total} codes`, async () => {
      const answer = await validAnswer(server, `ValueSet/$expand?${query}`);
      assert.equal(answer.expansion.total, total);
      assert.deepEqual(expandedCodes(answer), codes);
    });
  }

  it('marks codes that are out of use', async () => {
    const { expansion } = await validAnswer(server, `ValueSet/$expand?url=${ROLE}`);
    const inactive = expansion.contains.filter((each: { inactive?: boolean }) => each.inactive);
    assert.deepEqual(
      inactive.map(({ code }: { code: string }) => code),
      ['9'],
    );
  });
});

it('$validate-code compares the properties of a relationship', async () => {
  const ask = async (query: string) => {
    const target = `CodeSystem/$validate-code?url=${RELATIONSHIP}&code=500&${query}`;
    return (await validAnswer(server, target)).parameter[0].valueBoolean;
  };
  assert.equal(await ask('relationshipTypeCode=RE4&status=active&opStartDate=2019-10-01'), true);
  assert.equal(await ask(`relationshipTypeCode=${TYPES}|RE4`), true);
  assert.equal(await ask('relationshipTypeCode=RE8'), false);
  assert.equal(await ask('targetOrgCode=B1&opEndDate=2020-03-31'), false);
});

it('a source without relationships has roles, and says that it has no relationships', async (context) => {
  const edition = editionOf(RECORDS, 1, NATIONAL_CODE_SYSTEMS);
  const other = await startTerminology({ ...edition, hasLinks: false });
  context.after(() => other.close());
  for (const [system, status] of [
    [ROLE, 200],
    [RELATIONSHIP, 503],
    [SUCCESSION, 503],
  ] as const) {
    const { text, ...answer } = await other.get(`/fhir/R4/ValueSet/$expand?url=${system}`);
    assert.equal(answer.status, status, text);
  }
});
