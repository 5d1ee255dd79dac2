/** What is asked of the directory over HTTP: cases as data, their targets drawn from the edition. */

import { randomFor } from '../../scripts/release/random.ts';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { renderSample } from '../data.ts';
import type { Target } from '../load.ts';
import { createQueries, QUERY_KINDS } from '../queries.ts';

export interface HttpCase {
  readonly name: string;
  readonly title: string;
  readonly targets: (edition: Edition) => readonly Target[];
  /** Ours gets each request only once, so that no answer is one that was kept. */
  readonly isFresh?: boolean;
  /** Settings of the server, as flags. */
  readonly settings?: readonly string[];
  /** The status of every answer; 200 otherwise. */
  readonly status?: number;
  /** Whether the answers can be had of nginx as files. */
  readonly isFile?: boolean;
}

/** What most of the program's work with the directory goes through. */
export const MAIN_HTTP_CASES = ['read-json', 'read-xml', 'page-json', 'page-xml', 'count-json'];

/** How many records match: some, many, up to 3 % of the directory, or a good part of it. */
type Matches = 'few' | 'thousands' | 'share' | 'most';

const MATCHES: Readonly<Record<Matches, (total: number, records: number) => boolean>> = {
  few: (total) => total >= 1 && total <= 20,
  thousands: (total) => total >= 1000 && total < 10_000,
  share: (total, records) => total >= records / 350 && total < records / 35,
  most: (total, records) => total >= Math.min(100_000, 0.25 * records),
};

const JSON_HEADERS = { Accept: 'application/fhir+json' };
const XML_HEADERS = { Accept: 'application/fhir+xml' };
/** What makes each request another one is left out by the search. */
const LENIENT = { Prefer: 'handling=lenient' };
const LEGACY = ['--directory-json', 'legacy'];
const LOGGED = ['--log-requests', 'true'];

/** A set that any cache of a processor's has, and one that none has. */
const HOT = 1000;
const UNIFORM = 50_000;

const reads =
  (count: number, headers: Target['headers'] = JSON_HEADERS) =>
  ({ rows }: Edition): readonly Target[] => {
    const random = randomFor(11, 0);
    return Array.from({ length: count }, () => ({
      path: `/STU3/Organization/${rows.codeOf(random.below(rows.count))}`,
      headers,
    }));
  };

const unchanged = (edition: Edition): readonly Target[] => {
  const rendered = renderSample(edition);
  return reads(HOT)(edition).map((target) => {
    const row = edition.index.rowOf(target.path.slice('/STU3/Organization/'.length)) ?? 0;
    // The tag of the served edition differs, as the server's address is part of it.
    const headers = { ...target.headers, 'If-Modified-Since': rendered.lastModifiedOf(row) };
    return { ...target, headers };
  });
};

const always = (path: string) => () => [{ path, headers: JSON_HEADERS }];

/** Different queries of a kind, each with so many matches. */
const QUERIES = 32;
const NEW_QUERIES = 1000;
const ATTEMPTS_MAX = 20_000;

const searches =
  (
    kind: string,
    matches: Matches,
    more: Suffix = '',
    headers: Target['headers'] = JSON_HEADERS,
    queries = QUERIES,
  ) =>
  (edition: Edition): readonly Target[] => {
    const found = QUERY_KINDS.find(({ name }) => name === kind);
    if (found === undefined) throw new Error(`there are no queries named ${kind}`);
    const draw = createQueries(edition, 5);
    const { index } = edition;
    const texts = new Set<string>();
    for (let attempt = 0; attempt < ATTEMPTS_MAX && texts.size < queries; attempt++) {
      const { text, query } = draw(found);
      const { total } = index.search(query, 0, 0);
      if (MATCHES[matches](total, index.count)) texts.add(text);
    }
    return [...texts].map((text) => ({
      path: `/STU3/Organization?${text}${typeof more === 'string' ? more : more(index.count)}`,
      headers: { ...headers, ...LENIENT },
    }));
  };

/** What stands behind the query, which may depend on how many records there are. */
type Suffix = string | ((records: number) => string);

/** A fifth of the directory lies before the page. */
const deep = (records: number) => `&_page=${Math.ceil(records / 5 / 20)}`;

/** Pages anywhere in the directory, so that hardly any organisation is in two of them. */
const anyPages = ({ index }: Edition): readonly Target[] => {
  const random = randomFor(13, 0);
  const { total } = index.search(
    { criteria: [{ type: 'token', field: 'active', values: [{ code: 'true' }] }] },
    0,
    0,
  );
  return Array.from({ length: UNIFORM }, () => ({
    path: `/STU3/Organization?active=true&_page=${1 + random.below(Math.ceil(total / 20))}`,
    headers: { ...JSON_HEADERS, ...LENIENT },
  }));
};

