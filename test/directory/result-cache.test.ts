/** Answers that are asked for twice are kept: within bounds, and the ones still wanted longest. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createResultCache } from '../../src/interfaces/answer/result-cache.ts';

/** Some thirty of them are more than the cache keeps. */
const LARGE = 256 * 1024;

describe('the cache of answers', () => {
  it('keeps what is asked for the second time, and takes a copy', () => {
    const cache = createResultCache();
    const memory = Buffer.from('as it was');
    const released: Uint8Array[] = [];
    const representation = {
      etag: '"1"',
      body: () => memory,
      release: (body: Uint8Array) => released.push(body),
    };
    assert.equal(cache.note('a', representation), representation);
    assert.equal(cache.get('a'), undefined);
    const kept = cache.note('a', representation);
    assert.deepEqual(released, [memory]);
    memory.fill('x');
    assert.equal(cache.get('a'), kept);
    assert.equal(String(kept.body()), 'as it was');
    assert.equal(kept.etag, '"1"');
    assert.equal(kept.release, undefined);
  });

  it('keeps what is still asked for, and drops the rest in time', () => {
    const cache = createResultCache();
    const ask = (key: string) => {
      if (cache.get(key) !== undefined) return true;
      const representation = { etag: key, body: () => Buffer.alloc(LARGE) };
      cache.note(key, representation);
      return false;
    };
    for (let time = 0; time < 200; time++) {
      for (let twice = 0; twice < 2; twice++) ask(`once ${time}`);
      assert.equal(ask('always'), time >= 2, `at ${time}`);
    }
    assert.equal(cache.get('once 0'), undefined);
    assert.notEqual(cache.get('once 199'), undefined);
  });

  it('gives the same body in gzip, made once', () => {
    const cache = createResultCache();
    const representation = { etag: '"1"', body: () => 'text'.repeat(100) };
    cache.note('a', representation);
    const kept = cache.note('a', representation);
    assert.equal(kept.gzipped?.(), kept.gzipped?.());
    assert.equal(gunzipSync(kept.gzipped!()).toString(), 'text'.repeat(100));
  });

  for (const body of ['é text', Buffer.from('bytes')]) {
    it(`holds no more memory than the answer has, of ${typeof body}`, () => {
      const cache = createResultCache();
      const representation = { etag: '"1"', body: () => body };
      cache.note('a', representation);
      const kept = cache.note('a', representation);
      for (const bytes of [kept.body() as Buffer, kept.gzipped!()]) {
        assert.equal(bytes.buffer.byteLength, bytes.length);
      }
      assert.equal(String(kept.body()), String(body));
    });
  }

  it('counts what answers take in gzip', () => {
    const cache = createResultCache();
    const kept = (key: string) => {
      const representation = { etag: key, body: () => randomBytes(LARGE) };
      cache.note(key, representation);
      return cache.note(key, representation);
    };
    for (let i = 0; i < 10; i++) kept(`${i}`).gzipped?.();
    const before = cache.get('0');
    for (let i = 10; i < 30; i++) kept(`${i}`).gzipped?.();
    assert.notEqual(before, undefined);
    assert.equal(cache.get('1'), undefined);
  });
});
