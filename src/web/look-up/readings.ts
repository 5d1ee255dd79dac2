/** What a text in the search box can mean: a code, a postcode, a name, a town. */
import type { Edition } from '../../directory/edition.ts';
import { fold } from '../../directory/index/fold.ts';
import type { Criterion, Query } from '../../directory/query.ts';
import type { ReadingKind } from './state.ts';

/** One understanding of a text, and what it looks for. */
export interface Reading {
  readonly kind: ReadingKind;
  /** What is searched for, as it is shown: `LS1`. */
  readonly subject: string;
  /** Where the text is a name and a town, the town. */
  readonly place?: string;
  /** Whether the text has more words in the name than are looked for. */
  readonly leavesOutWords?: boolean;
  readonly criteria: readonly Criterion[];
  /** Of these, what comes first in the results: names that begin with the text. */
  readonly first?: readonly Criterion[];
  readonly total: number;
}

/** The row of exactly this code, whatever its case. */
export function rowOfCode({ index }: Edition, text: string): number | undefined {
  const code = text.replaceAll(' ', '');
  if (!CODE.test(code)) return undefined;
  return index.rowOf(code) ?? index.rowOf(code.toUpperCase());
}

/** All readings that find something, the likeliest first; `filters` hold for each. */
export function findReadings(
  edition: Edition,
  text: string,
  filters: readonly Criterion[],
): Reading[] {
  const found = possibleReadings(text)
    .map((reading) => ({
      ...reading,
      total: count(edition, { criteria: [...reading.criteria, ...filters] }),
    }))
    .filter(({ total }) => total > 0);
  const [name, town] = [find(found, 'name'), find(found, 'town')];
  const nameAndTown = name === undefined ? readingOfNameAndTown(edition, text, filters) : undefined;
  if (nameAndTown !== undefined) found.push(nameAndTown);
  if (name === undefined || town === undefined || town.total <= name.total) return found;
  // A town of just this name, with more in it than have the word in their names.
  const isWhole =
    count(edition, { criteria: [string('city', 'exact', text.toUpperCase())] }) > 0 ||
    count(edition, { criteria: [string('city', 'exact', text)] }) > 0;
  if (!isWhole) return found;
  return found.map((reading) => (reading === name ? town : reading === town ? name : reading));
}

/** The readings that a text allows, whether they find anything or not. */
export function possibleReadings(text: string): Omit<Reading, 'total'>[] {
  const readings: Omit<Reading, 'total'>[] = [];
  const postcode = readPostcode(text);
  if (postcode !== undefined) {
    const [outward = '', inward] = postcode.split(' ');
    // A whole postcode is found however it is spaced; of a part, the space says where it ends.
    const value = inward?.length === INWARD_LENGTH ? outward + inward : postcode;
    readings.push({
      kind: 'postcode',
      subject: postcode,
      criteria: [string('postalCode', 'startsWith', value)],
    });
    if (inward === undefined) {
      readings.push({
        kind: 'district',
        subject: outward,
        criteria: [string('postalCode', 'startsWith', `${outward} `)],
      });
    }
  }
  const { words, subject, leavesOutWords } = searchedWords(text);
  if (words.length > 0) {
    readings.push({
      kind: 'name',
      subject,
      leavesOutWords,
      criteria: words.map((word) => string('name', 'contains', word)),
      first: [string('name', 'startsWith', text)],
    });
    readings.push({
      kind: 'town',
      subject: text,
      criteria: [string('city', 'startsWith', text)],
    });
  }
  return readings;
}

/** A postcode or its beginning, as it is written: `ls16ab` is `LS1 6AB`; nothing where it is none. */
export function readPostcode(text: string): string | undefined {
  const match = POSTCODE.exec(text.toUpperCase());
  if (match === null) return undefined;
  const [, outward = match[3] ?? '', inward = match[4] ?? ''] = match;
  return inward === '' ? outward : `${outward} ${inward}`;
}

/** The outward part of what may be a postcode: `LS1` of `LS1 6AB`. */
export function outwardPart(text: string): string | undefined {
  const postcode = readPostcode(text);
  return postcode?.includes(' ') ? postcode.split(' ')[0] : undefined;
}

const CODE = /^[A-Za-z0-9]{1,64}$/;
const INWARD_LENGTH = 3;

/** The whole inward part, or as much of it as a space sets apart. */
const POSTCODE =
  /^([A-Z]{1,2}\d[A-Z\d]?)\s*(\d[A-Z]{2})$|^([A-Z]{1,2}\d[A-Z\d]?)(?:\s(\d[A-Z]?))?$/;

/** The words that are looked for in names; of too many the longest, which say the most. */
function searchedWords(text: string) {
  const words = [...new Set(fold(text).split(' '))].filter((word) => word !== '');
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, WORDS_MAX);
  const letters = longest.filter((word) => word.length === 1);
  const searched = new Set(longest).difference(new Set(letters.slice(LETTERS_MAX)));
  if (searched.size === words.length) return { words, subject: text, leavesOutWords: false };
  const kept = words.filter((word) => searched.has(word));
  return { words: kept, subject: kept.join(' '), leavesOutWords: true };
}

/** Each word is a search of its own, and some are made several times for a page. */
const WORDS_MAX = 8;

/** A single letter is in half of all names: it takes longest, and tells least. */
const LETTERS_MAX = 3;

/** `pharmacy leeds`, `pharmacy in leeds`: the first words in the name, the last ones the town. */
function readingOfNameAndTown(
  edition: Edition,
  text: string,
  filters: readonly Criterion[],
): Reading | undefined {
  const words = text.split(' ').filter((word) => word !== '');
  for (let at = 1; at < words.length; at++) {
    const place = words.slice(at).join(' ');
    const name = words.slice(0, at);
    if (/^(in|near|at)$/i.test(name.at(-1) ?? '')) name.pop();
    if (name.length === 0) continue;
    const inTown = string('city', 'startsWith', place);
    // Mostly it is no town, which is found out at once; names take longer.
    if (count(edition, { criteria: [inTown] }) === 0) continue;
    const { words: searched, ...reading } = searchedWords(name.join(' '));
    const criteria = [...searched.map((word) => string('name', 'contains', word)), inTown];
    const total = count(edition, { criteria: [...criteria, ...filters] });
    if (total > 0) return { kind: 'name-town', ...reading, place, criteria, total };
  }
  return undefined;
}

function string(
  field: 'name' | 'postalCode' | 'city',
  match: 'startsWith' | 'contains' | 'exact',
  value: string,
): Criterion {
  return { kind: 'string', field, match, values: [value] };
}

function count({ index }: Edition, query: Query): number {
  return index.search(query, 0, 0).total;
}

function find(readings: readonly Reading[], kind: ReadingKind): Reading | undefined {
  return readings.find((reading) => reading.kind === kind);
}
