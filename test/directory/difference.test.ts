/** The difference between two editions, held to a plain comparison of the same records. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ComparableEdition,
  type Difference,
  findDifference,
  recordHash,
} from '../../src/directory/edition/difference.ts';
import type { OrganizationRecord } from '../../src/directory/record/record.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';

/** Code, content, primary role. */
type Entry = readonly [code: string, content: number, role: string];

function editionOf(entries: readonly Entry[]): ComparableEdition {
  return {
    records: entries.length,
    code: (row) => entries[row]![0],
    primaryRole: (row) => entries[row]![2],
    // Contents that differ in one half of the hash only.
    hashes: Uint32Array.from(entries.flatMap(([, content]) => [content >> 2, content & 3])),
  };
}

describe('findDifference', () => {
  const cases: readonly [string, readonly Entry[], readonly Entry[], Difference][] = [
    ['nothing and nothing', [], [], { added: [], changed: [], removed: [], byRole: [] }],
    [
      'equal editions',
      [['A1', 1, '177']],
      [['A1', 1, '177']],
      { added: [], changed: [], removed: [], byRole: [] },
    ],
    [
      'some of each',
      [
        ['A1', 1, '177'],
        ['B2', 2, '98'],
        ['C3', 3, '177'],
        ['X9', 5, '197'],
      ],
      [
        ['A0', 1, '177'],
        ['B2', 2, '98'],
        ['C3', 4, '177'],
        ['Y1', 1, '98'],
        ['Y2', 1, '98'],
      ],
      {
        added: ['A0', 'Y1', 'Y2'],
        changed: ['C3'],
        removed: ['A1', 'X9'],
        byRole: [
          { code: '177', added: 1, changed: 1, removed: 1 },
          { code: '197', added: 0, changed: 0, removed: 1 },
          { code: '98', added: 2, changed: 0, removed: 0 },
        ],
      },
    ],
    [
      'a changed role, which counts as it is now',
      [['A1', 1, '177']],
      [['A1', 2, '98']],
      {
        added: [],
        changed: ['A1'],
        removed: [],
        byRole: [{ code: '98', added: 0, changed: 1, removed: 0 }],
      },
    ],
  ];
  for (const [what, before, after, expected] of cases) {
    it(`finds ${what}`, () => {
      assert.deepEqual(findDifference(editionOf(before), editionOf(after)), expected);
    });
  }

  it('counts everything as added to nothing', () => {
    const entries: readonly Entry[] = [
      ['A1', 1, '177'],
      ['B2', 0, '177'],
    ];
    assert.deepEqual(findDifference(undefined, editionOf(entries)), {
      added: ['A1', 'B2'],
      changed: [],
      removed: [],
      byRole: [{ code: '177', added: 2, changed: 0, removed: 0 }],
    });
  });

  it('agrees with a plain comparison of any two editions', () => {
    const entry = fc.tuple(
      fc.stringMatching(/^[A-C0-1a]{1,3}$/),
      fc.nat(15),
      fc.constantFrom('177', '98', '197'),
    );
    const entries = fc
      .uniqueArray(entry, { selector: ([code]) => code, maxLength: 40 })
      .map((list) => list.sort(([left], [right]) => (left < right ? -1 : 1)));
    fc.assert(
      fc.property(entries, entries, (before, after) => {
        const difference = findDifference(editionOf(before), editionOf(after));
        assert.deepEqual(difference, compare(before, after));
      }),
      { numRuns: repetitions(100, 300) },
    );
  });

  const disordered: readonly (readonly [string, readonly Entry[]])[] = [
    [
      'out of order',
      [
        ['B2', 1, '177'],
        ['A1', 1, '177'],
      ],
    ],
    [
      'twice',
      [
        ['A1', 1, '177'],
        ['A1', 2, '177'],
      ],
    ],
  ];
  for (const [what, entries] of disordered) {
    it(`refuses an edition with codes ${what}`, () => {
      assert.throws(() => findDifference(undefined, editionOf(entries)), /not in ascending order/);
      assert.throws(() => findDifference(editionOf(entries), editionOf([])), RangeError);
    });
  }

  it('refuses an edition that lacks hashes', () => {
    const edition = { ...editionOf([['A1', 1, '177']]), hashes: new Uint32Array(1) };
    assert.throws(() => findDifference(undefined, edition), /1 records cannot have 0.5 hashes/);
  });
});

