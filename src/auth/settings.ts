/** The settings of who may do what; `config/` gives them their values. */

export interface AuthSettings {
  /** What `iss` of a token must be; there wherever keys are named. */
  readonly issuer: string | undefined;
  /** What `aud` of a token must contain; the public base URL where it is not set. */
  readonly audience: string | undefined;
  /** Where the issuer publishes its keys; this or the file, never both. */
  readonly jwksUrl: string | undefined;
  readonly jwksFile: string | undefined;
  /** Where the issuer tells what an opaque token is (RFC 7662), and as whom it is asked. */
  readonly introspectionUrl: string | undefined;
  readonly introspectionClient: string | undefined;
  readonly introspectionSecretFile: string | undefined;
  /** Whether tokens of `gazetteer token` count beside those of an issuer. */
  readonly ownKey: boolean;
  /** By how much the issuer's clock may differ from ours. */
  readonly skewSeconds: number;
}

/** The installation's own key counts where there is nobody else, or where it is asked for. */
export function usesOwnKey(
  settings: Pick<AuthSettings, 'jwksUrl' | 'jwksFile' | 'introspectionUrl' | 'ownKey'>,
): boolean {
  const { jwksUrl, jwksFile, introspectionUrl, ownKey } = settings;
  const hasIssuer = [jwksUrl, jwksFile, introspectionUrl].some((source) => source !== undefined);
  return ownKey || !hasIssuer;
}
