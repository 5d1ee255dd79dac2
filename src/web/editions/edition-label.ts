/** The label of an edition on pages: its number, and the publication date and age of its source. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { EditionHistory } from '../../directory/edition/edition-store.ts';
import { formatCount, formatDate } from '../display.ts';

export interface EditionLabel {
  readonly number: number;
  /** Absent if the history does not list the edition. */
  readonly published?: string;
  /** `3 days ago`, on the day on which the page is made. So the entity tag of a page changes with it. */
  readonly age?: string;
  readonly isOld?: boolean;
}

/** `today` as `YYYY-MM-DD`. */
export async function editionLabel(
  edition: Edition,
  history: EditionHistory,
  today: string,
): Promise<EditionLabel> {
  let date = DATES.get(edition);
  if (date === undefined) {
    const editions = await history.list();
    date = editions.find(({ number }) => number === edition.number)?.publicationDate ?? '';
    DATES.set(edition, date);
  }
  const { number } = edition;
  if (date === '') return { number };
  const days = Math.round((Date.parse(today) - Date.parse(date.slice(0, 10))) / DAY_MS);
  return {
    number,
    published: formatDate(date),
    ...(days > 0 && { age: `${formatCount(days, 'day')} ago`, isOld: days > OLD_DAYS }),
  };
}

/** The national release is published each month. */
const OLD_DAYS = 45;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The publication date of an edition does not change. Empty if the history does not list it. */
const DATES = new WeakMap<Edition, string>();
