/** Subscriptions as resources of the OrderResponse service. https://hl7.org/fhir/DSTU2/subscription.html */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openSeal } from '../../src/orders/subscriptions/channel-seal.ts';
import { MASK, SECRET_URL } from '../../src/orders/subscriptions/subscription.ts';
import { FORMATS, resourceIn } from '../order-response/wire-formats.ts';
import { CHANNEL, SECRET, SUBSCRIPTION_EXAMPLE } from './example.ts';
import { KEY, problemsIn, setUp } from './subscription-server.ts';

describe('a subscription', () => {
  for (const [format, { type, encode }] of Object.entries(FORMATS)) {
    it(`is created, read and deleted in ${format}`, async (context) => {
      const { send } = await setUp(context);
      const headers = { accept: type, 'content-type': type };
      const created = await send('POST', 'Subscription', headers, encode(SUBSCRIPTION_EXAMPLE));
      assert.equal(created.status, 201, created.text);
      const path = new URL(created.headers.get('location') ?? '').pathname.split('/').slice(2, 4);
      const read = await send('GET', path.join('/'), { accept: type });
      assert.equal(read.status, 200);
      const { status, criteria, channel } = resourceIn(read);
      assert.deepEqual([status, criteria], ['requested', SUBSCRIPTION_EXAMPLE.criteria]);
      assert.equal(channel.endpoint, CHANNEL.endpoint);
      assert.equal((await send('DELETE', path.join('/'))).status, 204);
      assert.equal((await send('GET', path.join('/'))).status, 410);
    });
  }

  it('shows masks wherever it can be seen, and keeps the secrets in its seal', async (context) => {
    const { send, create } = await setUp(context);
    const id = await create();
    const paths = [
      `Subscription/${id}`,
      `Subscription/${id}/_history/1`,
      `Subscription/${id}/_history`,
      'Subscription/_history',
      'Subscription?status=requested',
      '_history',
    ];
    for (const path of paths) {
      const { status, text } = await send('GET', path);
      assert.equal(status, 200, path);
      assert.ok(text.includes(`Authorization: ${MASK}\\nX-System: ${MASK}`), path);
      assert.ok(!text.includes('Bearer 1234') && !text.includes(SECRET), path);
    }
    const stored = JSON.parse((await send('GET', `Subscription/${id}`)).text);
    assert.deepEqual(openSeal(stored, id, KEY), {
      endpoint: CHANNEL.endpoint,
      headers: [
        { name: 'Authorization', value: 'Bearer 1234' },
        { name: 'X-System', value: 'practice' },
      ],
      secret: SECRET,
      owner: { subject: 'subject of subscriber', client: 'test' },
    });
    assert.equal(openSeal(stored, 'other', KEY), undefined);
    assert.equal(openSeal(stored, id, new Uint8Array(32)), undefined);
  });

  it('keeps its secrets when a client sends back what it read', async (context) => {
    const { send, create } = await setUp(context);
    const id = await create();
    const path = `Subscription/${id}`;
    const read = JSON.parse((await send('GET', path)).text);
    assert.equal((await send('PUT', path, {}, { ...read, reason: 'another' })).status, 200);
    const changed = JSON.parse((await send('GET', path)).text);
    assert.equal(openSeal(changed, id, KEY)?.secret, SECRET);
    assert.equal(openSeal(changed, id, KEY)?.headers.length, 2);
  });

  it('gives its secrets to no other endpoint and no other subscription', async (context) => {
    const { send, create } = await setUp(context);
    const id = await create();
    const path = `Subscription/${id}`;
    const read = JSON.parse((await send('GET', path)).text);
    const moved = { ...read, channel: { ...read.channel, endpoint: 'https://hooks.example/mine' } };
    const { id: _, ...copy } = read;
    for (const answer of [
      await send('PUT', path, {}, moved),
      await send('POST', 'Subscription', {}, copy),
    ]) {
      assert.equal(answer.status, 422);
      assert.deepEqual(problemsIn(answer), [
        'The seal has no value for the mask in channel.header. Only the client that sent the value can keep it, and only for the same channel.endpoint. Send channel.header again without the mask, or leave it out.',
      ]);
    }
  });

  it('lets no other client use its secrets', async (context) => {
    const { send, create } = await setUp(context, { subscriptions: { updates: 'anyone' } });
    const id = await create();
    const path = `Subscription/${id}`;
    const other = { authorization: 'Bearer other subscriber' };
    const read = JSON.parse((await send('GET', path, other)).text);
    const widened = { ...read, criteria: 'OrderResponse' };
    const refused = await send('PUT', path, other, widened);
    assert.equal(refused.status, 422);
    assert.match(problemsIn(refused).join(), /Only the client that sent the value can keep it/);
    const { header: _, extension: _all, ...bare } = read.channel;
    assert.equal((await send('PUT', path, other, { ...widened, channel: bare })).status, 200);
    const own = { ...bare, header: 'Authorization: Bearer own' };
    assert.equal((await send('PUT', path, other, { ...widened, channel: own })).status, 200);
    const changed = openSeal(JSON.parse((await send('GET', path)).text), id, KEY);
    assert.deepEqual(changed?.headers, [{ name: 'Authorization', value: 'Bearer own' }]);
    assert.equal(changed?.secret, undefined);
    assert.equal(changed?.owner?.client, 'other');
  });

  it('is sent back with the status that the server has set', async (context) => {
    const { send, create, setStatus } = await setUp(context);
    const id = await create();
    const path = `Subscription/${id}`;
    const read = async () => JSON.parse((await send('GET', path)).text);
    for (const [status, error] of [['active'], ['error', 'The receiver answered 503.']] as const) {
      await setStatus(id, status, error);
      const reason = `changed while ${status}`;
      const answer = await send('PUT', path, {}, { ...(await read()), reason, error: 'mine' });
      assert.equal(answer.status, 200, answer.text);
      const { status: now, error: problem, reason: stored } = await read();
      assert.deepEqual([now, problem, stored], [status, error, reason]);
    }
  });

  it('does not get a status that the server has not set', async (context) => {
    const { send, create, setStatus } = await setUp(context);
    const id = await create();
    const path = `Subscription/${id}`;
    const put = async (status: string, headers: object = {}) => {
      const read = JSON.parse((await send('GET', path)).text);
      return send('PUT', path, headers, { ...read, status });
    };
    await setStatus(id, 'error', 'The receiver answered 503.');
    const refused = await put('active');
    assert.equal(refused.status, 422);
    assert.match(problemsIn(refused).join(), /requested or off, or the current one/);
    const stale = await put('active', { 'if-match': 'W/"1"' });
    assert.equal(stale.status, 409, 'preconditions come first');
    const { text } = await send('GET', path);
    assert.equal((await send('DELETE', path)).status, 204);
    assert.equal((await send('PUT', path, {}, text)).status, 422, 'also when it was deleted');
  });

  it('is refused where clients may not follow changes, and can be turned off and deleted', async (context) => {
    const interactions = ['create', 'read', 'update'];
    const { send, create } = await setUp(context, { settings: { interactions } });
    const refused = await send('POST', 'Subscription', {}, SUBSCRIPTION_EXAMPLE);
    assert.equal(refused.status, 422);
    assert.match(problemsIn(refused).join(), /add history-type to orders.interactions/);
    const id = await create({ status: 'off' });
    const path = `Subscription/${id}`;
    const read = JSON.parse((await send('GET', path)).text);
    assert.equal((await send('PUT', path, {}, { ...read, status: 'requested' })).status, 422);
    assert.equal((await send('PUT', path, {}, read)).status, 200);
    assert.equal((await send('DELETE', path)).status, 204);
  });

  it('is accepted where clients may follow changes, and can be deleted', async (context) => {
    const { send, create } = await setUp(context, {
      settings: { interactions: ['create', 'history-type'] },
    });
    const id = await create();
    assert.equal((await send('DELETE', `Subscription/${id}`)).status, 204);
  });

  it('needs the scope to read what it asks for', async (context) => {
    const { send, create } = await setUp(context);
    const blind = { authorization: 'Bearer blind' };
    const answer = await send('POST', 'Subscription', blind, SUBSCRIPTION_EXAMPLE);
    assert.equal(answer.status, 403);
    assert.match(answer.text, /needs the scope system\/OrderResponse.read/);
    const id = await create();
    const off = { ...SUBSCRIPTION_EXAMPLE, id, status: 'off' };
    assert.equal((await send('PUT', `Subscription/${id}`, blind, off)).status, 200);
  });

  it('is stored without the error that a client sends, and its criteria are trimmed', async (context) => {
    const { send, create } = await setUp(context);
    const extension = [{ url: 'https://a.example', valueCode: 'a' }];
    const id = await create({ error: 'mine', _error: { extension }, criteria: ' OrderResponse ' });
    const stored = JSON.parse((await send('GET', `Subscription/${id}`)).text);
    assert.equal(stored.criteria, 'OrderResponse');
    assert.ok(!('error' in stored) && !('_error' in stored));
    assert.equal(stored.reason, SUBSCRIPTION_EXAMPLE.reason);
  });

  it('is found by each search parameter', async (context) => {
    const { send, create } = await setUp(context);
    await create({
      tag: [{ system: 'urn:tags', code: 'blue' }],
      contact: [{ system: 'email', value: 'it@practice.example' }],
    });
    const searches = {
      'contact=it@practice.example': 1,
      'criteria=orderresponse': 1,
      'criteria:exact=orderresponse': 0,
      'payload=application/json': 1,
      'status=requested': 1,
      'status=active': 0,
      'tag=urn:tags|blue': 1,
      'type=rest-hook': 1,
      'url=https://hooks.example/outcomes': 1,
      'url=https://hooks.example/': 0,
    };
    for (const [query, total] of Object.entries(searches)) {
      const { text } = await send('GET', `Subscription?${query}`);
      assert.equal(JSON.parse(text).total, total, query);
    }
  });
});

