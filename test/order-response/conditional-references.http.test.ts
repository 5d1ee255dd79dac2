/** References that are searches. https://hl7.org/fhir/STU3/http.html#transaction */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXAMPLE } from './order-server.ts';
import { create, FIRST, identified, idIn, referring, setUp, withId } from './transaction-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

const search = (value: string) => `OrderResponse?identifier=https%3A%2F%2Fids.example%7C${value}`;

for (const [format, wire] of Object.entries(FORMATS)) {
  describe(`a conditional reference in ${format}`, () => {
    it('becomes the address of its only match in a transaction', async (context) => {
      const { server, send, journal, read } = await setUp(context, wire);
      const found = await server.create(identified('1'));
      const entry = { resource: referring('Task/1', search('1'), search('1')), request: create };
      const answer = await send([entry, entry]);
      assert.equal(answer.status, 200, answer.text);
      for (const { response } of resourceIn(answer).entry) {
        const { fulfillment } = await read(idIn(response.location));
        const match = { reference: `OrderResponse/${found}` };
        assert.deepEqual(fulfillment, [{ reference: 'Task/1' }, match, match]);
      }
      const searches = journal().filter((each) => each === 'search-type findMatch');
      assert.equal(searches.length, 1, 'the audit log has each search once');
      const path = `OrderResponse?fulfillment=OrderResponse/${found}`;
      const all = await server.send('GET', path, { accept: wire.type });
      assert.equal(Number(resourceIn(all).total), 2, 'the references can be searched');
    });

    it('finds what the transaction itself writes', async (context) => {
      const { server, send, read } = await setUp(context, wire);
      const updated = await server.create(identified('1'));
      const answer = await send([
        { resource: referring(search('2'), search('3'), FIRST), request: create },
        {
          resource: withId(updated, identified('2') as unknown as typeof EXAMPLE),
          request: { method: 'PUT', url: `OrderResponse/${updated}` },
        },
        { fullUrl: FIRST, resource: identified('3'), request: create },
      ]);
      assert.equal(answer.status, 200, answer.text);
      const [referrer, , created] = resourceIn(answer).entry.map(
        ({ response }: { response: { location?: string } }) => idIn(response.location ?? ''),
      );
      const { fulfillment } = await read(referrer);
      assert.deepEqual(fulfillment, [
        { reference: `OrderResponse/${updated}` },
        { reference: `OrderResponse/${created}` },
        { reference: `OrderResponse/${created}` },
      ]);
    });

    const refused: readonly (readonly [
      what: string,
      reference: string,
      status: number,
      says: RegExp,
    ])[] = [
      ['no match', search('4'), 412, /No resource matches .*OrderResponse\?identifier=/],
      ['several matches', search('2'), 412, /2 resources match /],
      ['a match that the transaction deletes', search('9'), 412, /No resource matches /],
      ['an unknown parameter', 'OrderResponse?status=1', 400, /Unknown search parameter "status"/],
      ['a parameter of answers', 'OrderResponse?_count=1', 400, /_count is not possible here/],
      ['no parameters', 'OrderResponse?', 400, /condition has no parameters/],
      ['another type', 'Patient?identifier=1', 400, /cannot be a search of Patient on this server/],
      ['no type', '?identifier=1', 400, /write a search as Type\?parameters/],
      ['a slash before the parameters', 'OrderResponse/?identifier=1', 400, /as Type\?parameters/],
      ['the address of a search', 'OrderResponse/_search?identifier=1', 400, /as Type\?parameters/],
      ['the audit log', 'AuditEvent?action=C', 400, /cannot be a search of AuditEvent/],
    ];
    for (const [what, reference, status, says] of refused) {
      it(`with ${what} is ${status}, names its place, and stores nothing`, async (context) => {
        const { server, send, journal } = await setUp(context, wire);
        for (const value of ['1', '2', '2']) await server.create(identified(value));
        const deleted = await server.create(identified('9'));
        const before = journal().length;
        const answer = await send([
          { resource: EXAMPLE, request: create },
          { resource: referring('Task/1', reference), request: create },
          { request: { method: 'DELETE', url: `OrderResponse/${deleted}` } },
        ]);
        assert.equal(answer.status, status, answer.text);
        const { issue } = resourceIn(answer);
        assert.match(issue[0].diagnostics, /^Bundle\.entry\[1\] \(POST OrderResponse\): /);
        assert.match(issue[0].diagnostics, says);
        const place = '/f:OrderResponse/f:fulfillment[2]/f:reference';
        assert.deepEqual(issue[0].location, [`/f:Bundle/f:entry[2]/f:resource${place}`]);
        const recorded = status === 412 ? 'search-type findMatch' : 'create invalid';
        assert.deepEqual(journal().slice(before), [recorded]);
      });
    }

    it('is 400 outside transactions', async (context) => {
      const { server, send } = await setUp(context, wire);
      const id = await server.create(identified('1'));
      const resource = referring(search('1'));
      const requests: readonly (readonly [method: string, path: string, resource: object])[] = [
        ['POST', 'OrderResponse', resource],
        ['PUT', `OrderResponse/${id}`, withId(id, resource as unknown as typeof EXAMPLE)],
        ['POST', 'OrderResponse/$validate', resource],
      ];
      const says = /refers to the search .*only possible in a transaction/;
      for (const [method, path, sent] of requests) {
        const headers = { 'content-type': wire.type };
        const answer = await server.send(method, path, headers, wire.encode(sent));
        assert.equal(answer.status, path.endsWith('$validate') ? 200 : 400, answer.text);
        const [issue] = resourceIn(answer).issue;
        assert.match(issue.diagnostics, says);
        assert.match(String(issue.location), /f:fulfillment\[1\]\/f:reference/);
      }
      const batch = await send([{ resource, request: create }], {}, 'batch');
      assert.match(batch.text, says);
    });

    it('needs the scope to read, unless it searches by an identifier', async (context) => {
      const { server, send } = await setUp(context, wire);
      await server.create(identified('1'));
      const headers = { authorization: 'Bearer writer' };
      const sendOne = (reference: string) =>
        send([{ resource: referring(reference), request: create }], headers);
      assert.equal((await sendOne(search('1'))).status, 200);
      assert.equal((await sendOne('OrderResponse?code=completed')).status, 403);
      const hidden = await sendOne(search('4'));
      assert.equal(hidden.status, 412);
      assert.match(hidden.text, /A token with the scope to read shows the reason/);
    });

    for (const method of ['DELETE', 'GET']) {
      it(`is no search in an entry with ${method}, which sends no resource`, async (context) => {
        const { server, send, journal } = await setUp(context, wire);
        const id = await server.create(identified('1'));
        const headers = { authorization: `Bearer ${method === 'GET' ? 'reader' : 'writer'}` };
        const resource = referring('OrderResponse?code=aborted');
        const request = { method, url: `OrderResponse/${id}` };
        const answer = await send([{ resource, request }], headers);
        assert.equal(answer.status, 200, answer.text);
        assert.ok(journal().every((each) => each !== 'search-type findMatch'));
      });
    }
  });
}

it('a transaction can have 200 different conditional references', async (context) => {
  const { server, send } = await setUp(context, FORMATS.json);
  const withSearches = (count: number) => [
    {
      resource: referring(...Array.from({ length: count }, (_, at) => search(`${at}`))),
      request: create,
    },
  ];
  const within = await send(withSearches(200));
  assert.match(within.text, /No resource matches/);
  const beyond = await send(withSearches(201));
  assert.equal(beyond.status, 400);
  assert.match(beyond.text, /at most 200 different conditional references/);
  assert.equal(server.store.journal.length, 2);
});
