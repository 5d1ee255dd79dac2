/** Conditional writes of a resource that does not meet its own condition. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXAMPLE } from './order-server.ts';
import { create, identified, setUp, withId } from './transaction-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

const ID = 'https%3A%2F%2Fids.example';

/** Each is sent with a resource that has the identifier 1 of `https://ids.example`. */
const UNMET: readonly (readonly [condition: string, says: readonly RegExp[]])[] = [
  [
    `identifier=${ID}%7C2`,
    [
      /condition identifier=https:\/\/ids\.example\|2: it has identifier https:\/\/ids\.example\|1\./,
    ],
  ],
  ['identifier=3,4', [/condition identifier=3,4: it has identifier https:\/\/ids\.example\|1\./]],
  [`identifier:not=${ID}%7C1`, [/condition identifier:not=.*: it has identifier .*\|1\./]],
  [
    `identifier=${ID}%7C1&code=pending&date=lt2017&_format=json`,
    [
      /condition code=pending: it has code .*\|completed\./,
      /condition date=lt2017: it has date 2017-/,
    ],
  ],
  ['fulfillment=Task/1', [/condition fulfillment=Task\/1: it has no fulfillment\./]],
  ['fulfillment:missing=false', [/condition fulfillment:missing=false: it has no fulfillment\./]],
  ['patient=Patient/1', [/condition patient=Patient\/1: it has request.patient #pat\./]],
  ['_lastUpdated=lt2020', [/condition _lastUpdated=lt2020: it has _lastUpdated 20/]],
];

for (const [format, wire] of Object.entries(FORMATS)) {
  describe(`a resource in ${format} that does not meet the condition`, () => {
    for (const [condition, says] of UNMET) {
      it(`${condition} is refused, and the answer says what differs`, async (context) => {
        const { server, send, journal } = await setUp(context, wire);
        const headers = { 'content-type': wire.type };
        const body = wire.encode(identified('1'));
        const ifNoneExist = { ...headers, 'if-none-exist': condition };
        const resource = identified('1');
        const update = { method: 'PUT', url: `OrderResponse?${condition}` };
        const answers = [
          await server.send('POST', 'OrderResponse', ifNoneExist, body),
          await server.send('PUT', `OrderResponse?${condition}`, headers, body),
          await send([{ resource, request: { ...create, ifNoneExist: condition } }]),
        ];
        for (const answer of answers) {
          assert.equal(answer.status, 400, answer.text);
          const { issue } = resourceIn(answer);
          assert.equal(issue.length, says.length, answer.text);
          for (const [at, each] of says.entries()) assert.match(issue[at].diagnostics, each);
        }
        const [created, updated, transacted] = answers.map(
          (answer) => resourceIn(answer).issue[0].location[0],
        );
        assert.equal(created, 'http.If-None-Exist');
        assert.match(updated, /^http\.(identifier|code|fulfillment|patient|_lastUpdated)/);
        assert.equal(transacted, '/f:Bundle/f:entry[1]/f:request/f:ifNoneExist');
        const batch = await send([{ resource, request: update }], {}, 'batch');
        assert.match(batch.text, /The resource does not meet the condition/);
        const stored = journal().filter((entry) => !entry.endsWith('invalid'));
        assert.deepEqual(stored, []);
      });
    }

    it('_id is refused in a create, and in an update unless it is the id of the match', async (context) => {
      const { server } = await setUp(context, wire);
      const headers = { 'content-type': wire.type };
      const body = wire.encode(EXAMPLE);
      const put = (query: string, sent = body) =>
        server.send('PUT', `OrderResponse?${query}`, headers, sent);
      const id = await server.create();
      const condition = { ...headers, 'if-none-exist': `_id=${id}` };
      const created = await server.send('POST', 'OrderResponse', condition, body);
      assert.equal(created.status, 400);
      assert.match(created.text, /condition _id=.*: it has no _id\./);
      assert.equal((await put(`_id=${id}`)).status, 200);
      const absent = await put('_id=nobody');
      assert.equal(absent.status, 400, absent.text);
      assert.match(absent.text, /has the id (&quot;|\\")nobody/);
      assert.equal((await put(`_id=${id},nobody`)).status, 400);
      const named = wire.encode(withId(id));
      assert.equal((await put(`_id=${id},nobody`, named)).status, 200);
      assert.equal((await put('_id=nobody', named)).status, 400);
    });
  });
}