/** What is sent in place of a part of the example, and what the server says. */
const HTTPS_NEEDED = /must be an https URL, or an http URL of localhost or of a private address/;
const REFUSED: readonly [name: string, change: object, problem: RegExp][] = [
  ['an unknown parameter', { criteria: 'OrderResponse?colour=red' }, /parameter "colour"/],
  ['a value that is not valid', { criteria: 'OrderResponse?date=soon' }, /date/],
  ['a parameter of answers', { criteria: 'OrderResponse?_count=3' }, /_count is not possible here/],
  ['a format', { criteria: 'OrderResponse?_format=json' }, /_format is not possible here/],
  ['indentation', { criteria: 'OrderResponse?_pretty=true' }, /_pretty is not possible here/],
  ['another type', { criteria: 'Patient?name=x' }, /do not begin with a type.*OrderResponse\?/],
  ['its own type', { criteria: 'Subscription?status=off' }, /do not begin with a type/],
  ['a status of the server', { status: 'active' }, /requested or off/],
  ['another channel', { channel: { ...CHANNEL, type: 'email' } }, /rest-hook/],
  ['no endpoint', { channel: { ...CHANNEL, endpoint: undefined } }, /Send channel.endpoint/],
  [
    'another host',
    endpoint('https://other.example/'),
    /add other.example:443 to subscriptions.allowedHosts/,
  ],
  ['plain HTTP', endpoint('http://hooks.example/'), HTTPS_NEEDED],
  ['a password', endpoint('https://a:b@hooks.example/'), /channel.header/],
  ['a relative URL', endpoint('/outcomes'), /not an absolute URL/],
  ['another scheme', endpoint('ftp://hooks.example/'), HTTPS_NEEDED],
  [
    'a private address',
    endpoint('http://127.0.0.1/'),
    /add 127.0.0.1:80 to subscriptions.allowedHosts/,
  ],
  ['a payload', { channel: { ...CHANNEL, payload: 'text/csv' } }, /channel.payload/],
  ['a header of the server', { channel: { ...CHANNEL, header: 'Host: a' } }, /channel.header/],
  ['a header twice', { channel: { ...CHANNEL, header: 'X-A: 1\nx-a: 2' } }, /each name once/],
  [
    'too many headers',
    {
      channel: {
        ...CHANNEL,
        header: Array.from({ length: 21 }, (_, at) => `X-${at}: 1`).join('\n'),
      },
    },
    /at most 20 headers/,
  ],
  [
    'a header that is too long',
    { channel: { ...CHANNEL, header: `X-A: ${'a'.repeat(4094)}` } },
    /at most 4096 characters/,
  ],
  ['a header without name', { channel: { ...CHANNEL, header: 'secret' } }, /channel.header/],
  [
    'a secret of another type',
    { channel: { ...CHANNEL, extension: [{ url: SECRET_URL, valueCode: SECRET }] } },
    /as a valueString/,
  ],
  [
    'two secrets',
    {
      channel: {
        ...CHANNEL,
        extension: [SECRET, `${SECRET} too`].map((valueString) => ({
          url: SECRET_URL,
          valueString,
        })),
      },
    },
    /at most once/,
  ],
  [
    'a short secret',
    { channel: { ...CHANNEL, extension: [{ url: SECRET_URL, valueString: 'short' }] } },
    /16 to 256/,
  ],
];

