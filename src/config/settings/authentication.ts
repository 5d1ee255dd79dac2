/** The settings of authentication: whose tokens the server accepts. */
import { claim, file, flag, issuerUrl, optionalText, whole } from '../setting.ts';

export const AUTH_SETTINGS = {
  'auth.issuer': claim('ISSUER', 'The issuer (`iss`) of accepted tokens', {
    details: '`auth.jwksUrl` and `auth.jwksFile` require it.',
  }),
  'auth.audience': claim('AUDIENCE', 'The audience (`aud`) of accepted tokens', {
    unset: 'the public address',
    details: 'The `aud` of a token must equal or contain it.',
  }),
  'auth.jwksUrl': issuerUrl("The URL of the issuer's keys, a JWK set", {
    details: 'It is an https URL, or an http URL of this machine.',
  }),
  'auth.jwksFile': file("The file with the issuer's keys, a JWK set", {
    details: 'Use it instead of `auth.jwksUrl`. The server reads the file again when it changes.',
  }),
  'auth.introspectionUrl': issuerUrl(
    'The URL where the issuer introspects opaque tokens (RFC 7662)',
    {
      details:
        'It is an https URL, or an http URL of this machine. Set all three introspection settings or none.',
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
      details:
        'With a database, its public half is in the database, and every server accepts its tokens.',
    },
  ),
  'auth.skewSeconds': whole(
    0,
    300,
    30,
    "The most seconds by which the issuer's clock may differ from this machine's clock",
  ),
} as const;
