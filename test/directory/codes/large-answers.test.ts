/** Answers about many codes: they are made as slowly as the client reads, and end when it leaves. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import type { FhirResponse } from '../../../src/fhir/request/request.ts';
import { createCodeServices } from '../../../src/interfaces/questions/service.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../../web/related-records.ts';
import { BASE, editionOf, SETTINGS } from '../directory-server.ts';
import { fewPlaces } from '../few-places.ts';

const EDITION = editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS);
const ROWS = 1000;
const CODES = Array.from({ length: ROWS }, (_, i) => `X${i}`);
const WIDEST = `code${','.repeat(199)}\n${CODES.join('\n')}`;
/** The codes make the answer as large as that of a table. */
const LONG_CODES = JSON.stringify({ codes: CODES.map((code) => code.padEnd(500, 'X')) });

/** `asked` counts the codes that were looked up. */
function createServer() {
  const asked = new Set<string>();
  const links: Edition['links'] = Object.create(EDITION.links, {
    rowOf: {
      value: (code: string) => {
        asked.add(code);
        return EDITION.links.rowOf(code);
      },
    },
  });
  const edition: Edition = { ...EDITION, links };
  const longAnswers = fewPlaces(4);
  const editions = { current: () => edition, byNumber: () => edition, longAnswers };
  const [resolve] = createCodeServices({ settings: SETTINGS, serverUrl: BASE, editions });
  const ask = async (body: string, type: string, acceptEncoding: string): Promise<FhirResponse> =>
    resolve!.handle(
      {
        method: 'POST',
        path: '/fhir/resolve',
        query: '',
        headers: { 'content-type': type, 'accept-encoding': acceptEncoding },
        id: 'test',
        addressOf: () => '192.0.2.1',
        readBody: async () => Buffer.from(body),
      },
      (error) => {
        throw error;
      },
    );
  return { ask, asked: () => asked.size };
}

async function bytesOf({ pieces }: FhirResponse): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pieces ?? []));
}

const CASES = [
  ['a table', WIDEST, 'text/csv'],
  ['a list of codes', LONG_CODES, 'application/json'],
] as const;

for (const [name, body, type] of CASES) {
  it(`the answer to ${name} is made as slowly as the client reads`, async () => {
    const { ask, asked } = createServer();
    const response = await ask(body, type, 'identity');
    assert.equal(response.status, 200);
    assert.equal(asked(), 0);
    let largest = 0;
    let first = 0;
    for await (const piece of response.pieces ?? []) {
      first ||= asked();
      largest = Math.max(largest, piece.length);
    }
    assert.ok(first < (ROWS * 3) / 4, `${first} codes before the client read the first piece`);
    // A read takes the pieces that wait.
    assert.ok(largest <= 128 * 1024, `a piece of ${largest} bytes`);
    assert.equal(asked(), ROWS);
  });

  for (const encoding of ['identity', 'gzip']) {
    it(`the work for ${name} ends when the client leaves (${encoding})`, async () => {
      const { ask, asked } = createServer();
      const response = await ask(body, type, encoding);
      const source = response.pieces as Readable;
      source.resume();
      while (asked() < ROWS / 4) await nextTurn();
      // As the listener does it.
      response.onClosed?.();
      await once(source.destroy(), 'close');
      // The piece that was being made may still end.
      for (let turn = 0; turn < 10; turn++) await nextTurn();
      assert.ok(asked() < ROWS, `all ${ROWS} codes although the client had left`);
    });
  }
}

it('a client gets four large answers at a time, and small ones always', async () => {
  const { ask } = createServer();
  const open = await Promise.all(
    Array.from({ length: 4 }, () => ask(WIDEST, 'text/csv', 'identity')),
  );
  const refused = await ask(WIDEST, 'text/csv', 'identity');
  assert.equal(refused.status, 503);
  assert.match(
    String(refused.body),
    /Your network address is already downloading answers about many codes or names/,
  );
  const small = await ask('code\nOLD1\n', 'text/csv', 'identity');
  assert.equal(small.status, 200);
  await bytesOf(small);
  for (const response of open) await bytesOf(response);
  await nextTurn();
  assert.equal((await ask(WIDEST, 'text/csv', 'identity')).status, 200);
});

it('a compressed answer is the same', async () => {
  const { ask } = createServer();
  for (const [, body, type] of CASES) {
    const plain = await bytesOf(await ask(body, type, 'identity'));
    const compressed = await bytesOf(await ask(body, type, 'gzip'));
    assert.equal(gunzipSync(compressed).toString(), plain.toString());
  }
});
