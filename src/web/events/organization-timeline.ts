/** What happened to an organisation: the timeline on its page, and all events as JSON. */

import { timelineOf } from '../../directory/ask/events/timeline.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { rowOfCode } from '../matches/interpretations.ts';
import { answerText, editionRoute, JSON_TYPE } from '../parts/answers.ts';
import { formatCount } from '../parts/display.ts';
import type { PageRoute, WebContext } from '../parts/web-options.ts';
import { eventDay, eventLine } from './event-lines.ts';

export async function organizationTimeline(
  edition: Edition,
  row: number,
  { addresses, history, today }: WebContext,
): Promise<object> {
  const code = edition.links.codeOf(row);
  const events = await timelineOf(edition, row, history);
  const days = Array.from(
    Map.groupBy(events, ({ day }) => day),
    ([day, ofDay]) => ({
      ...eventDay(day, today()),
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

export function timelineRoute(options: WebContext): PageRoute {
  return editionRoute(options, '/organizations/{code}/events.json', async (edition, asked) => {
    const row = rowOfCode(edition, asked.id);
    if (row === undefined) {
      const error = `No organisation has the code ${asked.id}. Check the code.`;
      return answerText(asked, JSON_TYPE, JSON.stringify({ error }), { status: 404 });
    }
    const { code, name } = edition.rows.recordAt(row);
    const events = await timelineOf(edition, row, options.history);
    return answerText(asked, JSON_TYPE, JSON.stringify({ code, name, events }));
  });
}
