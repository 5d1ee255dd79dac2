/** Cache-Control of the directory beside its authentication. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';

function load(cacheControl: string, authenticate: string) {
  const flags = {
    'directory.cacheControl': cacheControl,
    'directory.authenticate': authenticate,
  };
  return loadConfig({ flags, environment: {} });
}

describe('with directory.authenticate, directory.cacheControl', () => {
  for (const value of [
    'private',
    'Private, max-age=60',
    'max-age=60, private',
    'no-store',
    'no-cache',
  ])
    it(`may be ${value}`, () => {
      assert.equal(load(value, 'true')['directory.cacheControl'], value);
    });

  for (const value of [
    'public, max-age=60',
    'max-age=60',
    's-maxage=60',
    'private="Age"',
    'no-cache="Age"',
    'x-private',
  ])
    it(`may not be ${value}`, () => {
      assert.throws(() => load(value, 'true'), {
        name: 'ConfigError',
        message: /^directory\.cacheControl must contain [^\n]+ directory\.authenticate, [^\n]+$/,
      });
      assert.ok(load(value, 'false'));
    });
});
