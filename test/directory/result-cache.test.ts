/** Answers that are asked for twice are kept: within bounds, and the ones still wanted longest. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createResultCache } from '../../src/directory/result-cache.ts';

/** Some sixty of them are more than the cache keeps. */
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
  });
});
