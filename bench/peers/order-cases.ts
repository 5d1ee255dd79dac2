/** The cases of the stores of order responses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../data.ts';
import { MARKER, type Target } from '../load.ts';
import { ask, type Contestant, type Product } from './contestant.ts';

export interface OrderCase {
  readonly name: string;
  readonly title: string;
  readonly status?: number;
  readonly isFresh?: boolean;
  readonly targets: (stored: Stored) => readonly Target[];
  /** Why a product cannot run the case in this setup. */
  readonly cannot?: Partial<Readonly<Record<Product, string>>>;
}

/** The contents of a store before the cases. */
export interface Stored {
  /** The ids of order responses with one version. */
  readonly ids: readonly string[];
  /** The ids of order responses with several versions. */
  readonly changed: readonly string[];
  /** An order response in JSON, without id, identifier and date. */
  readonly resource: Resource;
}

type Resource = Readonly<Record<string, unknown>>;

export const VERSIONS = 5;
const CHANGED_SHARE = 10;

const SYSTEM = 'https://lab.example/responses';
const JSON_TYPE = 'application/json+fhir';
const XML_TYPE = 'application/xml+fhir';
const SENT = { Accept: JSON_TYPE, 'Content-Type': JSON_TYPE };
const READ = { Accept: JSON_TYPE };
const XML = readFileSync(join(ROOT, 'sample/order-response.xml'), 'utf8');

const DAYS = 730;
const FIRST_DAY_MS = Date.UTC(2024, 10, 1);
const DAY_MS = 86_400_000;

function dayOf(ordinal: number): string {
  const day = new Date(FIRST_DAY_MS + (ordinal % DAYS) * DAY_MS);
  return day.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

function bodyOf({ resource }: Pick<Stored, 'resource'>, value: string, more: Resource = {}) {
  const date = `${dayOf(0)}T09:00:00Z`;
  return JSON.stringify({ ...resource, identifier: [{ system: SYSTEM, value }], date, ...more });
}

const creates = (headers: Target['headers'], bodies: readonly string[]): readonly Target[] =>
  bodies.map((body) => ({ method: 'POST', path: '/OrderResponse', headers, body }));

const gets = (paths: readonly string[]): readonly Target[] =>
  paths.map((path) => ({ path: `/OrderResponse${path}`, headers: READ }));

export const ORDER_CASES: readonly OrderCase[] = [
  {
    name: 'create-json',
    title: 'create, JSON',
    status: 201,
    isFresh: true,
    targets: (stored) => creates(SENT, [bodyOf(stored, MARKER)]),
  },
  {
    name: 'create-xml',
    title: 'create, XML',
    status: 201,
    isFresh: true,
    targets: () => {
      const identifier = `<identifier><system value="${SYSTEM}"/><value value="${MARKER}"/></identifier>`;
      const body = XML.replace('<request>', `${identifier}<request>`);
      return creates({ Accept: XML_TYPE, 'Content-Type': XML_TYPE }, [body]);
    },
  },
  {
    name: 'conditional-create',
    title: 'conditional create, no match',
    status: 201,
    isFresh: true,
    targets: (stored) =>
      creates({ ...SENT, 'If-None-Exist': `identifier=${SYSTEM}|${MARKER}` }, [
        bodyOf(stored, MARKER),
      ]),
  },
  {
    name: 'conditional-create-found',
    title: 'conditional create, a match',
    targets: (stored) =>
      stored.ids.flatMap((_, i) =>
        creates({ ...SENT, 'If-None-Exist': `identifier=${SYSTEM}|R${i}` }, [
          bodyOf(stored, `R${i}`),
        ]),
      ),
  },
  {
    name: 'update',
    title: 'update, JSON',
    isFresh: true,
    targets: (stored) =>
      stored.ids.map((id, i) => ({
        method: 'PUT',
        path: `/OrderResponse/${id}`,
        headers: SENT,
        body: bodyOf(stored, `R${i}`, { id, date: `${dayOf(i)}T09:00:00Z`, description: MARKER }),
      })),
  },
  { name: 'read', title: 'read', targets: ({ ids }) => gets(ids.map((id) => `/${id}`)) },
  {
    name: 'vread',
    title: 'vread',
    targets: ({ ids }) => gets(ids.map((id) => `/${id}/_history/1`)),
  },
  {
    name: 'history',
    title: `history of one with ${VERSIONS} versions`,
    targets: ({ changed }) => gets(changed.map((id) => `/${id}/_history`)),
  },
  {
    name: 'search-identifier',
    title: 'search by `identifier`',
    targets: ({ ids }) => gets(ids.map((_, i) => `?identifier=${SYSTEM}|R${i}`)),
  },
  {
    name: 'search-date',
    title: 'search by `date`, a day',
    targets: () => gets(Array.from({ length: DAYS - 1 }, (_, i) => `?date=${dayOf(i + 1)}`)),
  },
  {
    name: 'search-patient',
    title: 'search by `request.patient.identifier`, in contained resources',
    targets: () =>
      gets(['?request.patient.identifier=https://fhir.example.org/PAS/Patient/|no-such-patient']),
    cannot: { hapi: 'contained resources are not indexed by default' },
  },
];

/** Fills a store with a limited number of requests at a time. */
export async function fillStore(contestant: Contestant, count: number): Promise<Stored> {
  const { id: _, meta: __, date: ___, ...resource } = await convert(contestant);
  const stored = { resource };
  const create = async (ordinal: number): Promise<string> => {
    const body = bodyOf(stored, `R${ordinal}`, { date: `${dayOf(ordinal)}T09:00:00Z` });
    const answer = await ask(contestant, '/OrderResponse', { method: 'POST', headers: SENT, body });
    await answer.text();
    return idOf(answer);
  };
  const ids = await inParallel(count, create);
  const changed = await inParallel(Math.ceil(count / CHANGED_SHARE), async (ordinal) => {
    const id = await create(count + ordinal);
    for (let version = 2; version <= VERSIONS; version++) {
      const body = bodyOf(stored, `R${count + ordinal}`, { id, description: `V${version}` });
      const update = { method: 'PUT', headers: SENT, body };
      await (await ask(contestant, `/OrderResponse/${id}`, update)).text();
    }
    return id;
  });
  return { ids, changed, resource };
}

/** The sample in JSON, from the server. */
async function convert(contestant: Contestant): Promise<Resource> {
  const headers = { 'Content-Type': XML_TYPE };
  const made = await ask(contestant, '/OrderResponse', { method: 'POST', headers, body: XML });
  await made.text();
  const answer = await ask(contestant, `/OrderResponse/${idOf(made)}`, { headers: READ });
  return (await answer.json()) as Resource;
}

function idOf(answer: Response): string {
  const id = /OrderResponse\/([^/]+)/.exec(answer.headers.get('location') ?? '')?.[1];
  if (id === undefined) throw new Error('an answer to a create has no Location');
  return id;
}

const CLIENTS = 8;

/** The results in the order of their numbers. */
export async function inParallel<Result>(
  count: number,
  act: (number: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next++;
      results[number] = await act(number);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return results;
}
