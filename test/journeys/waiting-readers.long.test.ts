/** Readers that wait for order responses of a running server: limits, a disconnect, a crash, a stop. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it, type TestContext } from 'node:test';
import { EXAMPLE_RESPONSE } from '../../src/orders/order-response/example.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Server, serve } from './program.ts';
import { tokenFor } from './token.ts';

interface Page {
  readonly entry?: readonly object[];
  readonly link: readonly { readonly relation: string; readonly url: string }[];
}

async function setUp(context: TestContext, ...more: string[]) {
  const folder = temporaryFolder(context);
  const authorization = `Bearer ${await tokenFor(folder)}`;
  const words = ['--data', folder, '--directory-enabled', 'false', ...more];
  const start = () => serve(context, words);
  const create = async ({ origin }: Server, value: string) => {
    const { status } = await fetch(`${origin}/OrderResponse`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json+fhir' },
      body: JSON.stringify({ ...EXAMPLE_RESPONSE, identifier: [{ value }] }),
    });
    assert.equal(status, 201);
  };
  const read = ({ origin }: Server, value: string, position = '0') =>
    fetch(`${origin}/OrderResponse/_history?_after=${position}&_wait=60&identifier=${value}`, {
      headers: { authorization, accept: 'application/json+fhir' },
    });
  return { start, create, read, authorization };
}

async function pageOf(answer: Promise<Response>): Promise<Page> {
  const { status, ...response } = await answer.then(async (one) => ({
    status: one.status,
    text: await one.text(),
  }));
  assert.equal(status, 200, response.text);
  return JSON.parse(response.text);
}

const entriesOf = async (answer: Promise<Response>) => (await pageOf(answer)).entry?.length ?? 0;

async function waiting({ operation }: Server, count: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${operation}/metrics`)).text();
    if (Number(/^gazetteer_waiting_requests (\d+)$/m.exec(text)?.[1]) === count) return;
  }
}

it('a commit of one thread wakes the readers of all, and a stop answers the others', async (context) => {
  const { start, create, read } = await setUp(context, '--threads', '2');
  const server = await start();
  const ones = Array.from({ length: 8 }, () => read(server, '1'));
  const twos = Array.from({ length: 8 }, () => read(server, '2'));
  await waiting(server, 16);
  await create(server, '3');
  await create(server, '1');
  for (const one of ones) assert.equal(await entriesOf(one), 1);
  await waiting(server, 8);
  const code = server.stop();
  for (const two of twos) {
    const { entry, link } = await pageOf(two);
    assert.equal(entry, undefined);
    assert.match(link.find(({ relation }) => relation === 'follow')?.url ?? '', /_after=2-/);
  }
  assert.equal(await code, 0);
});

it('readers above the limit of a client are refused, and those that left are not counted', async (context) => {
  const { start, read, authorization } = await setUp(context, '--limits-waiting-per-client', '2');
  const server = await start();
  const sockets = Array.from({ length: 2 }, () => {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    const path = '/OrderResponse/_history?_after=0&_wait=60';
    const lines = [`GET ${path} HTTP/1.1`, 'Host: x', `Authorization: ${authorization}`, '', ''];
    socket.write(lines.join('\r\n'));
    return socket;
  });
  await waiting(server, 2);
  const refused = await read(server, '1');
  assert.equal(refused.status, 503);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  for (const socket of sockets) {
    socket.destroy();
    await once(socket, 'close');
  }
  await waiting(server, 0);
});

it('a reader that goes on from its position misses nothing when the server is killed', async (context) => {
  const { start, create, read } = await setUp(context);
  let server = await start();
  const first = pageOf(read(server, '1'));
  await waiting(server, 1);
  await create(server, '2');
  await create(server, '1');
  assert.equal((await first).entry?.length, 1);
  const position = followed(await first);
  await server.stop('SIGKILL');

  server = await start();
  const lost = read(server, '1', position);
  lost.catch(() => {});
  await waiting(server, 1);
  await create(server, '2');
  await create(server, '1');
  // Whether or not its answer has arrived, the reader does not know it.
  await server.stop('SIGKILL');

  server = await start();
  const missed = await pageOf(read(server, '1', position));
  assert.equal(missed.entry?.length, 1);
  const next = pageOf(read(server, '1', followed(missed)));
  await waiting(server, 1);
  await create(server, '1');
  assert.equal((await next).entry?.length, 1);
});

/** The position of the link to what follows. */
function followed({ link }: Page): string {
  const { url = '' } = link.find(({ relation }) => relation === 'follow') ?? {};
  return new URL(url).searchParams.get('_after') ?? '';
}
