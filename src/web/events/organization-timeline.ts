/** The timeline on the page of an organisation: its events by day. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-history.ts';
import { timelineOf } from '../../directory/events/timeline.ts';
import type { Addresses } from '../addresses.ts';
import { formatCount } from '../display.ts';
import { eventDay, eventLine } from './event-lines.ts';

interface Surroundings {
  readonly addresses: Addresses;
  readonly history: EditionHistory;
  readonly today: string;
}

export async function organizationTimeline(
  edition: Edition,
  row: number,
  { addresses, history, today }: Surroundings,
): Promise<object> {
  const code = edition.relations.codeOf(row);
  const events = await timelineOf(edition, row, history);
  const days = Array.from(
    Map.groupBy(events, ({ day }) => day),
    ([day, ofDay]) => ({
      ...eventDay(day, today),
      lines: ofDay.map((event) => eventLine(edition, event, code, addresses)),
    }),
  );
  const earlier = days.slice(0, -DAYS_SHOWN);
  return {
    days: days.slice(-DAYS_SHOWN),
    earlier,
    earlierTitle: formatCount(earlier.length, 'earlier day'),
    json: addresses.events(code),
  };
}

/** The page folds earlier ones. */
const DAYS_SHOWN = 20;
