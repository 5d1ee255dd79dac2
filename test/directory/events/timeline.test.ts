/** What a comparison of the editions that are kept adds to events. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationEvent } from '../../../src/directory/ask/answers.ts';
import { eventsOf } from '../../../src/directory/ask/dated-events.ts';
import { timelineOf, withKnownSince } from '../../../src/directory/ask/events/timeline.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { relationship } from '../../web/related-records.ts';
import { organization } from '../records.ts';
import { type Kept, kept } from './kept.ts';

function surgery(more: Partial<SourceRecord> = {}): SourceRecord {
  return { ...organization('A1', { name: 'OLD SURGERY', roles: [] }), relationships: [], ...more };
}

async function timeline({ edition, history }: Kept, code = 'A1'): Promise<string[]> {
  return (await timelineOf(edition, edition.links.rowOf(code) ?? -1, history)).map(lineOf);
}

function lineOf({ day, text, knownSince }: OrganizationEvent): string {
  const since = knownSince && ` (${knownSince.edition}, ${knownSince.date})`;
  return `${day} ${text}${since ?? ''}`;
}

const JOINED = { relationships: [relationship('8', 'U1', '272')] };
const CLOSED = {
  periods: [{ kind: 'Operational' as const, start: '2001-04-01', end: '2026-09-30' }],
};

describe('the timeline of an organisation', () => {
  it('names the edition that knew an event first, if an older one is kept', async () => {
    const versions = [[surgery()], [surgery(JOINED)], [surgery({ ...JOINED, ...CLOSED })]];
    assert.deepEqual(await timeline(kept(versions)), [
      '2001-04-01 Opened',
      '2020-04-01 Joined U1 (2, 2026-02-01)',
      '2026-09-30 Closed (3, 2026-03-01)',
    ]);
    // The oldest edition that is kept has it already.
    assert.deepEqual(await timeline(kept(versions, [1])), [
      '2001-04-01 Opened',
      '2020-04-01 Joined U1',
      '2026-09-30 Closed (3, 2026-03-01)',
    ]);
    assert.deepEqual((await timeline(kept(versions, [1, 2]))).at(-1), '2026-09-30 Closed');
  });

  it('an organisation that is new is known since the edition that added it', async () => {
    const other = organization('B1');
    const versions = [[other], [surgery(), other], [surgery(), other]];
    assert.deepEqual(await timeline(kept(versions)), ['2001-04-01 Opened (2, 2026-02-01)']);
  });

  it('shows other names and addresses on the day of the edition', async () => {
    const address = { lines: ['1 HIGH STREET'], city: 'LEEDS', postalCode: 'LS1 1AA' };
    const versions = [
      [surgery({ address })],
      [surgery({ name: 'NEW SURGERY', address: { ...address, uprn: '1', country: 'ENGLAND' } })],
      [surgery({ name: 'NEW SURGERY', address: { ...address, lines: ['2 LOW LANE'] } })],
    ];
    assert.deepEqual(await timeline(kept(versions)), [
      '2001-04-01 Opened',
      '2026-02-01 Renamed from OLD SURGERY to NEW SURGERY (2, 2026-02-01)',
      '2026-03-01 Moved from 1 HIGH STREET, LEEDS, LS1 1AA to 2 LOW LANE, LEEDS, LS1 1AA (3, 2026-03-01)',
    ]);
  });

  it('has what the organisation took over, once', async () => {
    const succession = (kind: 'Predecessor' | 'Successor', code: string) => ({
      successions: [
        { kind, periods: [{ kind: 'Legal' as const, start: '2020-04-01' }], target: { code } },
      ],
    });
    const versions = [
      [
        surgery(succession('Successor', 'B1')),
        { ...organization('B1'), ...succession('Predecessor', 'A1') },
      ],
    ];
    const texts = await timeline(kept(versions), 'B1');
    assert.deepEqual(
      texts.filter((text) => text.includes('Succeeded')),
      ['2020-04-01 Succeeded by B1 ORGANISATION B1'],
    );
  });

  it('says nothing about relationships that an older edition did not know', async () => {
    const { edition, history } = kept([[surgery()], [surgery(JOINED)]]);
    const record = async () => organization('A1', { name: 'OLD SURGERY', roles: [] });
    const row = edition.links.rowOf('A1') ?? -1;
    const events = await withKnownSince(edition, eventsOf(edition, row), { ...history, record });
    assert.ok(events.every(({ knownSince }) => knownSince === undefined));
  });

  it('does not guess beyond an edition that cannot be read', async () => {
    const versions = [[surgery()], [surgery(JOINED)], [surgery({ ...JOINED, ...CLOSED })]];
    const { edition, history } = kept(versions);
    const damaged = {
      ...history,
      record: async (number: number, code: string) =>
        number === 2 ? undefined : history.record(number, code),
    };
    const lines = await timeline({ edition, history: damaged });
    assert.ok(lines.every((line) => !line.includes('(')));
  });
});