function endpoint(url: string) {
  return { channel: { ...CHANNEL, endpoint: url } };
}

describe('a subscription is refused with', () => {
  for (const [name, change, problem] of REFUSED) {
    it(name, async (context) => {
      const { send } = await setUp(context);
      const answer = await send('POST', 'Subscription', {}, { ...SUBSCRIPTION_EXAMPLE, ...change });
      assert.equal(answer.status, 422, answer.text);
      assert.match(problemsIn(answer).join(' '), problem);
      assert.ok(!answer.text.includes('Bearer 1234'));
    });
  }

  it('no value of the channel in the message, in any format', async (context) => {
    const { send } = await setUp(context);
    const hidden = 'TOP-SECRET';
    const channels: readonly object[] = [
      { header: `Authorization: Bearer ${hidden}\u0001` },
      { header: [`Authorization: Bearer ${hidden}`] },
      { header: `Host: ${hidden}` },
      { endpoint: `https://user:${hidden}@hooks.example/\u0001` },
      { endpoint: `https://user:${hidden}@hooks.example/` },
      { extension: [{ url: SECRET_URL, valueString: `${hidden}\u0001` }] },
      { extension: [{ url: SECRET_URL, valueCode: ` ${hidden} ` }] },
      { extension: [{ url: SECRET_URL, valueString: hidden }] },
    ];
    for (const change of channels) {
      const sent = { ...SUBSCRIPTION_EXAMPLE, channel: { ...CHANNEL, ...change } };
      const entry = [{ resource: sent, request: { method: 'POST', url: 'Subscription' } }];
      const parameters = { parameter: [{ name: 'resource', resource: sent }] };
      for (const [path, body] of [
        ['Subscription', sent],
        ['', { resourceType: 'Bundle', type: 'transaction', entry }],
        ['Subscription/$validate', { resourceType: 'Parameters', ...parameters }],
      ] as const) {
        const { status, text } = await send('POST', path, {}, body);
        if (path !== 'Subscription/$validate') assert.equal(Math.floor(status / 100), 4, text);
        assert.ok(!text.includes(hidden), text);
      }
    }
    const xml = FORMATS.xml.encode(SUBSCRIPTION_EXAMPLE);
    const header = /<header value="[^"]*"\/>/;
    for (const broken of [
      `<header>Authorization: Bearer ${hidden}</header>`,
      `<header value="x">${hidden}</header>`,
    ]) {
      const headers = { 'content-type': FORMATS.xml.type };
      const body = xml.replace(header, broken);
      assert.notEqual(body, xml);
      const { status, text } = await send('POST', 'Subscription', headers, body);
      assert.equal(status, 400);
      assert.ok(!text.includes(hidden), text);
    }
  });

  it('the remedy where the operator allows no host', async (context) => {
    const { send } = await setUp(context, { allowed: [] });
    const answer = await send('POST', 'Subscription', {}, SUBSCRIPTION_EXAMPLE);
    assert.equal(answer.status, 422);
    assert.match(
      problemsIn(answer).join(' '),
      /add hooks.example:443 to subscriptions.allowedHosts\./,
    );
  });

  it('nothing, if it is blank about the payload', async (context) => {
    const { create } = await setUp(context);
    await create({ channel: { ...CHANNEL, payload: ' ' } });
  });
});
