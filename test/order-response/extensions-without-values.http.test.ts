/** Items of repeating primitives that have extensions in place of a value, in every answer. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { notificationOf } from '../../src/orders/subscriptions/notification.ts';
import { EXAMPLE, JSON_TYPE, startOrders } from './order-server.ts';
import { FORMATS } from './wire-formats.ts';

const MASKED = { extension: [{ url: 'https://example.org/line', valueString: 'masked' }] };

const [order, patient, practitioner] = EXAMPLE.contained;

/** Its address has one line: without a value, or beside one with a value. */
const withLines = (...line: (string | null)[]) => ({
  ...EXAMPLE,
  contained: [
    order,
    { ...patient, address: [{ line, _line: line.map((each) => (each === null ? MASKED : null)) }] },
    practitioner,
  ],
});

const CASES: readonly (readonly [lines: readonly (string | null)[], json: string, xml: RegExp])[] =
  [
    [
      [null],
      `"line":[null],"_line":[${JSON.stringify(MASKED)}]`,
      /<address><line><extension [^>]*><valueString value="masked"\/><\/extension><\/line><\/address>/,
    ],
    [
      ['1 Road', null],
      `"line":["1 Road",null],"_line":[null,${JSON.stringify(MASKED)}]`,
      /<address><line value="1 Road"\/><line><extension .*<\/line><\/address>/,
    ],
  ];

async function setUp(context: TestContext) {
  const server = await startOrders();
  context.after(() => server.close());
  return server;
}

for (const [format, { type, encode }] of Object.entries(FORMATS)) {
  describe(`lines with extensions in place of values, sent in ${format}`, () => {
    for (const [lines, json, xml] of CASES) {
      const sent = encode(withLines(...lines));

      it(`${JSON.stringify(lines)} keep their places in every answer`, async (context) => {
        const server = await setUp(context);
        const headers = { 'content-type': type };
        const created = await server.send('POST', 'OrderResponse', headers, sent);
        assert.equal(created.status, 201, created.text);
        const id = created.headers.get('location')?.split('/').at(-3);
        const paths = [
          `OrderResponse/${id}`,
          `OrderResponse/${id}/_history/1`,
          'OrderResponse',
          `OrderResponse/${id}/_history`,
          'OrderResponse/_history',
          '_history',
        ];
        for (const path of paths) {
          const answer = await server.send('GET', `${path}?_format=json`);
          assert.ok(answer.text.includes(json), `${path}: ${answer.text}`);
          assert.match((await server.send('GET', `${path}?_format=xml`)).text, xml, path);
        }
        const entry = [{ request: { method: 'GET', url: `OrderResponse/${id}` } }];
        const batch = JSON.stringify({ resourceType: 'Bundle', type: 'batch', entry });
        const answer = await server.send('POST', '', { 'content-type': JSON_TYPE }, batch);
        assert.ok(answer.text.includes(json), answer.text);
      });

      it(`${JSON.stringify(lines)} keep their places in a transaction and a notification`, async (context) => {
        const server = await setUp(context);
        const entry = [
          { resource: withLines(...lines), request: { method: 'POST', url: 'OrderResponse' } },
        ];
        const bundle = encode({ resourceType: 'Bundle', type: 'transaction', entry });
        const headers = {
          'content-type': type,
          accept: JSON_TYPE,
          prefer: 'return=representation',
        };
        const answer = await server.send('POST', '', headers, bundle);
        assert.ok(answer.text.includes(json), answer.text);
        const id = JSON.parse(answer.text).entry[0].resource.id;
        const { text } = await server.send('GET', `OrderResponse/${id}?_format=json`);
        const writtenAt = '2026-11-28T09:00:00.000Z';
        const change = { type: 'OrderResponse', id, version: 1, position: '1', writtenAt, text };
        const channel = { id: 'a', payload: 'json', mediaType: JSON_TYPE } as const;
        const sealed = { headers: [] };
        const { body } = notificationOf(change, channel, sealed, 0, () => '');
        assert.ok(body.includes(json), body);
      });
    }
  });
}
