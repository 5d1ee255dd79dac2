/** What happened to an organisation: known histories. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventsOf } from '../../../src/directory/ask/dated-events.ts';
import { findEvents } from '../../../src/directory/ask/events/find-events.ts';
import { NO_HISTORY } from '../../../src/directory/edition/edition-store.ts';
import type {
  OrganizationRecord,
  PeriodRecord,
  SourceRecord,
  SuccessionRecord,
} from '../../../src/directory/record/record.ts';
import { RELATED_CODE_SYSTEMS, relationship } from '../../web/related-records.ts';
import { editionOf } from '../directory-server.ts';
import { organization, role } from '../records.ts';

function span(start: string, end?: string, kind: PeriodRecord['kind'] = 'Operational') {
  return { kind, start, ...(end !== undefined && { end }) };
}

function succession(kind: SuccessionRecord['kind'], code: string, start?: string) {
  const periods = start === undefined ? [] : [span(start, undefined, 'Legal')];
  return { kind, periods, target: { code } };
}

/** Without roles and dates, unless the test gives them. */
function body(code: string, name: string, more: Partial<SourceRecord> = {}): SourceRecord {
  const bare: OrganizationRecord = organization(code, { name, periods: [], roles: [] });
  return { ...bare, ...more };
}

/** `day kind: text` of each event. `records` are in the order of their codes. */
function histories(records: readonly SourceRecord[], code: string): string[] {
  const edition = editionOf(records, 1, RELATED_CODE_SYSTEMS);
  const events = eventsOf(edition, edition.links.rowOf(code) ?? -1);
  return events.map(({ day, kind, text }) => `${day} ${kind}: ${text}`);
}

