/** What the cases of a benchmark take from an edition. */
import type { Edition } from '../../../src/directory/edition/edition.ts';
import { openIndexedRecords } from '../../../src/directory/record/indexed-record.ts';
import type { AskedRequest } from './case.ts';

const SEARCHES = 5_000;
export const PLAIN_PATH = '/STU3/Organization';

/** Searches that differ, each with a page of matches: by four letters of the name of an organisation. */
export function plainSearches({ rows }: Edition): readonly AskedRequest[] {
  const recordAt = openIndexedRecords(rows);
  const texts = new Set<string>();
  for (let row = 0; row < rows.count && texts.size < SEARCHES; row += 7) {
    const [text] = /[A-Z]{4}/.exec(recordAt(row).name ?? '') ?? [];
    if (text !== undefined) texts.add(text);
  }
  return Array.from(texts, (text) => ({
    method: 'GET',
    path: PLAIN_PATH,
    query: `name:contains=${text.toLowerCase()}`,
  }));
}

/** The organisation to which the most others have a relationship. */
export function mostRelatedRow({ links, rows }: Edition): number {
  let [row, most] = [0, 0];
  for (let at = 0; at < rows.count; at++) {
    const count = links.hasIncoming(at) ? links.incoming(links.codeOf(at)).length : 0;
    if (count > most) [row, most] = [at, count];
  }
  return row;
}
