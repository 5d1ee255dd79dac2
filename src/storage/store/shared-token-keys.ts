/** The keys of tokens that the servers of a database share. */

/** The public key of an installation's own tokens. */
export interface TokenKey {
  /** The `iss` and `aud` of its tokens. */
  readonly issuer: string;
  /** A JWK. */
  readonly publicKey: object;
}

/** The keys that the servers of a database share. */
export interface SharedTokenKeys {
  /** Makes every server accept the tokens of a key, unless the key was revoked. */
  add(key: TokenKey): Promise<void>;
  /**
   * Calls `onKeys` with all keys, and again each time they change. Adds `own` as soon as the
   * database can be reached. Returns a function that ends the watch.
   */
  watch(own: TokenKey, onKeys: (keys: readonly TokenKey[]) => void): () => Promise<void>;
}