describe('what happened to an organisation', () => {
  it('a practice moves between two networks next month: both in the file, both Active', () => {
    const practice = body('A81001', 'THE SURGERY', {
      relationships: [
        relationship('8', 'U02795', '272', { periods: [span('2020-04-01', '2026-12-31')] }),
        relationship('8', 'U99999', '272', { periods: [span('2027-01-01')] }),
      ],
    });
    const records = [practice, body('U02795', 'NORTH PCN'), body('U99999', 'SOUTH PCN')];
    assert.deepEqual(histories(records, 'A81001'), [
      '2020-04-01 joined: Joined U02795 NORTH PCN',
      '2027-01-01 joined: Left U02795 NORTH PCN and joined U99999 SOUTH PCN',
    ]);
    const edition = editionOf(records);
    assert.deepEqual(eventsOf(edition, edition.links.rowOf('A81001') ?? -1)[1], {
      kind: 'joined',
      code: 'A81001',
      name: 'THE SURGERY',
      day: '2027-01-01',
      other: { code: 'U99999', name: 'SOUTH PCN' },
      from: { code: 'U02795', name: 'NORTH PCN' },
      by: 'RE8',
      text: 'Left U02795 NORTH PCN and joined U99999 SOUTH PCN',
    });
  });

  it('it leaves and joins in two sentences if days are between, or the types differ', () => {
    const practice = body('A1', 'A', {
      relationships: [
        relationship('4', 'X', '98', { periods: [span('2013-04-01', '2020-03-31')] }),
        relationship('4', 'Y', '98', { periods: [span('2020-04-02')] }),
        relationship('5', 'Z', '98', { periods: [span('2020-04-01')] }),
      ],
    });
    assert.deepEqual(histories([practice], 'A1').slice(1), [
      '2020-03-31 left: Left X',
      '2020-04-01 joined: Joined Z',
      '2020-04-02 joined: Joined Y',
    ]);
  });

  it('a trust has two successors and an older predecessor without a record', () => {
    const records = [
      body('R0A', 'MANCHESTER'),
      body('RM3', 'NORTHERN CARE ALLIANCE', {
        successions: [succession('Predecessor', 'RW6', '2021-10-01')],
      }),
      body('RW6', 'PENNINE ACUTE', {
        isActive: false,
        periods: [span('2002-04-01', '2021-09-30')],
        successions: [
          succession('Successor', 'RM3', '2021-10-01'),
          succession('Successor', 'R0A', '2021-10-01'),
          succession('Predecessor', 'RMK', '2002-04-01'),
          succession('Predecessor', 'RML'),
        ],
      }),
    ];
    assert.deepEqual(histories(records, 'RW6'), [
      '2002-04-01 opened: Opened',
      '2002-04-01 succeeded: Succeeded by RW6 PENNINE ACUTE',
      '2021-09-30 closed: Closed',
      '2021-10-01 succeeded: Succeeded by RM3 NORTHERN CARE ALLIANCE',
      '2021-10-01 succeeded: Succeeded by R0A MANCHESTER',
    ]);
    assert.deepEqual(histories(records, 'RM3'), []);
  });

  it('several groups merge into one part of a board, whichever of them states it', () => {
    const records = [
      body('02N', 'AIREDALE CCG', { successions: [succession('Successor', '36J', '2022-07-01')] }),
      body('02R', 'BRADFORD CCG'),
      body('02W', 'LEEDS CCG'),
      body('36J', 'BRADFORD AND LEEDS', {
        successions: ['02N', '02R'].map((code) => succession('Predecessor', code, '2022-07-01')),
      }),
    ];
    const two = ['2022-07-01 merged: Merged with 02N AIREDALE CCG into 36J BRADFORD AND LEEDS'];
    assert.deepEqual(histories(records, '02R'), two);
    const [one, other, , whole] = records as [
      SourceRecord,
      SourceRecord,
      SourceRecord,
      SourceRecord,
    ];
    const third = body('02W', 'LEEDS CCG', {
      successions: [succession('Successor', '36J', '2022-07-01')],
    });
    assert.deepEqual(histories([one, other, third, whole], '02N'), [
      '2022-07-01 merged: Merged with 2 others into 36J BRADFORD AND LEEDS',
    ]);
  });

  it('a site closes and opens again', () => {
    const site = body('RR801', 'SITE', {
      periods: [span('2001-04-01', '2010-03-31'), span('2012-01-01')],
    });
    assert.deepEqual(histories([site], 'RR801'), [
      '2001-04-01 opened: Opened',
      '2010-03-31 closed: Closed',
      '2012-01-01 reopened: Reopened',
    ]);
  });

  it('periods that follow each other are one, and Legal dates count only without others', () => {
    const site = body('A1', 'A', {
      periods: [
        span('2001-04-01', '2010-03-31'),
        span('2010-04-01', '2012-12-31'),
        span('1990-01-01', undefined, 'Legal'),
      ],
      roles: [role('177', { periods: [span('1995-01-01', '1999-12-31', 'Legal')] })],
    });
    assert.deepEqual(histories([site], 'A1'), [
      '1995-01-01 role-gained: Gained the role PRESCRIBING COST CENTRE (RO177)',
      '1999-12-31 role-lost: Lost the role PRESCRIBING COST CENTRE (RO177)',
      '2001-04-01 opened: Opened',
      '2012-12-31 closed: Closed',
    ]);
  });

  it('a date without a day begins with its first day, and ends with its last', () => {
    const site = body('A1', 'A', { periods: [span('2001', '2004-02'), span('2005-03', '2005')] });
    assert.deepEqual(histories([site], 'A1'), [
      '2001-01-01 opened: Opened',
      '2004-02-29 closed: Closed',
      '2005-03-01 reopened: Reopened',
      '2005-12-31 closed: Closed',
    ]);
  });

  it('an inactive part without an end has no last day, and a period that ends first no days', () => {
    const site = body('A1', 'A', {
      isActive: false,
      periods: [span('2001-04-01'), span('1999-01-02', '1999-01-01')],
      roles: [role('4711', { isActive: false, periods: [] })],
    });
    assert.deepEqual(histories([site], 'A1'), ['2001-04-01 opened: Opened']);
  });

  it('twelve boards close on one day', async () => {
    const boards = Array.from({ length: 12 }, (_, at) =>
      body(`Q${String(at).padStart(2, '0')}`, `BOARD ${at}`, {
        periods: [span('2013-04-01', '2022-06-30')],
      }),
    );
    const edition = editionOf(boards);
    const filter = { since: '2022-06-30', until: '2022-06-30', kind: 'closed' } as const;
    const { events, next } = await findEvents(edition, filter, NO_HISTORY, { limit: 1000 });
    assert.deepEqual(
      events.map(({ code, day }) => `${code} ${day}`),
      boards.map(({ code }) => `${code} 2022-06-30`),
    );
    assert.equal(next, undefined);
  });
});
