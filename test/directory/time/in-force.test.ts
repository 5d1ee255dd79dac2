/** Which parts of a record are in force on a day. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOf, inTime, latestOn, type Timed } from '../../../src/directory/record/in-force.ts';
import type { PeriodKind } from '../../../src/directory/record/record.ts';

const DAY = '2026-11-24';

/** `Operational 2020-04-01 2026-12-31`. A start `-` is not known. */
function timed(isActive: boolean, ...periods: readonly string[]): Timed {
  return {
    isActive,
    periods: periods.map((text) => {
      const [kind, start = '', end] = text.split(' ');
      return {
        kind: kind as PeriodKind,
        ...(start !== '-' && { start }),
        ...(end !== undefined && { end }),
      };
    }),
  };
}

describe('a part of a record is in time', () => {
  const cases: readonly (readonly [name: string, part: Timed, phase: string, start?: string])[] = [
    ['with an open end', timed(true, 'Operational 2020-04-01'), 'now', '2020-04-01'],
    ['on its first day', timed(true, `Operational ${DAY}`), 'now', DAY],
    ['on its last day', timed(true, `Operational 2020-04-01 ${DAY}`), 'now', '2020-04-01'],
    [
      'after its end, with the status Active',
      timed(true, 'Operational 2020-04-01 2026-11-23'),
      'past',
      '2020-04-01',
    ],
    [
      'before its start, with the status Active',
      timed(true, 'Operational 2026-11-25'),
      'later',
      '2026-11-25',
    ],
    [
      'before its start, with the status Inactive',
      timed(false, 'Operational 2026-11-25'),
      'later',
      '2026-11-25',
    ],
    [
      'with an open end and the status Inactive',
      timed(false, 'Operational 2020-04-01'),
      'past',
      '2020-04-01',
    ],
    [
      'with the Operational dates before the Legal ones',
      timed(true, 'Operational 2020-04-01 2025-03-31', 'Legal 2020-04-01'),
      'past',
      '2020-04-01',
    ],
    ['with the Legal dates only', timed(true, 'Legal 2027-04-01'), 'later', '2027-04-01'],
    [
      'in the second of two periods',
      timed(true, 'Operational 2010-04-01 2012-03-31', 'Operational 2020-04-01'),
      'now',
      '2020-04-01',
    ],
    [
      'between two periods',
      timed(true, 'Operational 2027-04-01', 'Operational 2010-04-01 2012-03-31'),
      'later',
      '2027-04-01',
    ],
    ['in the last month, without its day', timed(true, 'Operational 2020 2026-11'), 'now', '2020'],
    ['until its end, if that is all that is known', timed(false, `Operational - ${DAY}`), 'now'],
    [
      'after its end, if that is all that is known',
      timed(true, 'Operational - 2019-03-31'),
      'past',
    ],
    ['without dates, Active', timed(true), 'now'],
    ['without dates, Inactive', timed(false), 'past'],
  ];
  for (const [name, part, phase, start] of cases) {
    it(`${name}: ${phase}`, () => {
      const found = inTime(part, DAY);
      assert.deepEqual([found.phase, found.period?.start], [phase, start]);
    });
  }
});

it('the Legal dates decide if they are chosen, or the others if there are none', () => {
  const part = timed(true, 'Operational 2020-04-01 2025-03-31', 'Legal 2019-04-01');
  assert.deepEqual(inTime(part, DAY, 'Legal').period?.start, '2019-04-01');
  assert.equal(inTime(part, DAY, 'Legal').phase, 'now');
  const ended = timed(true, 'Operational 2020-04-01 2025-03-31');
  assert.equal(inTime(ended, DAY, 'Legal').phase, 'past');
});

it('the latest of what is in force comes first; else of what has ended, never of what is announced', () => {
  const old = timed(false, 'Operational 2010-04-01 2012-03-31');
  const older = timed(false, 'Operational 2001-04-01 2010-03-31');
  const first = timed(true, 'Operational 2020-04-01');
  const second = timed(true, 'Operational 2021-04-01 2026-12-31');
  const announced = timed(true, 'Operational 2027-04-01');
  assert.deepEqual(latestOn([older, announced, first, second, old], DAY), [second, first]);
  assert.deepEqual(latestOn([older, announced, old], DAY), [old, older]);
  assert.deepEqual(latestOn([announced], DAY), []);
});

it('the day changes at midnight in England, in summer too', () => {
  assert.equal(dayOf(new Date('2027-03-31T22:59:59Z')), '2027-03-31');
  assert.equal(dayOf(new Date('2027-03-31T23:30:00Z')), '2027-04-01');
  assert.equal(dayOf(new Date('2026-11-30T23:30:00Z')), '2026-11-30');
});
