/** The cases that measure how a server scales: threads, types of connections, long pages. */
import { join } from 'node:path';
import { randomFor } from '../../scripts/release/random.ts';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { ROOT } from '../data.ts';
import { freshTarget } from '../http/measure.ts';
import type { Load, Target } from '../load.ts';

export interface GrowthCase {
  readonly name: string;
  readonly title: string;
  readonly threads: number;
  readonly load?: Partial<Load>;
  /** Settings of the server, as flags. */
  readonly settings?: readonly string[];
  /** Open connections that send nothing. */
  readonly idle?: number;
  /** By default, reads of 1,000 organisations. */
  readonly targets?: (edition: Edition) => readonly Target[];
}

const HEADERS = { Accept: 'application/fhir+json', Prefer: 'handling=lenient' };

/** Few enough organisations for the cache of any processor. */
const HOT = 1000;

export function hotReads({ rows }: Edition): readonly Target[] {
  const random = randomFor(11, 0);
  return Array.from({ length: HOT }, () => ({
    path: `/STU3/Organization/${rows.codeOf(random.below(rows.count))}`,
    headers: HEADERS,
  }));
}

const LONG_PAGE = 1000;

function longPages({ rows }: Edition): readonly Target[] {
  const pages = Math.ceil(rows.count / LONG_PAGE);
  return Array.from({ length: pages }, (_, page) =>
    freshTarget({
      path: `/STU3/Organization?_count=${LONG_PAGE}&_page=${page + 1}`,
      headers: HEADERS,
    }),
  );
}

/** Compares servers with these numbers of threads, round by round. */
export const THREAD_CASES: readonly GrowthCase[] = [1, 2, 4].map((threads) => ({
  name: `threads-${threads}`,
  title: `reads, ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
  threads,
}));

const PIPELINED = 16;
const OPEN = 10_000;
const NO_CLIENT_LIMIT = [
  '--limits-connections',
  String(2 * OPEN),
  '--limits-connections-per-client',
  '0',
  '--limits-idle-seconds',
  '3600',
];

const CERTIFICATES = join(ROOT, 'test/server/tls');
const TLS = [
  '--tls-certificate',
  join(CERTIFICATES, 'first.pem'),
  '--tls-key',
  join(CERTIFICATES, 'first-key.pem'),
];

/** Each case has one thread. */
export const CONNECTION_CASES: readonly GrowthCase[] = [
  { name: 'connections-kept', title: 'reads over kept connections' },
  {
    name: 'connections-new',
    title: 'reads, a new connection for each',
    load: { isConnecting: true },
  },
  {
    name: 'connections-pipelined',
    title: `reads, ${PIPELINED} pipelined at a time`,
    load: { pipelined: PIPELINED },
  },
  { name: 'connections-tls', title: 'reads over kept TLS connections', settings: TLS },
  {
    name: 'connections-tls-new',
    title: 'reads, a new TLS connection for each',
    settings: TLS,
    load: { isConnecting: true },
  },
  {
    name: 'connections-10000',
    title: `reads, with ${OPEN.toLocaleString('en-GB')} other open connections`,
    settings: NO_CLIENT_LIMIT,
    idle: OPEN,
  },
  {
    name: 'pages-1000',
    title: `pages of ${LONG_PAGE.toLocaleString('en-GB')}, first time`,
    settings: ['--directory-count-max', String(LONG_PAGE)],
    load: { isFresh: true },
    targets: longPages,
  },
].map((one) => ({ threads: 1, ...one }));
