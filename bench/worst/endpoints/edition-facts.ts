/** What the cases of a benchmark take from an edition. */
import type { Edition } from '../../../src/directory/edition/edition.ts';
import { versionIdOf } from '../../../src/directory/edition/kept-changes.ts';
import { openIndexedRecords } from '../../../src/directory/record/indexed-record.ts';
import type { AskedRequest, EditionFacts } from './case.ts';

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

/** Throws if the edition has no practitioners. */
export function editionFacts(edition: Edition): EditionFacts {
  const row = mostRelatedRow(edition);
  return {
    code: edition.links.codeOf(row),
    version: versionIdOf(edition.changedIn(row)),
    affiliation: String(edition.links.at(0).uniqueId ?? 'ordinal-0'),
    text: commonText(edition),
    postcodes: postcodesOf(edition),
    ...peopleOf(edition),
  };
}

const TEXT_LENGTH = 3;

function commonText({ rows }: Edition): string {
  const counts = new Map<string, number>();
  for (let row = 0; row < rows.count; row++) {
    const name = rows.recordAt(row).name ?? '';
    const texts = new Set<string>();
    for (let at = 0; at + TEXT_LENGTH <= name.length; at++) {
      texts.add(name.slice(at, at + TEXT_LENGTH).toLowerCase());
    }
    for (const text of texts) if (/^[a-z]+$/.test(text)) add(counts, text);
  }
  return mostOf(counts);
}

const POSTCODES = 1_000;

function postcodesOf({ rows, postcodes }: Edition): readonly string[] {
  const found = new Set<string>();
  for (let row = 0; row < rows.count && found.size < POSTCODES; row++) {
    const { postcode } = postcodes?.find(rows.recordAt(row).address?.postalCode ?? '') ?? {};
    if (postcode !== undefined) found.add(postcode.replace(' ', ''));
  }
  return [...found];
}

function peopleOf({
  practitioners,
  links,
}: Edition): Pick<EditionFacts, 'employer' | 'practitioner'> {
  if (practitioners === undefined) throw new Error('The edition has no practitioners');
  const employed = new Map<string, number>();
  const codes = new Map<string, number>();
  for (let row = 0; row < practitioners.count; row++) {
    const { memberships, numbers } = practitioners.at(row);
    for (const { organisation } of memberships) {
      if (links.rowOf(organisation) !== undefined) add(employed, organisation);
    }
    for (const { value } of numbers) add(codes, value);
  }
  return { employer: mostOf(employed), practitioner: mostOf(codes) };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostOf(counts: ReadonlyMap<string, number>): string {
  let [key, most] = ['', 0];
  for (const [each, count] of counts) if (count > most) [key, most] = [each, count];
  return key;
}
