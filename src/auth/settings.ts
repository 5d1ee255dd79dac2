/** The settings of authentication. `config/` sets their values. */

export interface AuthSettings {
  /** The required `iss` of a token. Set wherever the settings name keys. */
  readonly issuer: string | undefined;
  /** Where clients get tokens of the issuer. */
  readonly tokenUrl?: string | undefined;
  /** The required value in `aud` of a token. Defaults to the public base URL. */
  readonly audience: string | undefined;
  /** Where the issuer publishes its keys. Not set together with `jwksFile`. */
  readonly jwksUrl: string | undefined;
  readonly jwksFile: string | undefined;
  /** The issuer's address for introspection (RFC 7662), and the credentials of this server. */
  readonly introspectionUrl: string | undefined;
  readonly introspectionClient: string | undefined;
  readonly introspectionSecretFile: string | undefined;
  /** Whether the server accepts tokens of `gazetteer token` in addition to those of an issuer. */
  readonly ownKey: boolean;
  /** The allowed difference between the issuer's clock and the server's. */
  readonly skewSeconds: number;
}

/** Whether the server accepts tokens of its own key: if a setting says so, or without an issuer. */
export function usesOwnKey(
  settings: Pick<AuthSettings, 'jwksUrl' | 'jwksFile' | 'introspectionUrl' | 'ownKey'>,
): boolean {
  const { jwksUrl, jwksFile, introspectionUrl, ownKey } = settings;
  const hasIssuer = [jwksUrl, jwksFile, introspectionUrl].some((source) => source !== undefined);
  return ownKey || !hasIssuer;
}

/** The server cannot check or make tokens with these settings. The message says what to do. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
}

/** The message of an error, or the text of any other value that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
