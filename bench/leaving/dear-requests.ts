/** The dearest requests of `bench/worst/endpoints`, each time another one where answers are kept. */
import type { Edition } from '../../src/directory/edition/edition.ts';
import { NAMES, REPORT_LIST, tableOf } from '../worst/endpoints/bodies.ts';
import {
  type AskedRequest,
  type EndpointCase,
  EXAMPLE_FACTS,
  NEAR_ALL,
} from '../worst/endpoints/case.ts';
import { casesOf } from '../worst/endpoints/cases.ts';
import { mostRelatedRow } from '../worst/endpoints/edition-facts.ts';

/** What replaces parts of a case, so that the answer with this number is not the kept one of another. */
type Change = (number: number, asked: EndpointCase) => EndpointCase;

const AS_IT_IS: Change = () => ({});
/** The data has no postcodes. */
const WITHOUT_PLACE: Change = (_, { query = '' }) => ({ query: query.replace(`&${NEAR_ALL}`, '') });
const REPORTS = REPORT_LIST.split(',');
const FIRST_DAY = '0001-01-01';

/** Answers that take the most CPU time, by endpoint. */
const CHANGES: Readonly<Record<string, Change>> = {
  'POST /check-a-list': AS_IT_IS,
  'POST /check-a-list.csv': AS_IT_IS,
  'POST /match': (number) => ({ body: tableOf('name', namesWith(number)) }),
  'GET /match': (number) => ({
    query: namesWith(number)
      .slice(0, 50)
      .map((name) => `name=${encodeURIComponent(name)}`)
      .join('&'),
  }),
  'GET /api/getReport': (number) => ({ query: `report=${rotated(REPORTS, number).join(',')}` }),
  'POST /api/search/organisationReportSearch': AS_IT_IS,
  'GET /results.csv': (number) => ({ query: `q=${inLetters('surgery', number)}` }),
  'GET /results.ndjson': WITHOUT_PLACE,
  'GET /events': sinceAnotherDay,
  'GET /changes': sinceAnotherDay,
  'POST /mcp': (number, { body = '' }) => ({ body: body.replace(FIRST_DAY, dayOf(number)) }),
  'GET /editions/current.ndjson': AS_IT_IS,
  'GET /': WITHOUT_PLACE,
  'POST /R4/ValueSet/$expand': (number, { body = '' }) => ({
    body: body.replace('1900-01-01', dayOf(number)),
  }),
};

/** For each endpoint: its request with a number. Requests with the same number are the same. */
export type DearRequest = (number: number) => AskedRequest;

export function dearRequests(edition: Edition): readonly DearRequest[] {
  const code = edition.links.codeOf(mostRelatedRow(edition));
  const cases = casesOf({ ...EXAMPLE_FACTS, code });
  return Object.entries(CHANGES).map(([name, change]) => {
    const asked = cases[name];
    if (asked === undefined) throw new Error(`${name} has no case in bench/worst/endpoints`);
    const [method = '', path = ''] = name.split(' ');
    return (number) => ({ path, ...asked, ...change(number, asked), method });
  });
}

/** Each name ends with another number: it is looked for anew. */
function namesWith(number: number): readonly string[] {
  return NAMES.map((name, at) => name.replace(/\d+$/, String(number * NAMES.length + at)));
}

function sinceAnotherDay(number: number, { query = '' }: EndpointCase): EndpointCase {
  return { query: query.replace(FIRST_DAY, dayOf(number)) };
}

/** A day before all records. */
function dayOf(number: number): string {
  const year = 1 + (Math.floor(number / 336) % 1800);
  const inYear = number % 336;
  const [month, day] = [1 + Math.floor(inYear / 28), 1 + (inYear % 28)];
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(day)].join('-');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

function rotated(items: readonly string[], number: number): readonly string[] {
  const at = number % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** Searches ignore the case, but not what they are kept under. */
function inLetters(text: string, number: number): string {
  return Array.from(text, (letter, at) =>
    (number >> at) % 2 === 0 ? letter : letter.toUpperCase(),
  ).join('');
}
