/** What clients ask of the directory, everything that it serves, the frequent often and the large seldom. */
import type { Random } from '../../scripts/release/random.ts';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { createQueries, QUERY_KINDS } from '../queries.ts';

export interface DirectoryRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it reads one organisation, as most clients do most of the time. */
  readonly isRead: boolean;
}

interface Kind {
  /** How often it is asked for, of all. */
  readonly weight: number;
  readonly isRead?: true;
  readonly accept?: string;
  readonly path: (draw: Draw) => string;
}

interface Draw {
  code(): string;
  word(): string;
  query(): string;
}

const KINDS: readonly Kind[] = [
  { weight: 200, isRead: true, path: ({ code }) => `/STU3/Organization/${code()}` },
  {
    weight: 40,
    isRead: true,
    accept: 'application/fhir+xml',
    path: ({ code }) => `/STU3/Organization/${code()}`,
  },
  { weight: 40, isRead: true, path: ({ code }) => `/legacy/STU3/Organization/${code()}` },
  { weight: 100, isRead: true, path: ({ code }) => `/R4/Organization/${code()}` },
  { weight: 60, isRead: true, path: ({ code }) => `/ORD/2-0-0/organisations/${code()}` },
  { weight: 200, path: ({ query }) => `/STU3/Organization?${query()}` },
  { weight: 60, path: ({ word }) => `/R4/Organization?name:contains=${word()}&_count=20` },
  { weight: 20, path: () => '/R4/OrganizationAffiliation?_count=20' },
  { weight: 20, path: ({ word }) => `/ORD/2-0-0/organisations?Name=${word()}&Limit=20` },
  { weight: 20, path: ({ code }) => `/resolve?code=${code()}` },
  { weight: 20, path: ({ code }) => `/hierarchy?code=${code()}` },
  { weight: 10, path: ({ word }) => `/match?name=${word()}+${word()}` },
  { weight: 5, path: () => '/events?since=2026-10-01' },
  { weight: 5, path: () => '/roles' },
  { weight: 20, accept: 'text/html', path: () => '/' },
  { weight: 40, accept: 'text/html', path: ({ word }) => `/?q=${word()}` },
  { weight: 40, accept: 'text/html', path: ({ code }) => `/organizations/${code()}` },
  { weight: 20, accept: '*/*', path: ({ word }) => `/suggestions?q=${word()}` },
  { weight: 5, accept: 'text/html', path: () => '/editions' },
  { weight: 5, accept: 'text/html', path: () => '/changes' },
  { weight: 5, accept: 'text/html', path: () => '/statistics' },
  { weight: 5, accept: '*/*', path: ({ word }) => `/results.csv?q=${word()}` },
  { weight: 3, path: () => '/api/getReport?report=epraccur' },
  { weight: 1, path: () => '/editions/current.ndjson' },
  { weight: 1, path: () => '/editions/current.sqlite' },
  { weight: 1, path: () => '/openapi.json' },
];

const TOTAL = KINDS.reduce((sum, { weight }) => sum + weight, 0);

/** Draws requests from the records of an edition. Later editions have nearly the same records. */
export function createDirectoryRequests(edition: Edition): (random: Random) => DirectoryRequest {
  const { rows } = edition;
  const nextQuery = createQueries(edition, 1);
  return (random) => {
    const code = () => rows.codeOf(random.below(rows.count));
    const draw: Draw = {
      code: () => encodeURIComponent(code()),
      word: () => encodeURIComponent(wordOf(rows.recordAt(random.below(rows.count)).name ?? '')),
      query: () => nextQuery(random.pick(QUERY_KINDS)).text,
    };
    const { isRead = false, accept = 'application/fhir+json, */*;q=0.5', path } = kindAt(random);
    return { path: path(draw), headers: { accept }, isRead };
  };
}

function kindAt(random: Random): Kind {
  let left = random.below(TOTAL);
  for (const kind of KINDS) {
    left -= kind.weight;
    if (left < 0) return kind;
  }
  throw new RangeError('The weights add up to their total.');
}

/** The longest word, which searches accept because it has three letters or more. */
function wordOf(name: string): string {
  const [longest = ''] = name.split(' ').sort((one, other) => other.length - one.length);
  return longest.padEnd(3, 'e');
}
