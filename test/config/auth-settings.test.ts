/** Settings of access that do not go together, or would send secrets in the clear. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';

const IN_THE_CLEAR = /must be an https URL, or an http URL of this machine/;
const JWKS = {
  'auth.issuer': 'https://issuer.example',
  'auth.jwksUrl': 'https://issuer.example/k',
};
const INTROSPECTION = {
  'auth.introspectionUrl': 'https://issuer.example/introspect',
  'auth.introspectionClient': 'gazetteer',
  'auth.introspectionSecretFile': '/run/secret',
};

describe('settings of access', () => {
  const sound: readonly Record<string, string>[] = [
    {},
    { 'auth.ownKey': 'true' },
    { 'auth.audience': 'https://gazetteer.example' },
    JWKS,
    { ...JWKS, 'auth.jwksUrl': 'http://localhost:8081/keys?a=1' },
    { ...JWKS, 'auth.tokenUrl': 'https://issuer.example/token' },
    { ...JWKS, 'auth.jwksUrl': 'http://127.1.2.3/' },
    { ...JWKS, 'auth.jwksUrl': 'http://[::1]:81/' },
    { 'auth.issuer': 'x', 'auth.jwksFile': 'keys.json' },
    INTROSPECTION,
    { ...INTROSPECTION, 'auth.issuer': 'https://issuer.example' },
    { ...INTROSPECTION, ...JWKS },
  ];
  for (const flags of sound) {
    it(`may be ${JSON.stringify(flags)}`, () => {
      assert.ok(loadConfig({ flags, environment: {} }));
    });
  }

  const refused: readonly (readonly [flags: Record<string, string>, problem: RegExp])[] = [
    [{ 'auth.jwksUrl': 'https://x/' }, /^auth\.issuer is not set\. auth\.jwksUrl requires [^\n]+$/],
    [{ 'auth.jwksFile': 'keys' }, /^auth\.issuer is not set\. auth\.jwksFile requires [^\n]+$/],
    [
      { 'auth.tokenUrl': 'https://x/' },
      /^auth\.issuer is not set\. auth\.tokenUrl requires [^\n]+$/,
    ],
    [{ 'auth.issuer': 'x' }, /^auth\.issuer is set, but nothing checks its tokens\. [^\n]+$/],
    [{ ...JWKS, 'auth.jwksFile': 'k' }, /^Set auth\.jwksUrl or auth\.jwksFile, not both\.$/],
    [
      { 'auth.introspectionUrl': 'https://x/' },
      /^auth\.introspectionClient is not set\. [^\n]+\nauth\.introspectionSecretFile is not set\. [^\n]+$/,
    ],
    [{ 'auth.introspectionClient': 'x' }, /^auth\.introspectionUrl is not set\. [^\n]+\n/],
    [{ ...INTROSPECTION, 'auth.introspectionUrl': 'http://issuer.example/' }, IN_THE_CLEAR],
    ...[
      'http://issuer.example/keys',
      'http://localhost.issuer.example/',
      'http://127.0.0.1.issuer.example/',
      'http://10.0.0.1/',
      'https://user:secret@issuer.example/',
      'https://issuer.example/#keys',
      'file:///etc/keys',
      '/keys',
    ].map((url) => [{ ...JWKS, 'auth.jwksUrl': url }, IN_THE_CLEAR] as const),
    [{ 'auth.skewSeconds': '301' }, /must be a whole number from 0 to 300/],
    [{ ...JWKS, 'auth.issuer': 'a b' }, /must be the text of the claim, without spaces/],
    [{ 'auth.ownKey': 'yes' }, /must be true or false/],
  ];
  for (const [flags, problem] of refused) {
    it(`may not be ${JSON.stringify(flags)}`, () => {
      assert.throws(() => loadConfig({ flags, environment: {} }), {
        name: 'ConfigError',
        message: problem,
      });
    });
  }
});
