/** The cache of tokens, limited in time and size. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTokenCache, hashOf } from '../../src/auth/token-cache.ts';
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

/** Entries that fit. */
const ENTRIES_MAX = 10_000;

/** A cache with this many entries, '0' the oldest, which are kept for two seconds. */
function filled(entries: number) {
  const clock = createClock();
  const cache = createTokenCache<number>(clock.now);
  for (let i = 0; i < entries; i++) cache.set(String(i), i, clock.now() + 2000);
  return { clock, cache, untilMs: clock.now() + 2000 };
}

it('the oldest entry makes room', () => {
  const { cache, untilMs } = filled(ENTRIES_MAX);
  cache.set('more', -1, untilMs);
  const kept = ['0', '1', 'more'].map((key) => cache.get(key));
  assert.deepEqual(kept, [undefined, 1, -1]);
  cache.clear();
  assert.equal(cache.get('more'), undefined);
});

it('an entry that is set again is the newest', () => {
  const { cache, untilMs } = filled(ENTRIES_MAX - 1);
  cache.set('0', 0, untilMs);
  cache.set('last', -1, untilMs);
  cache.set('more', -2, untilMs);
  const kept = ['0', '1', '2', 'last', 'more'].map((key) => cache.get(key));
  assert.deepEqual(kept, [0, undefined, 2, -1, -2]);
});

it('an entry that is over already takes no room', () => {
  const { cache, clock } = filled(ENTRIES_MAX);
  cache.set('over', -1, clock.now());
  assert.equal(cache.get('0'), 0);
});

it('an entry that is over gives its room back when it is asked for', () => {
  const { cache, clock, untilMs } = filled(ENTRIES_MAX - 1);
  cache.set('short', -1, clock.now() + 1000);
  clock.pass(1);
  assert.equal(cache.get('short'), undefined);
  cache.set('more', -2, untilMs);
  assert.equal(cache.get('0'), 0);
});

it('keys are SHA-256 of tokens', () => {
  assert.equal(hashOf('abc'), 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
});
