/** What the HTTP benchmark measures: cases as data, their targets drawn from what is served. */
import type { Target } from './load.ts';

export interface BenchCase {
  readonly name: string;
  readonly targets: readonly Target[];
  /** Ours gets each request only once, so that no answer is one that was kept. */
  readonly isFresh?: boolean;
  /** The least ratio to the yardstick that the design asks for. */
  readonly aim?: number;
}

const JSON_HEADERS = { Accept: 'application/fhir+json' };
const XML_HEADERS = { Accept: 'application/fhir+xml' };

/** What makes each request another one is left out by the search. */
const LENIENT = { Prefer: 'handling=lenient' };

/** How many different targets a case has; reads are spread evenly over the directory. */
const TARGETS = 1000;

export async function cases(port: number, records: number): Promise<readonly BenchCase[]> {
  const codes = await drawCodes(port, records);
  const names = ['LEEDS', 'THE', 'ST ', 'PARK', 'HIGH', 'MANOR', 'CHURCH', 'QUEEN'];
  const reads = (headers: Target['headers']) =>
    codes.map((code) => ({ path: `/STU3/Organization/${code}`, headers }));
  const searches = (query: (name: string) => string, headers: Target['headers'] = JSON_HEADERS) =>
    names.map((name) => ({
      path: `/STU3/Organization?${query(encodeURIComponent(name))}`,
      headers,
    }));
  const page = (name: string) => `name:contains=${name}`;
  const deep = (name: string) => `active=true&name:contains=${name}&_page=5`;
  const count = (name: string) => `name=${name}&_summary=count`;
  return [
    { name: 'read-json', targets: reads(JSON_HEADERS), aim: 0.85 },
    { name: 'read-xml', targets: reads(XML_HEADERS) },
    { name: 'page-json', targets: searches(page), aim: 0.6 },
    {
      name: 'page-json, first time',
      targets: searches(page, { ...JSON_HEADERS, ...LENIENT }),
      isFresh: true,
    },
    {
      name: 'page-xml, first time',
      targets: searches(page, { ...XML_HEADERS, ...LENIENT }),
      isFresh: true,
    },
    {
      name: 'deep page, first time',
      targets: searches(deep, { ...JSON_HEADERS, ...LENIENT }),
      isFresh: true,
    },
    { name: 'count', targets: searches(count), aim: 0.8 },
    {
      name: 'count, first time',
      targets: searches(count, { ...JSON_HEADERS, ...LENIENT }),
      isFresh: true,
    },
  ];
}

/** Codes from pages spread over the whole directory. */
async function drawCodes(port: number, records: number): Promise<string[]> {
  const pages = Math.floor(records / 20);
  const wanted = Math.min(pages, TARGETS / 20);
  const codes: string[] = [];
  for (let index = 0; index < wanted; index++) {
    const page = 1 + Math.floor((index * (pages - 1)) / wanted);
    const answer = await fetch(`http://127.0.0.1:${port}/STU3/Organization?_page=${page}`);
    const { entry = [] } = (await answer.json()) as { entry?: { resource: { id: string } }[] };
    codes.push(...entry.map(({ resource }) => resource.id));
  }
  return codes;
}
