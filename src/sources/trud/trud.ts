/** The address of TRUD, and the key of an account. */

export interface Trud {
  /** Without a slash at the end. */
  readonly url: string;
  /** A part of every address, so that no message may show it. */
  readonly key: string;
}

/** Whether the text can be the key of an account: it needs no encoding in an address. */
export function isTrudKey(text: string): boolean {
  return /^[A-Za-z0-9_-]{8,128}$/.test(text);
}
