/** Links in transactions and batches. https://hl7.org/fhir/STU3/http.html#transaction */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASE, EXAMPLE } from './order-server.ts';
import {
  create,
  FIRST,
  identified,
  idIn,
  referring,
  SECOND,
  setUp,
  withId,
} from './transaction-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

const ROOT = 'http://client.example/fhir';

const [order, ...others] = EXAMPLE.contained;
const inContained = (reference: string) => ({
  ...EXAMPLE,
  contained: [{ ...order, detail: [{ reference }] }, ...others],
});
const inUri = (valueUri: string) => {
  const { resourceType, contained, ...rest } = EXAMPLE;
  const extension = [{ url: 'https://example.org/u', valueUri }];
  return { resourceType, contained, extension, ...rest };
};
const inNarrative = (href: string) => {
  const { resourceType, ...rest } = EXAMPLE;
  const div = `<div xmlns="http://www.w3.org/1999/xhtml"><p><a href="${href}">first</a></p></div>`;
  return { resourceType, text: { status: 'generated', div }, ...rest };
};
const onPrimitive = (reference: string) => {
  const { fulfillment: _, ...rest } = referring('');
  const extension = [{ url: 'https://example.org/r', valueReference: { reference } }];
  return { ...rest, description: 'a', _description: { extension } };
};
/** As its sender knows it. In the order of the definitions, as the decoder of XML needs it. */
const inVersion = (versionId: string, resource: object = EXAMPLE, id?: string) => {
  const { resourceType, ...rest } = resource as { resourceType: string };
  return { resourceType, ...(id !== undefined && { id }), meta: { versionId }, ...rest };
};

interface Sent {
  readonly link: string;
  /** The fullUrl of the entry that has the link, and of the entry that it leads to. */
  readonly from?: string;
  readonly to: string;
}

const UNDER_ROOT = { from: `${ROOT}/OrderResponse/t2`, to: `${ROOT}/OrderResponse/t1` };

const RESOLVED: readonly (Sent & { readonly what: string; readonly suffix?: string })[] = [
  { what: 'a urn:uuid', link: FIRST, to: FIRST },
  { what: 'a urn:uuid with a fragment', link: `${FIRST}#part`, to: FIRST, suffix: '#part' },
  { what: 'an absolute address', link: `${ROOT}/OrderResponse/t1`, to: UNDER_ROOT.to },
  { what: 'a relative address', link: 'OrderResponse/t1', ...UNDER_ROOT },
  {
    what: 'a relative address in an entry without a root',
    link: 'OrderResponse/t1',
    from: SECOND,
    to: `${BASE}/OrderResponse/t1`,
  },
  {
    what: 'the address of a version',
    link: 'OrderResponse/t1/_history/3',
    ...UNDER_ROOT,
    suffix: '/_history/1',
  },
];

const PLACES: readonly (readonly [what: string, resourceWith: (link: string) => object])[] = [
  ['a reference', (link) => referring('Task/1', link)],
  ['a contained resource', inContained],
  ['an extension of a primitive', onPrimitive],
  ['a URI', inUri],
  ['a narrative', inNarrative],
];

const LINK_PATH: Readonly<Record<string, string>> = {
  'a reference': '/f:OrderResponse/f:fulfillment[2]/f:reference',
  'a contained resource': '/f:OrderResponse/f:contained[1]/f:Order/f:detail[1]/f:reference',
  'an extension of a primitive':
    '/f:OrderResponse/f:description/f:extension[1]/f:valueReference/f:reference',
  'a narrative': '/f:OrderResponse/f:text/h:div',
};

