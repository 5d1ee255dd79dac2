/** What clients do with order responses over HTTP: cases as data, in JSON and XML. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../data.ts';
import type { Target } from '../load.ts';
import type { RunningProgram } from '../server.ts';

export interface OrderCase {
  readonly name: string;
  readonly title: string;
  /** What is asked, once what it is asked of is there. */
  readonly targets: (server: RunningProgram, token: string) => Promise<readonly Target[]>;
  readonly status?: number;
  /** Whether it can be answered again by a yardstick. */
  readonly isRead?: boolean;
  /** Whether it is measured in turn with creates. */
  readonly isBesideCreate?: boolean;
}

type Form = 'json' | 'xml';

const FORMS: readonly Form[] = ['json', 'xml'];

/** So many order responses are read and updated one after the other. */
const RESOURCES = 500;

/** A transaction has so many creates. */
export const TRANSACTION_CREATES = 50;

export const ORDER_CASES: readonly OrderCase[] = [
  ...FORMS.flatMap(casesIn),
  {
    name: 'order-create-exists-json',
    title: 'create with If-None-Exist and a match, JSON',
    isBesideCreate: true,
    targets: async (server, token) => existingTargets(server, token),
  },
];

/** These too can be profiled, and compared with another commit. */
export const ALL_ORDER_CASES: readonly OrderCase[] = [
  ...ORDER_CASES,
  {
    name: 'order-transaction-json',
    title: `transaction of ${TRANSACTION_CREATES} creates, JSON`,
    targets: async (server, token) => [transactionTarget(await bodiesOf(server, token), token)],
  },
];

function casesIn(form: Form): OrderCase[] {
  const name = form.toUpperCase();
  return [
    {
      name: `order-create-${form}`,
      title: `create, ${name}`,
      status: 201,
      targets: async (server, token) => [createTarget(await bodiesOf(server, token), form, token)],
    },
    {
      name: `order-update-${form}`,
      title: `update, ${name}`,
      targets: async (server, token) => {
        const bodies = await bodiesOf(server, token);
        const ids = await createSome(server, token, bodies);
        return ids.map((id) => ({
          method: 'PUT',
          path: `/OrderResponse/${id}`,
          headers: headersOf(token, form),
          body: withId(bodies[form], form, id),
        }));
      },
    },
    {
      name: `order-read-${form}`,
      title: `read, ${name}`,
      isRead: true,
      targets: async (server, token) => readTargets(server, token, form, (id) => id),
    },
    {
      name: `order-vread-${form}`,
      title: `vread, ${name}`,
      isRead: true,
      targets: async (server, token) =>
        readTargets(server, token, form, (id) => `${id}/_history/1`),
    },
  ];
}

export type Bodies = Readonly<Record<Form, string>>;

/** The sample's order response, and what the server says it is in JSON. */
export async function bodiesOf(server: RunningProgram, token: string): Promise<Bodies> {
  const xml = readFileSync(join(ROOT, 'sample/order-response.xml'), 'utf8');
  const [id = ''] = await createSome(server, token, { xml, json: '' }, 1);
  const answer = await fetch(`${server.origin}/OrderResponse/${id}`, {
    headers: headersOf(token, 'json'),
  });
  const { id: _, meta: __, ...resource } = JSON.parse(await answer.text());
  return { xml, json: JSON.stringify(resource) };
}

export function createTarget(bodies: Bodies, form: Form, token: string): Target {
  const headers = headersOf(token, form);
  return { method: 'POST', path: '/OrderResponse', headers, body: bodies[form] };
}

export function transactionTarget({ json }: Bodies, token: string): Target {
  return transactionOf(Array(TRANSACTION_CREATES).fill(JSON.parse(json)), token);
}

/** Each creates a resource with an identifier that a stored one has. */
async function existingTargets(server: RunningProgram, token: string): Promise<Target[]> {
  const { json } = await bodiesOf(server, token);
  const targets = Array.from({ length: RESOURCES }, (_, at) => {
    const identifier = { system: 'urn:bench', value: `R${at}` };
    const body = JSON.stringify({ ...JSON.parse(json), identifier: [identifier] });
    const ifNoneExist = `identifier=${identifier.system}|${identifier.value}`;
    const headers = { ...headersOf(token, 'json'), 'If-None-Exist': ifNoneExist };
    return { method: 'POST' as const, path: '/OrderResponse', headers, body };
  });
  await Promise.all(
    targets.map(async ({ path, ...request }) =>
      (await fetch(server.origin + path, request)).text(),
    ),
  );
  return targets;
}

/** One transaction that creates all of them, in their order. */
export function transactionOf(resources: readonly object[], token: string): Target {
  const request = { method: 'POST', url: 'OrderResponse' };
  const entry = resources.map((resource) => ({ resource, request }));
  const body = JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry });
  return { method: 'POST', path: '/', headers: headersOf(token, 'json'), body };
}

async function createSome(
  { origin }: RunningProgram,
  token: string,
  bodies: Bodies,
  count = RESOURCES,
): Promise<string[]> {
  const { path, ...request } = createTarget(bodies, 'xml', token);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await fetch(origin + path, request as RequestInit);
      const id = /OrderResponse\/([^/]+)/.exec(answer.headers.get('location') ?? '')?.[1];
      if (id === undefined) throw new Error(`not created: ${await answer.text()}`);
      await answer.text();
      return id;
    }),
  );
}

async function readTargets(
  server: RunningProgram,
  token: string,
  form: Form,
  pathOf: (id: string) => string,
): Promise<Target[]> {
  const ids = await createSome(server, token, await bodiesOf(server, token));
  const { 'Content-Type': _, ...headers } = headersOf(token, form);
  return ids.map((id) => ({ path: `/OrderResponse/${pathOf(id)}`, headers }));
}

function headersOf(token: string, form: Form) {
  const type = `application/${form}+fhir`;
  return { Authorization: `Bearer ${token}`, 'Content-Type': type, Accept: type };
}

function withId(body: string, form: Form, id: string): string {
  if (form === 'json') return JSON.stringify({ ...JSON.parse(body), id });
  return body.replace(/(<OrderResponse [^>]*>)/, `$1<id value="${id}"/>`);
}
