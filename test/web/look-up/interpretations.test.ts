/** The interpretations of a text in the search box. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasCode } from '../../../src/web/matches/criteria.ts';
import {
  findInterpretations,
  outwardPart,
  readPostcode,
  rowOfCode,
} from '../../../src/web/matches/interpretations.ts';
import { editionOf } from '../../directory/directory-server.ts';
import { organization, RECORDS } from '../../directory/records.ts';

describe('a text that may be a postcode', () => {
  const cases: readonly (readonly [text: string, postcode: string | undefined])[] = [
    ['LS1', 'LS1'],
    ['ls16ab', 'LS1 6AB'],
    ['LS1 6AB', 'LS1 6AB'],
    ['ls1  6ab', 'LS1 6AB'],
    ['LS16', 'LS16'],
    ['LS1 6', 'LS1 6'],
    ['ls1 6a', 'LS1 6A'],
    ['EC1A 1BB', 'EC1A 1BB'],
    ['W1A0AX', 'W1A 0AX'],
    ['M1', 'M1'],
    ['YO107E', 'YO10 7E'],
    ['de128', 'DE12 8'],
    ['LS11A', 'LS1 1A'],
    ['W1A0', 'W1A 0'],
    ['LEEDS', undefined],
    ['RTG', undefined],
    ['A81001', undefined],
    ['LS1 6ABC', undefined],
    ['12', undefined],
    ['', undefined],
  ];
  for (const [text, postcode] of cases) {
    it(`“${text}” is ${postcode ?? 'none'}`, () => assert.equal(readPostcode(text), postcode));
  }

  it('has an outward part where it goes beyond that', () => {
    assert.equal(outwardPart('ls16ab'), 'LS1');
    assert.equal(outwardPart('LS1'), undefined);
    assert.equal(outwardPart('leeds'), undefined);
  });
});

describe('a text of many words', () => {
  const name = 'UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST SITE A B C D';
  const edition = editionOf([
    organization('L1', { name, address: { lines: [], city: 'LEEDS' } }),
    organization('L2', { name: 'A B C D' }),
  ]);
  const eight = 'university hospitals derby and burton nhs foundation trust';
  const cases: readonly (readonly [text: string, interpretations: readonly unknown[]])[] = [
    [name, [['name', `${eight.replace(' nhs', '')} site`, undefined, true, 1]]],
    [`${eight} xyzzyx`, []],
    [eight, [['name', eight, undefined, false, 1]]],
    [`${eight} in leeds`, [['name-town', eight, 'leeds', false, 1]]],
    [`${eight} a leeds`, [['name-town', eight, 'leeds', true, 1]]],
    ['a b c d', [['name', 'a b c', undefined, true, 2]]],
    ['a b c', [['name', 'a b c', undefined, false, 2]]],
    ['a a a a', [['name', 'a a a a', undefined, false, 2]]],
    [`${eight} a`, [['name', eight, undefined, true, 1]]],
  ];
  for (const [text, interpretations] of cases) {
    it(`“${text}” is looked for by its longest`, () => {
      const found = findInterpretations(edition, text, []);
      assert.deepEqual(
        found.map((one) => [one.kind, one.subject, one.place, one.leavesOutWords, one.total]),
        interpretations,
      );
    });
  }

  it('takes few searches', (context) => {
    const search = context.mock.method(edition.index, 'search');
    const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i)).join(' ');
    findInterpretations(edition, letters, []);
    const criteria = search.mock.calls.flatMap(({ arguments: [query] }) => query.criteria);
    const names = criteria.filter((one) => one.type === 'string' && one.field === 'name');
    assert.ok(names.length <= 8, `${names.length} searches in names`);
  });
});

describe('the interpretations of a text', () => {
  const edition = editionOf([
    ...RECORDS,
    organization('Y1', { name: 'LS1 CLINIC', address: { lines: [], postalCode: 'LS1 1AA' } }),
    organization('Y2', { name: 'DERBY CHEMIST', address: { lines: [], city: 'LEEDS' } }),
    organization('Y3', { name: 'NAMELESS', address: { lines: [], postalCode: 'LS16 1AA' } }),
  ]);
  const summary = (text: string) =>
    findInterpretations(edition, text, []).map(({ kind, subject, total }) => [
      kind,
      subject,
      total,
    ]);
  const cases: readonly (readonly [text: string, interpretations: readonly unknown[]])[] = [
    // More organisations are in the town of that name than have it in their own names.
    [
      'leeds',
      [
        ['town', 'leeds', 3],
        ['name', 'leeds', 2],
      ],
    ],
    // Only a whole town goes first.
    [
      'lee',
      [
        ['name', 'lee', 2],
        ['town', 'lee', 3],
      ],
    ],
    [
      'derby',
      [
        ['name', 'derby', 2],
        ['town', 'derby', 1],
      ],
    ],
    [
      'LS1',
      [
        ['postcode', 'LS1', 3],
        ['district', 'LS1', 1],
        ['name', 'LS1', 1],
      ],
    ],
    ['ls11aa', [['postcode', 'LS1 1AA', 1]]],
    ['ls16 1', [['postcode', 'LS16 1', 1]]],
    // All words, in any order.
    ['trust teaching', [['name', 'trust teaching', 1]]],
    ['cafe', [['name', 'cafe', 1]]],
    ['dental near leeds', [['name-town', 'dental', 1]]],
    ['chemist leeds', [['name-town', 'chemist', 1]]],
    ['zzz', []],
    ['<script>', []],
  ];
  for (const [text, interpretations] of cases) {
    it(`of “${text}” are those that find something`, () =>
      assert.deepEqual(summary(text), interpretations));
  }

  it('count what the filters leave', () => {
    const [interpretation] = findInterpretations(edition, 'leeds', [hasCode('role', ['197'])]);
    assert.equal(interpretation?.total, 1);
  });

  it('find a code in any case, and with spaces', () => {
    const codeOf = (text: string) => {
      const row = rowOfCode(edition, text);
      return row === undefined ? undefined : edition.index.codeOf(row);
    };
    assert.equal(codeOf('rr8'), 'RR8');
    assert.equal(codeOf('RR 801'), 'RR801');
    assert.equal(codeOf('RR'), undefined);
    assert.equal(codeOf('é'), undefined);
  });
});
