/** What is told first of a request with several things wrong: path, method, token, Accept, type, body, rules. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BODY_BYTES_MAX, EXAMPLE, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

let server: OrderServer;
let id: string;
before(async () => {
  server = await startOrders();
  id = await server.create();
});
after(() => server.close());

interface Fault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** In place of the example. */
  readonly body?: string | object;
}

/** Against FHIR, against the service's own rules, and not to be read at all. */
const INVALID = { ...EXAMPLE, orderStatus: 'done' };
const OUTSIDE = {
  resourceType: 'OrderResponse',
  request: { reference: 'https://elsewhere.example/Order/1' },
  orderStatus: 'completed',
};
const TOO_LONG = `{"resourceType": "OrderResponse" ${' '.repeat(BODY_BYTES_MAX)}}`;

/** Each of these is reported before those after it. */
const WRITING: readonly Fault[] = [
  { status: 401, headers: { authorization: '' } },
  { status: 403, headers: { authorization: 'Bearer reader' } },
  { status: 406, headers: { accept: 'image/png' } },
  { status: 415, headers: { 'content-type': 'text/plain' } },
  { status: 413, body: TOO_LONG },
  { status: 400, query: '?_format=turtle' },
];

/** The problems of the conditions of a create and of an update. */
const CREATING: readonly Fault[] = [
  { status: 400, headers: { 'if-none-exist': 'status=completed' } },
  { status: 400, body: INVALID },
  { status: 422, body: OUTSIDE },
];
const UPDATING: readonly Fault[] = [
  { status: 400, headers: { 'if-match': 'W/2' } },
  { status: 400, body: INVALID },
  { status: 409, headers: { 'if-match': 'W/"7"' } },
  { status: 422, body: OUTSIDE },
];

const INTERACTIONS = {
  create: { method: 'POST', path: () => 'OrderResponse', faults: [...WRITING, ...CREATING] },
  update: { method: 'PUT', path: () => `OrderResponse/${id}`, faults: [...WRITING, ...UPDATING] },
} as const;

for (const [interaction, { method, path, faults }] of Object.entries(INTERACTIONS)) {
  for (const [format, { type, encode }] of Object.entries(FORMATS)) {
    describe(`${interaction} in ${format}`, () => {
      it('reports problems of a condition and of the body together, in the order of the request', async () => {
        const [condition] = faults.filter(({ status, headers }) => status === 400 && headers);
        const answer = await send({ ...condition, status: 400, body: INVALID });
        assert.equal(answer.status, 400);
        assert.deepEqual(
          resourceIn(answer).issue.map(({ location }: { location: string[] }) => location[0]),
          [
            method === 'POST' ? 'http.If-None-Exist' : 'http.If-Match',
            '/f:OrderResponse/f:orderStatus',
          ],
        );
      });

      const send = ({ headers, query = '', body = EXAMPLE }: Fault) =>
        server.send(
          method,
          path() + query,
          { 'content-type': type, accept: type, ...headers },
          typeof body === 'string' ? body : encode(method === 'PUT' ? withId(body) : body),
        );

      for (const [place, first] of faults.entries()) {
        it(`reports ${nameOf(first)} before all later checks`, async () => {
          const before = server.store.journal.length;
          for (const other of [{ status: 0 }, ...faults.slice(place + 1)]) {
            const answer = await send({ ...other, ...first, ...both(first, other) });
            assert.equal(answer.status, first.status, `${nameOf(other)}: ${answer.text}`);
            assert.equal(resourceIn(answer).resourceType, 'OperationOutcome');
            requirePrivate(answer);
          }
          const entries = server.store.journal.slice(before).map(({ entry }) => entry);
          assert.ok(
            entries.every((entry) => !/ (create|update)$/.test(entry) || isConflict(first)),
          );
        });
      }
    });
  }
}

/** The store itself sees that a version does not match. */
function isConflict({ status }: Fault): boolean {
  return status === 409;
}

function both(first: Fault, other: Fault): Pick<Fault, 'headers'> {
  return { headers: { ...other.headers, ...first.headers } };
}

function nameOf({ status, headers, query, body }: Fault): string {
  const what = body === undefined ? [query ?? ''] : ['a body'];
  return [status, ...Object.keys(headers ?? {}), ...what].join(' ').trim();
}

/** The elements in their order, with the id that XML wants first. */
function withId({ resourceType, ...rest }: { resourceType?: string }): object {
  return { resourceType, id, ...rest };
}

const BAD_TOKEN_AND_FORMAT = { authorization: 'Bearer nobody', accept: 'image/png' };
const WRITER_AND_FORMAT = { authorization: 'Bearer writer', accept: 'image/png' };

describe('other requests', () => {
  const cases: readonly (readonly [
    what: string,
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    status: number,
  ])[] = [
    ['an unknown path before its method', 'DELETE', 'OrderResponse/a/b', {}, 404],
    ['an unknown path before the token', 'GET', 'OrderResponse/a/b', { authorization: '' }, 404],
    ['a path below a version', 'GET', 'OrderResponse/a/_history/1/x', {}, 404],
    ['another type', 'GET', 'Order/a', { authorization: '' }, 404],
    ['a contained type', 'GET', 'Patient/pat', {}, 404],
    ['a method before the token', 'DELETE', 'OrderResponse/a', { authorization: '' }, 405],
    ['a method before the format', 'DELETE', 'OrderResponse/a', { accept: 'image/png' }, 405],
    ['a token before the format', 'GET', 'OrderResponse/a', BAD_TOKEN_AND_FORMAT, 401],
    ['a scope before the format', 'GET', 'OrderResponse/a', WRITER_AND_FORMAT, 403],
    ['a format before a missing resource', 'GET', 'OrderResponse/a', { accept: 'image/png' }, 406],
    ['a token before a missing resource', 'GET', 'OrderResponse/a', { authorization: '' }, 401],
    ['a transaction in another format', 'POST', '', { 'content-type': 'text/plain' }, 415],
  ];
  for (const [what, method, path, headers, status] of cases) {
    it(`report ${what}`, async () => {
      const answer = await server.send(method, path, headers, method === 'POST' ? '{}' : undefined);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, /OperationOutcome/);
      assert.equal(answer.headers.has('allow'), status === 405);
    });
  }

  it('with a method that is not offered are 405 with Allow', async () => {
    const allowed: readonly (readonly [path: string, allow: string, methods: readonly string[]])[] =
      [
        ['OrderResponse', 'GET, HEAD, PUT, POST, OPTIONS', ['DELETE', 'PATCH']],
        ['OrderResponse/_search', 'POST, OPTIONS', ['GET', 'PUT']],
        [`OrderResponse/${id}`, 'GET, HEAD, PUT, OPTIONS', ['POST', 'DELETE', 'PATCH']],
        [`OrderResponse/${id}/_history`, 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'DELETE']],
        [`OrderResponse/${id}/_history/1`, 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'DELETE']],
        ['metadata', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'DELETE']],
      ];
    for (const [path, allow, methods] of allowed) {
      for (const method of methods) {
        for (const { type } of Object.values(FORMATS)) {
          const answer = await server.send(method, path, { accept: type, authorization: '' });
          assert.equal(answer.status, 405, `${method} ${path}`);
          assert.equal(answer.headers.get('allow'), allow);
          requirePrivate(answer);
          if (method === 'HEAD') continue;
          const [issue] = resourceIn(answer).issue;
          assert.equal(issue.code, 'not-supported');
          assert.equal(issue.details.coding[0].code, 'NOT_IMPLEMENTED');
        }
      }
    }
  });
});
