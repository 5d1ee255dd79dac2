/** What is remembered of tokens: for a time, and no more than fits. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTokenCache, ENTRIES_MAX, hashOf } from '../../src/auth/token-cache.ts';
import { createClock } from './clock.ts';

it('an entry is forgotten when its time has come', () => {
  const clock = createClock();
  const cache = createTokenCache<string>(clock.now);
  cache.set('a', 'A', clock.now() + 1000);
  cache.set('over', 'O', clock.now());
  assert.deepEqual(
    [cache.get('a'), cache.get('over'), cache.get('b')],
    ['A', undefined, undefined],
  );
  clock.pass(1);
  assert.equal(cache.get('a'), undefined);
});

it('the oldest entry makes room', () => {
  const clock = createClock();
  const cache = createTokenCache<number>(clock.now);
  const untilMs = clock.now() + 1000;
  for (let i = 0; i < ENTRIES_MAX; i++) cache.set(String(i), i, untilMs);
  cache.set('0', 0, untilMs);
  cache.set('more', -1, untilMs);
  assert.deepEqual(
    ['0', '1', '2', 'more'].map((key) => cache.get(key)),
    [0, undefined, 2, -1],
  );
  cache.clear();
  assert.equal(cache.get('more'), undefined);
});

it('keys are SHA-256 of tokens', () => {
  assert.equal(hashOf('abc'), 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
});
