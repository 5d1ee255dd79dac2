/** The body of a request as a handler receives it: whole, or refused within the limits. */
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import { hasBody, receiveBody } from '../../src/server/request-parts.ts';

const BYTES_MAX = 10;

const NO_ROOM = new FhirError([{ kind: 'unavailable', diagnostics: 'There is no room.' }]);

/** A request whose account has room for `room` bytes. */
function requestWith(
  headers: Readonly<Record<string, string>> = {},
  { httpVersion = '1.1', room = 100 } = {},
) {
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { headers, httpVersion });
  const outgoing = new ServerResponse(incoming);
  const seen = { continues: 0, taken: 0, isClosed: false };
  outgoing.writeContinue = () => {
    seen.continues += 1;
  };
  const account = {
    take: (bytes: number) => {
      seen.taken += bytes;
      return seen.taken > room ? NO_ROOM : undefined;
    },
    close: () => {
      seen.isClosed = true;
    },
  };
  return { incoming, outgoing, account, seen };
}

function send(incoming: IncomingMessage, ...pieces: readonly string[]): void {
  for (const piece of pieces) incoming.push(Buffer.from(piece));
  incoming.push(null);
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof FhirError && error.issues[0].kind === 'body-too-large';

it('POST, PUT and PATCH have bodies', () => {
  assert.deepEqual(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(hasBody), [
    'POST',
    'PUT',
    'PATCH',
  ]);
});

describe('a body', () => {
  it('is received whole, up to the limit, and its account is closed with the answer', async () => {
    const { incoming, outgoing, account, seen } = requestWith({ 'content-length': '10' });
    const received = receiveBody(incoming, outgoing, BYTES_MAX, account);
    send(incoming, 'abc', 'defg', 'hij');
    assert.equal(Buffer.from(await received).toString(), 'abcdefghij');
    assert.deepEqual(seen, { continues: 0, taken: 10, isClosed: false });
    outgoing.emit('close');
    assert.ok(seen.isClosed);
  });

  it('needs no account', async () => {
    const { incoming, outgoing } = requestWith();
    const received = receiveBody(incoming, outgoing, BYTES_MAX);
    send(incoming, 'abc');
    assert.equal(Buffer.from(await received).toString(), 'abc');
  });

  it('that is announced too long is refused at once, and what comes is dropped', async () => {
    const headers = { 'content-length': '11', expect: '100-continue' };
    const { incoming, outgoing, account, seen } = requestWith(headers);
    await assert.rejects(receiveBody(incoming, outgoing, BYTES_MAX, account), isTooLarge);
    send(incoming, 'abc');
    await ended(incoming);
    assert.deepEqual([seen.continues, seen.taken], [0, 0]);
  });

  it('that becomes too long is refused, and the rest is dropped', async () => {
    const { incoming, outgoing, account, seen } = requestWith();
    const received = receiveBody(incoming, outgoing, BYTES_MAX, account);
    send(incoming, 'abcdefghij', 'k', 'l');
    await assert.rejects(received, isTooLarge);
    await ended(incoming);
    assert.equal(seen.taken, 10);
  });

  it('without room is refused for that reason, and the rest is dropped', async () => {
    const { incoming, outgoing, account, seen } = requestWith({}, { room: 3 });
    const received = receiveBody(incoming, outgoing, BYTES_MAX, account);
    send(incoming, 'abc', 'd', 'e');
    await assert.rejects(received, (error) => error === NO_ROOM);
    await ended(incoming);
    assert.equal(seen.taken, 4);
  });

  it('is asked for where the client waits for that, unless it speaks HTTP/1.0', () => {
    const continues = (headers: Readonly<Record<string, string>>, httpVersion: string) => {
      const { incoming, outgoing, seen } = requestWith(headers, { httpVersion });
      void receiveBody(incoming, outgoing, BYTES_MAX);
      return seen.continues;
    };
    assert.equal(continues({ expect: '100-continue' }, '1.1'), 1);
    assert.equal(continues({ expect: '100-continue' }, '1.0'), 0);
    assert.equal(continues({}, '1.1'), 0);
  });

  it('that breaks off is no fault of the server', () => {
    const { incoming, outgoing } = requestWith();
    void receiveBody(incoming, outgoing, BYTES_MAX);
    assert.ok(incoming.emit('error', new Error('aborted')));
  });
});

function ended(incoming: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (incoming.readableEnded) resolve();
  else incoming.once('end', resolve);
  return promise;
}
