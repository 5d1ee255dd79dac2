/** The whole current edition in one request: its lines, its validators, and slow clients. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import { currentEditionDownload } from '../../src/interfaces/files/downloads.ts';
import { currentReleaseDownload } from '../../src/interfaces/files/release-download.ts';
import { startWeb } from '../web/web-server.ts';
import { type DirectoryServer, editionOf, renderedOf, startDirectory } from './directory-server.ts';
import { fewPlaces } from './few-places.ts';
import { organization, RECORDS } from './records.ts';

const PATH = '/fhir/editions/current.ndjson';

/** More than sockets hold: some 10 MB, in a text that no index has. */
const MANY = Array.from({ length: 4000 }, (_, i) =>
  organization(`A${10_000 + i}`, { address: { lines: ['X'.repeat(1500)] } }),
);
const MANY_EDITION = editionOf(MANY);

describe('the current edition as NDJSON', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startDirectory();
  });
  after(() => server.close());

  it('has one organisation on each line, the same as in a read, in the order of codes', async () => {
    const { status, headers, text } = await server.get(PATH);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/fhir+ndjson');
    assert.ok(text.endsWith('}\n'));
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      RECORDS.map(({ code }) => code),
    );
    for (const line of lines) {
      const { findings } = decodeJson(Buffer.from(line), STU3.definitions);
      assert.deepEqual(findings, []);
      assert.equal(line, (await server.get(`Organization/${JSON.parse(line).id}`)).text);
    }
  });

  it('has validators of the edition, 304 by them, HEAD, and a slash at the end', async () => {
    const got = await server.get(PATH);
    const etag = got.headers.get('etag') ?? '';
    assert.match(etag, /^W\/"[0-9a-f]{16}-ndjson"$/);
    assert.equal(got.headers.get('last-modified'), 'Tue, 01 Sep 2026 10:00:00 GMT');
    const same = await server.get(PATH, { 'if-none-match': etag });
    assert.equal(same.status, 304);
    assert.equal(same.text, '');
    const since = { 'if-modified-since': 'Tue, 01 Sep 2026 10:00:00 GMT' };
    assert.equal((await server.get(PATH, since)).status, 304);
    const head = await server.get(PATH, {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    assert.equal(head.headers.get('etag'), etag);
    assert.equal(head.headers.get('content-type'), got.headers.get('content-type'));
    assert.equal((await server.get(`${PATH}/`)).text, got.text);
  });

  it('is gzip for clients that take it', async () => {
    const plain = await server.get(PATH, { 'accept-encoding': 'identity' });
    const packed = await server.get(PATH, { 'accept-encoding': 'gzip' });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(packed.headers.get('content-encoding'), 'gzip');
    assert.equal(packed.text, plain.text);
    assert.equal(packed.headers.get('etag'), plain.headers.get('etag'));
  });

  it('of no organisations has no lines', async (context) => {
    const empty = await startDirectory({ records: [] });
    context.after(() => empty.close());
    const { status, text } = await empty.get(PATH);
    assert.equal(status, 200);
    assert.equal(text, '');
  });

  it('is sent to a few clients at a time, and compressed once', async () => {
    const rendered = renderedOf(MANY);
    const longAnswers = fewPlaces(4, 4);
    const { open } = currentEditionDownload('http://x', () => rendered, longAnswers);
    const take = async (isGzip: boolean) => {
      const pieces = await open().pieces(isGzip);
      assert.ok(pieces instanceof Readable);
      return pieces;
    };
    const first = await take(true);
    const second = await take(true);
    const others = [await take(false), await take(false)];
    await assert.rejects(take(true), { name: 'FhirError', headers: ['Retry-After', '5'] });
    const [one, other] = [first[Symbol.asyncIterator](), second[Symbol.asyncIterator]()];
    const piece = await one.next();
    assert.equal((await other.next()).value, piece.value, 'the same bytes');
    // One goes before its first piece, others in the middle.
    for (const each of [first, second, ...others]) await once(each.destroy(), 'close');
    const [again] = await Array.fromAsync(await take(true));
    assert.equal(again, piece.value);
    for (let i = 0; i < 4; i++) await take(false);
    await assert.rejects(take(false));
  });

  it('in the form of the release has short pieces too, where no file can be made', async () => {
    const rendered = renderedOf(MANY);
    const known = { ...rendered, edition: { ...rendered.edition, hasLinks: true } };
    const longAnswers = fewPlaces(4, 4);
    const { open } = currentReleaseDownload('http://x', () => known, longAnswers, undefined);
    const lengths = await Array.fromAsync(await open().pieces(false), ({ length }) => length);
    const whole = lengths.reduce((sum, length) => sum + length, 0);
    assert.ok(whole > 500_000, `${whole} bytes`);
    assert.ok(Math.max(...lengths) < 200_000, `${Math.max(...lengths)} bytes`);
  });

  for (const coding of ['identity', 'gzip']) {
    it(`stays on its edition though another is published meanwhile (${coding})`, async (context) => {
      let current = MANY_EDITION;
      const switched = await startDirectory({
        editions: { current: () => current, byNumber: () => current },
      });
      context.after(() => switched.close());
      const answer = await begin(switched, { 'accept-encoding': coding });
      current = editionOf(RECORDS, 2);
      assert.equal((await switched.get(PATH)).text.split('\n').length, RECORDS.length + 1);
      const { body } = new Response(answer as unknown as ReadableStream);
      const stream = coding === 'gzip' ? body!.pipeThrough(new DecompressionStream('gzip')) : body;
      const text = await new Response(stream).text();
      const lines = text.trimEnd().split('\n');
      assert.equal(lines.length, MANY.length);
      assert.equal(JSON.parse(lines.at(-1)!).id, MANY.at(-1)!.code);
    });

    it(`is produced as fast as the client reads, and stops when the client disconnects (${coding})`, async (context) => {
      const edition = MANY_EDITION;
      const written = new Set<number>();
      const counted = {
        ...edition,
        rows: {
          ...edition.rows,
          startOf: (row: number) => {
            written.add(row);
            return edition.rows.startOf(row);
          },
        },
      };
      const slow = await startDirectory({
        editions: { current: () => counted, byNumber: () => counted },
      });
      context.after(() => slow.close());
      const answer = await begin(slow, { 'accept-encoding': coding });
      // Other requests are answered all the while.
      for (let i = 0; i < 50; i++)
        assert.equal((await slow.get('Organization/A10000')).status, 200);
      answer.destroy();
      await once(answer, 'close');
      // Compressed they are few bytes, which the sockets hold.
      if (coding === 'identity') assert.ok(written.size < MANY.length, `${written.size} rows`);
    });
  }
});

