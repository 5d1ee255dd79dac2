/** The settings of authentication: whose tokens the server accepts. */
import { claim, file, flag, issuerUrl, optionalText, whole } from '../setting.ts';

export const AUTH_SETTINGS = {
  'auth.issuer': claim('ISSUER', 'The issuer (`iss`) of accepted tokens', {
    details: '`auth.jwksUrl` and `auth.jwksFile` require it.',
  }),
  'auth.audience': claim('AUDIENCE', 'The audience (`aud`) of accepted tokens', {
    unset: 'the public address',
  }),
  'auth.jwksUrl': issuerUrl("The URL of the issuer's keys, a JWK set", {
    details: 'https, or http to this machine.',
  }),
  'auth.jwksFile': file("The file with the issuer's keys, a JWK set", {
    details: 'Use it instead of `auth.jwksUrl`.',
  }),
  'auth.introspectionUrl': issuerUrl(
    'The URL where the issuer introspects opaque tokens (RFC 7662)',
    {
      details: 'https, or http to this machine. Set all three introspection settings or none.',
    },
  ),
  'auth.introspectionClient': optionalText(
    'ID',
    'The client id that this server uses for introspection',
  ),
  'auth.introspectionSecretFile': file('The file with the client secret for introspection'),
  'auth.ownKey': flag(false, 'Accept tokens of "gazetteer token" as well as those of the issuer', {
    details: 'Without an issuer, the server always accepts them.',
  }),
  'auth.ownKeyFile': optionalText(
    'FILE',
    'The file with the private key that "gazetteer token" signs with',
    {
      unset: 'token-key.json in the data folder',
      details: 'With a database, every server accepts its tokens.',
    },
  ),
  'auth.skewSeconds': whole(
    0,
    300,
    30,
    "The most seconds by which the issuer's clock may differ from this machine's clock",
  ),
} as const;