for (const [format, wire] of Object.entries(FORMATS)) {
  describe(`links to other entries of a transaction in ${format}`, () => {
    for (const { what, link, from, to, suffix = '' } of RESOLVED) {
      for (const [place, resourceWith] of PLACES) {
        it(`are replaced: ${what} in ${place}`, async (context) => {
          const { send, read } = await setUp(context, wire);
          const answer = await send([
            {
              ...(from !== undefined && { fullUrl: from }),
              resource: resourceWith(link),
              request: create,
            },
            { fullUrl: to, resource: inVersion('3'), request: create },
          ]);
          assert.equal(answer.status, 200, answer.text);
          const [referrer, target] = resourceIn(answer).entry.map(
            ({ response }: { response: { location: string } }) => idIn(response.location),
          );
          const { id: _, meta: __, ...stored } = await read(referrer);
          const expected = resourceWith(`OrderResponse/${target}${suffix}`);
          assert.deepEqual(stored, JSON.parse(JSON.stringify(expected)));
        });
      }
    }

    it('name the version that an update makes, or that a condition finds', async (context) => {
      const { server, send, read } = await setUp(context, wire);
      const [updated, found] = [await server.create(), await server.create(identified('1'))];
      const url = (id: string) => `${ROOT}/OrderResponse/${id}`;
      const answer = await send([
        {
          fullUrl: url('a'),
          resource: referring('OrderResponse/b/_history/7', 'OrderResponse/c/_history/7'),
          request: create,
        },
        {
          fullUrl: url('b'),
          resource: inVersion('7', EXAMPLE, updated),
          request: { method: 'PUT', url: `OrderResponse/${updated}` },
        },
        {
          fullUrl: url('c'),
          resource: inVersion('7', identified('1')),
          request: { ...create, ifNoneExist: 'identifier=https://ids.example|1' },
        },
      ]);
      assert.equal(answer.status, 200, answer.text);
      const [referrer] = resourceIn(answer).entry;
      const { fulfillment } = await read(idIn(referrer.response.location));
      assert.deepEqual(fulfillment, [
        { reference: `OrderResponse/${updated}/_history/2` },
        { reference: `OrderResponse/${found}/_history/1` },
      ]);
    });

    const nowhere: readonly (Omit<Sent, 'to'> & {
      readonly what: string;
      readonly says: RegExp;
    })[] = [
      { what: 'a urn:uuid', link: SECOND, says: new RegExp(`${SECOND} leads to no resource`) },
      {
        what: 'a relative address under another root',
        link: 'OrderResponse/nobody',
        from: `${ROOT}/OrderResponse/t2`,
        says: /it means http:\/\/client\.example\/fhir\/OrderResponse\/nobody, and no entry/,
      },
      {
        what: 'the address of another version',
        link: 'OrderResponse/t1/_history/2',
        from: `${ROOT}/OrderResponse/t2`,
        says: /fhir\/OrderResponse\/t1\/_history\/2, and no entry/,
      },
    ];
    for (const { what, link, from, says } of nowhere) {
      for (const [place, resourceWith] of PLACES) {
        const path = LINK_PATH[place];
        if (path === undefined) continue;
        it(`that lead nowhere are refused: ${what} in ${place}`, async (context) => {
          const { server, send } = await setUp(context, wire);
          const answer = await send([
            { fullUrl: `${ROOT}/OrderResponse/t1`, resource: inVersion('3'), request: create },
            {
              ...(from !== undefined && { fullUrl: from }),
              resource: resourceWith(link),
              request: create,
            },
          ]);
          assert.equal(answer.status, 400, answer.text);
          const { issue } = resourceIn(answer);
          assert.equal(issue.length, 1);
          assert.match(issue[0].diagnostics, /^Bundle\.entry\[1\] \(POST OrderResponse\): /);
          assert.match(issue[0].diagnostics, says);
          assert.deepEqual(issue[0].location, [`/f:Bundle/f:entry[2]/f:resource${path}`]);
          const all = await server.send('GET', 'OrderResponse', { accept: wire.type });
          assert.equal(Number(resourceIn(all).total), 0);
        });
      }
    }

    it('that lead elsewhere do not change', async (context) => {
      const { server, send, read } = await setUp(context, wire);
      const existing = await server.create();
      const elsewhere = [
        `OrderResponse/${existing}`,
        `OrderResponse/${existing}/_history/1`,
        'Task/1',
        'https://other.example/fhir/OrderResponse/t1',
        `${BASE}/OrderResponse/other`,
      ];
      const resource = {
        ...inUri('urn:uuid:00000000-0000-4000-8000-000000000000'),
        identifier: [{ system: 'urn:oid:2.16.840.1.113883.2.1.4.1', value: FIRST }],
        description: FIRST,
        fulfillment: elsewhere.map((reference) => ({ reference })),
      };
      const sent = wire.decode(wire.encode(resource));
      const answer = await send([
        { fullUrl: FIRST, resource: EXAMPLE, request: create },
        {
          fullUrl: `${BASE}/OrderResponse/${existing}`,
          resource: withId(existing, resource as unknown as typeof EXAMPLE),
          request: { method: 'PUT', url: `OrderResponse/${existing}` },
        },
      ]);
      assert.equal(answer.status, 200, answer.text);
      const { id: _, meta: __, ...stored } = await read(existing);
      assert.deepEqual(stored, sent);
    });

    it('are relative to this server also under the host that the client used', async (context) => {
      const { server, send, read } = await setUp(context, wire);
      const existing = await server.create();
      const answer = await send([
        {
          fullUrl: `${server.url}/OrderResponse/new`,
          resource: referring(`OrderResponse/${existing}`),
          request: create,
        },
      ]);
      assert.equal(answer.status, 200, answer.text);
      const [{ response }] = resourceIn(answer).entry;
      const { fulfillment } = await read(idIn(response.location));
      assert.deepEqual(fulfillment, [{ reference: `OrderResponse/${existing}` }]);
    });

    it('in a batch are refused if they lead nowhere', async (context) => {
      const { send } = await setUp(context, wire);
      const fullUrl = `${ROOT}/OrderResponse/t1`;
      for (const link of ['OrderResponse/t1', FIRST]) {
        const entry = { fullUrl, resource: inContained(link), request: create };
        const answer = await send([entry, { resource: EXAMPLE, request: create }], {}, 'batch');
        const statuses = resourceIn(answer).entry.map(
          ({ response }: { response: { status: string } }) => response.status,
        );
        assert.deepEqual(statuses, ['400 Bad Request', '201 Created']);
        assert.match(answer.text, /leads to no resource/);
      }
    });
  });
}