it('a download that has begun is finished when the server is stopped', async (context) => {
  const edition = MANY_EDITION;
  const server = await startDirectory({
    editions: { current: () => edition, byNumber: () => edition },
  });
  context.after(() => server.close());
  const agent = new Agent({ keepAlive: true });
  context.after(() => agent.destroy());
  const answer = await begin(server, {}, agent);
  const stopped = server.stop();
  let lines = 0;
  for await (const piece of answer) lines += String(piece).split('\n').length - 1;
  assert.equal(lines, MANY.length);
  await stopped;
});

it('a third download of one client is 503, and the next one begins when one has ended', async (context) => {
  const editions = () => ({
    current: () => MANY_EDITION,
    byNumber: () => MANY_EDITION,
    longAnswers: fewPlaces(2),
  });
  const server = await startDirectory({ editions: editions() });
  context.after(() => server.close());
  const web = await startWeb({ editions: editions() });
  context.after(() => web.close());
  const csv = { port: Number(new URL(web.origin).port) };
  for (const [place, path] of [
    [server, PATH],
    [csv, '/results.csv'],
  ] as const) {
    const take = () => begin(place, { 'accept-encoding': 'identity' }, false, path);
    const [first, second] = [await take(), await take()];
    const third = await take();
    assert.deepEqual(
      [first, second, third].map(({ statusCode }) => statusCode),
      [200, 200, 503],
      path,
    );
    assert.equal(third.headers['retry-after'], '5');
    assert.match(await text(third), /address is already downloading|The service is busy/);
    for await (const _ of first);
    const fourth = await take();
    assert.equal(fourth.statusCode, 200);
    for (const each of [second, fourth]) each.destroy();
  }
});

/** The head of the answer; its body waits to be taken. */
async function begin(
  { port }: Pick<DirectoryServer, 'port'>,
  headers: Record<string, string>,
  agent: Agent | false = false,
  path = PATH,
): Promise<IncomingMessage> {
  const request = httpGet({ host: '127.0.0.1', port, path, headers, agent });
  const [answer] = await once(request, 'response');
  return answer;
}
