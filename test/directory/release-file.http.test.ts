/** The download of the edition as a release is a file that is made once. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../web/related-records.ts';
import { editionOf, startDirectory } from './directory-server.ts';
import { inMemory, startWithFiles } from './edition-file-server.ts';

const PATH = '/fhir/editions/current.xml';
const PLAIN = { 'accept-encoding': 'identity' };
const GZIP = { 'accept-encoding': 'gzip' };
const MADE = 'made the file of the edition: release';

/** The bytes without a file, from a server that makes none. */
async function writtenBytes(): Promise<Buffer> {
  const { number, publishedAt } = inMemory(1);
  const made = editionOf(RELATED_RECORDS, number, RELATED_CODE_SYSTEMS);
  const edition = { ...made, publishedAt };
  const server = await startDirectory({
    editions: { current: () => edition, byNumber: () => edition },
  });
  const { text } = await server.get(PATH, PLAIN);
  await server.close();
  return Buffer.from(text);
}

describe('the current edition as a release', () => {
  it('is made once for all clients, as gzip, with the bytes that it has without a file', async (context) => {
    const { folder, logged, bytes } = await startWithFiles(context);
    const expected = await writtenBytes();
    const asked = [PLAIN, GZIP].map((headers) => bytes(PATH, headers));
    for (const each of [...(await Promise.all(asked)), await bytes(PATH, PLAIN)]) {
      assert.equal(each.status, 200);
      assert.ok(each.bytes.equals(expected));
    }
    assert.deepEqual(readdirSync(folder), ['1.xml.gz']);
    assert.ok(gunzipSync(readFileSync(join(folder, '1.xml.gz'))).equals(expected));
    assert.deepEqual(logged, [MADE]);
  });

  it('is the file as it is for clients that take gzip', async (context) => {
    const { folder, server } = await startWithFiles(context);
    const { headers } = await server.get(PATH, GZIP);
    assert.equal(headers.get('content-encoding'), 'gzip');
    const path = join(folder, '1.xml.gz');
    const other = '<HSCOrgRefData/>';
    // Only who reads the file can answer this.
    writeFileSync(path, gzipSync(other));
    assert.equal((await server.get(PATH, GZIP)).text, other);
    assert.equal((await server.get(PATH, PLAIN)).text, other);
  });

  it('HEAD and 304 do not make it', async (context) => {
    const { server, logged } = await startWithFiles(context);
    const head = await server.get(PATH, {}, 'HEAD');
    assert.equal(head.headers.get('content-type'), 'application/xml');
    const etag = head.headers.get('etag') ?? '';
    assert.equal((await server.get(PATH, { 'if-none-match': etag })).status, 304);
    assert.deepEqual(logged, []);
  });

  it('does not wait behind the files for analysis', async (context) => {
    let begun = 0;
    // Asked when the making of a file begins.
    const statfs = () => {
      begun += 1;
      return { bavail: 1024 ** 3, bsize: 4096 };
    };
    const { maker, logged } = await startWithFiles(context, { statfs });
    const forms = ['sqlite', 'parquet', 'release'];
    const makings = forms.map((form) => maker.want({ edition: 1, form }));
    await nextTurn();
    assert.equal(begun, 2);
    await Promise.all(makings);
    assert.deepEqual(new Set(logged), new Set(forms.map((form) => MADE.replace('release', form))));
  });

  it('goes with its edition, and is made again when somebody removed it', async (context) => {
    const { folder, publish, bytes, logged } = await startWithFiles(context);
    const before = await bytes(PATH);
    rmSync(folder, { recursive: true });
    assert.ok((await bytes(PATH)).bytes.equals(before.bytes));
    assert.deepEqual(logged, [MADE, MADE]);
    publish(inMemory(2));
    assert.ok(!existsSync(folder));
    assert.ok((await bytes(PATH)).bytes.equals(before.bytes));
    assert.deepEqual(readdirSync(folder), ['2.xml.gz']);
  });

  it('is written without a file where the disk has no room, and by a thread that is late', async (context) => {
    const statfs = () => ({ bavail: 0, bsize: 1 });
    const { folder, logged, bytes, send } = await startWithFiles(context, { statfs });
    const expected = await writtenBytes();
    for (const headers of [PLAIN, GZIP]) {
      const answer = await bytes(PATH, headers);
      assert.equal(answer.status, 200);
      assert.ok(answer.bytes.equals(expected));
    }
    assert.deepEqual(logged, ['cannot make a file of the edition']);
    assert.deepEqual(readdirSync(folder), []);
    send(inMemory(2));
    assert.equal((await bytes(PATH)).status, 200);
  });
});