/** First pages of 20, never asked before. */
const SEARCHES: readonly (readonly [kind: string, name: string, matches: Matches])[] = [
  ['_id', 'id', 'few'],
  ['identifier', 'identifier', 'few'],
  ['name', 'name', 'few'],
  ['name, 3 letters', 'name', 'thousands'],
  ['name:contains', 'name-contains', 'few'],
  ['name:contains, a word', 'name-contains', 'thousands'],
  ['name:exact', 'name-exact', 'few'],
  ['postcode', 'postcode', 'few'],
  ['postcode', 'postcode', 'thousands'],
  ['postcode:contains', 'postcode-contains', 'few'],
  ['postcode:exact', 'postcode-exact', 'few'],
  ['city', 'city', 'thousands'],
  ['city:contains', 'city-contains', 'thousands'],
  ['city:exact', 'city-exact', 'thousands'],
  ['active', 'active', 'most'],
  ['role', 'role', 'thousands'],
  ['role, primary', 'role-primary', 'thousands'],
  ['_lastUpdated', 'last-updated', 'thousands'],
  ['_lastUpdated', 'last-updated', 'most'],
  ['2 to 5 roles, any of them', 'roles', 'thousands'],
  ['name:contains and active', 'name-contains-and-active', 'thousands'],
  ['city and role', 'city-and-role', 'few'],
  ['role, active and _lastUpdated', 'role-active-last-updated', 'thousands'],
  ['any 3 criteria, all', 'any-3', 'few'],
];

const WORD = 'name:contains, a word';

/**
 * Searches that hardly ever come twice, so that the server keeps no rows of them: parts of names, in
 * which the case of each letter is drawn.
 */
const newSearches =
  (more?: Suffix) =>
  (edition: Edition): readonly Target[] => {
    const random = randomFor(17, 0);
    const found = searches('name:contains', 'share', more, JSON_HEADERS, NEW_QUERIES)(edition);
    const byPath = Array.from({ length: UNIFORM }, (): readonly [string, Target] => {
      const target = random.pick(found);
      // A search does not distinguish case.
      const path = target.path.replaceAll(/(?<=contains=[^&]*)(?<!%.?)[A-Z]/g, (letter) =>
        random.isChance(5000) ? letter : letter.toLowerCase(),
      );
      return [path, { ...target, path }];
    });
    return [...new Map(byPath).values()];
  };

export const HTTP_CASES: readonly HttpCase[] = [
  { name: 'read-json', title: 'read, JSON, 1,000 codes', targets: reads(HOT), isFile: true },
  { name: 'read-json-uniform', title: 'read, JSON, any of all', targets: reads(UNIFORM) },
  {
    name: 'read-xml',
    title: 'read, XML, 1,000 codes',
    targets: reads(HOT, XML_HEADERS),
    isFile: true,
  },
  {
    name: 'read-xml-uniform',
    title: 'read, XML, any of all',
    targets: reads(UNIFORM, XML_HEADERS),
  },
  {
    name: 'read-gzip',
    title: 'read, JSON, gzip',
    targets: reads(HOT, { ...JSON_HEADERS, 'Accept-Encoding': 'gzip' }),
    isFile: true,
  },
  { name: 'read-legacy', title: 'read, legacy JSON', targets: reads(HOT), settings: LEGACY },
  {
    name: 'read-logged',
    title: 'read, JSON, a log line each',
    targets: reads(HOT),
    settings: LOGGED,
  },
  { name: 'read-unchanged', title: 'read, 304', targets: unchanged, status: 304 },
  {
    name: 'error-not-found',
    title: 'read, 404',
    targets: always('/STU3/Organization/NOSUCHCODE'),
    status: 404,
  },
  {
    name: 'error-search',
    title: 'search, 400',
    targets: always('/STU3/Organization?nonsense=1&active=perhaps'),
    status: 400,
  },
  {
    name: 'page-json-again',
    title: 'page of 20, JSON, asked again',
    targets: searches(WORD, 'thousands'),
    isFile: true,
  },
  {
    name: 'page-json',
    title: 'page of 20, JSON, first time',
    targets: searches(WORD, 'thousands'),
    isFresh: true,
    isFile: true,
  },
  {
    name: 'page-json-new',
    title: 'page of 20, JSON, every search new',
    targets: newSearches(),
    isFresh: true,
  },
  {
    name: 'page-xml',
    title: 'page of 20, XML, first time',
    targets: searches(WORD, 'thousands', '', XML_HEADERS),
    isFresh: true,
    isFile: true,
  },
  {
    name: 'page-legacy',
    title: 'page of 20, legacy JSON, first time',
    targets: searches(WORD, 'thousands'),
    isFresh: true,
    settings: LEGACY,
  },
  {
    name: 'page-json-uniform',
    title: 'page of 20, JSON, anywhere in the directory, first time',
    targets: anyPages,
    isFresh: true,
  },
  {
    name: 'page-deep',
    title: 'page of 20 after a fifth of all records, first time',
    targets: searches('active', 'most', deep),
    isFresh: true,
  },
  {
    name: 'count-json-again',
    title: '`_summary=count`, asked again',
    targets: searches(WORD, 'thousands', '&_summary=count'),
    isFile: true,
  },
  {
    name: 'count-json',
    title: '`_summary=count`, first time',
    targets: searches(WORD, 'thousands', '&_summary=count'),
    isFresh: true,
    isFile: true,
  },
  {
    name: 'count-json-new',
    title: '`_summary=count`, every search new',
    targets: newSearches('&_summary=count'),
    isFresh: true,
  },
  ...SEARCHES.map(
    ([kind, name, matches]): HttpCase => ({
      name: `search-${name}-${matches}`,
      title: `${kind}: ${matches === 'most' ? 'a quarter and more of all' : matches}`,
      targets: searches(kind, matches),
      isFresh: true,
    }),
  ),
];
