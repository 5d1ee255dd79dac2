/** Resources of other types that an order response contains where the profile leaves that open. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EXAMPLE, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

let server: OrderServer;
before(async () => {
  server = await startOrders({ profile: 'base' });
});
after(() => server.close());

/** The example with one more contained resource, its elements in the order of XML. */
function containing(resourceType: string, elements: object) {
  const { resourceType: outer, contained, ...rest } = EXAMPLE;
  const more = { resourceType, id: 'more', ...elements };
  const extension = [{ url: 'http://a.example', valueReference: { reference: '#more' } }];
  return { resourceType: outer, contained: [...contained, more], extension, ...rest };
}

const searchParameter = (base: string) =>
  containing('SearchParameter', {
    url: 'http://a.example/search',
    name: 'a',
    code: 'a',
    base,
    type: 'token',
    description: 'a',
  });

const valueSet = (compose: object) =>
  containing('ValueSet', { url: 'http://a.example/set', status: 'draft', compose });

for (const [format, { type, encode }] of Object.entries(FORMATS)) {
  const create = (resource: object) =>
    server.send('POST', 'OrderResponse', { 'content-type': type, accept: type }, encode(resource));

  describe(`a contained resource in ${format}`, () => {
    for (const base of ['Patient', 'Resource', 'DomainResource']) {
      it(`may be a search parameter of ${base}`, async () => {
        const answer = await create(searchParameter(base));
        assert.equal(answer.status, 201, answer.text);
      });
    }

    it('may not be a search parameter of a type that FHIR lacks', async () => {
      const answer = await create(searchParameter('Element'));
      assert.equal(answer.status, 400);
      assert.match(answer.text, /SearchParameter\/f:base/);
    });

    it('may be a value set that imports two, and not one that only imports one', async () => {
      const [one, two] = ['http://a.example/1', 'http://a.example/2'];
      assert.equal((await create(valueSet({ import: [one, two] }))).status, 201);
      const answer = await create(valueSet({ import: [one] }));
      assert.equal(answer.status, 400);
      const [issue] = resourceIn(answer).issue;
      assert.equal(issue.code, 'invariant');
      assert.match(issue.diagnostics, /vsd-2/);
    });
  });
}