describe('recordHash', () => {
  const record: OrganizationRecord = {
    code: 'A1',
    name: 'THE SURGERY',
    isActive: true,
    lastUpdated: '2024-05-06',
    recordClass: '1',
    periods: [{ kind: 'Operational', start: '1974-04-01' }],
    roles: [
      {
        code: '177',
        isPrimary: true,
        isActive: true,
        periods: [{ kind: 'Legal', start: '1974-04-01', end: '1999-04-01' }],
      },
      { code: '76', isPrimary: false, isActive: true, periods: [] },
    ],
    telecoms: [{ system: 'phone', value: '01234 567890' }],
    address: {
      lines: ['1 HIGH STREET', 'VILLAGE'],
      city: 'LEEDS',
      district: 'WEST YORKSHIRE',
      postalCode: 'LS1 4AP',
      country: 'ENGLAND',
      uprn: '100',
    },
  };
  const [role, otherRole] = record.roles;
  const { address } = record;

  it('is two numbers of 32 bits', () => {
    const parts = recordHash(record);
    assert.equal(parts.length, 2);
    assert.deepEqual([...Uint32Array.from(parts)], [...parts]);
  });

  it('is the same for any order of properties, and for an undefined property', () => {
    const reversed = Object.fromEntries(Object.entries(record).reverse());
    const turned = { ...reversed, surplus: undefined } as unknown as OrganizationRecord;
    assert.deepEqual(recordHash(turned), recordHash(record));
  });

  const { name: _, ...nameless } = record;
  const { address: __, ...homeless } = record;
  const changes: readonly [string, OrganizationRecord][] = [
    ['code', { ...record, code: 'A2' }],
    ['name', { ...record, name: 'THE SURGERY.' }],
    ['no name', nameless],
    ['a name that says null', { ...record, name: 'null' }],
    ['status', { ...record, isActive: false }],
    ['date', { ...record, lastUpdated: '2024-05-07' }],
    ['class', { ...record, recordClass: '2' }],
    ['no period', { ...record, periods: [] }],
    ['kind of a period', { ...record, periods: [{ kind: 'Legal', start: '1974-04-01' }] }],
    [
      'end of a period',
      { ...record, periods: [{ kind: 'Operational', start: '1974-04-01', end: '2001-01-01' }] },
    ],
    ['order of roles', { ...record, roles: [otherRole!, role!] }],
    ['role', { ...record, roles: [{ ...role!, code: '178' }, otherRole!] }],
    ['role status', { ...record, roles: [role!, { ...otherRole!, isActive: false }] }],
    ['primary role', { ...record, roles: [role!, { ...otherRole!, isPrimary: true }] }],
    ['role period', { ...record, roles: [{ ...role!, periods: [] }, otherRole!] }],
    ['telecom', { ...record, telecoms: [{ system: 'phone', value: '01234 567891' }] }],
    ['telecom system', { ...record, telecoms: [{ system: 'fax', value: '01234 567890' }] }],
    ['no address', homeless],
    ['lines', { ...record, address: { ...address!, lines: ['1 HIGH STREET VILLAGE'] } }],
    ['city', { ...record, address: { ...address!, city: 'YORK' } }],
    ['district', { ...record, address: { ...address!, district: 'YORK' } }],
    ['postcode', { ...record, address: { ...address!, postalCode: 'LS1 4AQ' } }],
    ['country', { ...record, address: { ...address!, country: 'WALES' } }],
    ['UPRN', { ...record, address: { ...address!, uprn: '101' } }],
  ];
  it('differs with every part of a record', () => {
    const hashes = new Map([[recordHash(record).join(), 'the record itself']]);
    for (const [what, changed] of changes) {
      const hash = recordHash(changed).join();
      assert.equal(hashes.get(hash), undefined, what);
      hashes.set(hash, what);
    }
  });
});

/** The same, the slow and obvious way. */
function compare(before: readonly Entry[], after: readonly Entry[]): Difference {
  const old = new Map(before.map((entry) => [entry[0], entry]));
  const now = new Map(after.map((entry) => [entry[0], entry]));
  const added = after.filter(([code]) => !old.has(code));
  const removed = before.filter(([code]) => !now.has(code));
  const changed = after.filter(([code, content]) => {
    const previous = old.get(code);
    return previous !== undefined && previous[1] !== content;
  });
  const count = (entries: readonly Entry[], role: string) =>
    entries.filter((entry) => entry[2] === role).length;
  const roles = new Set([...added, ...changed, ...removed].map((entry) => entry[2]));
  const codes = (entries: readonly Entry[]) => entries.map(([code]) => code);
  return {
    added: codes(added),
    changed: codes(changed),
    removed: codes(removed),
    byRole: [...roles].sort().map((code) => ({
      code,
      added: count(added, code),
      changed: count(changed, code),
      removed: count(removed, code),
    })),
  };
}
