/** A page that a client takes slowly stays as it was, however many others are answered meanwhile. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { startDirectory } from './directory-server.ts';
import { RECORDS } from './records.ts';

/** Larger pages are made while they are sent. */
const COUNT = 100;
const MANY = Array.from({ length: 2 * COUNT }, (_, i) => ({
  ...RECORDS[i % RECORDS.length]!,
  code: `A${10_000 + i}`,
}));

/** Pages of some 200 KB: together more than the sockets of both sides hold. */
const WAITING = 100;

/** Some 60 MB: more than a thread keeps to copy from. */
const OTHERS = 300;

it('answers that wait to be taken are not written over', async (context) => {
  const server = await startDirectory({ records: MANY, settings: { countMax: COUNT } });
  context.after(() => server.close());
  const slow = connect(server.port, '127.0.0.1');
  await once(slow, 'connect');
  // Each is another request, so that no answer is one that was kept.
  const target = (i: number) => `/fhir/STU3/Organization?_count=${COUNT}&fresh=${i}`;
  for (let i = 0; i < WAITING; i++) {
    const last = i === WAITING - 1 ? 'Connection: close\r\n' : '';
    const headers = `Host: a\r\nPrefer: handling=lenient\r\n${last}`;
    slow.write(`GET ${target(i)} HTTP/1.1\r\n${headers}\r\n`);
  }
  const lenient = { prefer: 'handling=lenient', accept: 'application/fhir+json' };
  const first = await server.get(target(-1), lenient);
  for (let i = 0; i < OTHERS; i++) {
    // The other half of the directory, so that memory written over would show.
    await server.get(`${target(WAITING + i)}&_page=2`, lenient);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of slow) chunks.push(chunk);
  const taken = Buffer.concat(chunks);
  const whole = Buffer.byteLength(first.text);
  let at = 0;
  for (let i = 0; i < WAITING; i++) {
    at = taken.indexOf('\r\n\r\n', at) + 4;
    assert.equal(taken.toString('utf8', at, at + whole), first.text, `answer ${i}`);
    at += whole;
  }
});
