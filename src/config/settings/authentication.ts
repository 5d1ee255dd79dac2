/** The settings of authentication: whose tokens the server accepts. */
import { claim, file, flag, issuerUrl, optionalText, whole } from './setting.ts';

export const AUTH_SETTINGS = {
  'auth.issuer': claim('ISSUER', 'The issuer (`iss`) of accepted tokens'),
  'auth.audience': claim(
    'AUDIENCE',
    'The audience (`aud`) of accepted tokens',
    'the public address',
  ),
  'auth.tokenUrl': issuerUrl(
    'The URL where clients get tokens of the issuer. The server publishes it',
  ),
  'auth.jwksUrl': issuerUrl("The URL of the issuer's keys, a JWK set"),
  'auth.jwksFile': file("The file with the issuer's keys, a JWK set"),
  'auth.introspectionUrl': issuerUrl(
    'The URL where the issuer introspects opaque tokens (RFC 7662)',
  ),
  'auth.introspectionClient': optionalText(
    'ID',
    'The client id that this server uses for introspection',
  ),
  'auth.introspectionSecretFile': file('The file with the client secret for introspection'),
  'auth.ownKey': flag(false, 'Accept tokens of "gazetteer token" as well as those of the issuer'),
  'auth.ownKeyFile': optionalText(
    'FILE',
    'The file with the private key that "gazetteer token" signs with',
    'token-key.json in the data folder',
  ),
  'auth.skewSeconds': whole(
    { min: 0, max: 300, default: 30 },
    "The most seconds by which the issuer's clock may differ from this machine's clock",
  ),
} as const;
