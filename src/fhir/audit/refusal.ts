/** A request that was refused before it reached the repository, as the audit log records it. */

/** Why a request was refused before it reached the repository. */
export type RefusalReason =
  /** Without a valid token. */
  | 'unauthenticated'
  /** With a valid token that lacks the scope. */
  | 'forbidden'
  /** The request or its body breaks a rule. */
  | 'invalid'
  /** The server failed. */
  | 'fault';

export interface Refusal {
  readonly reason: RefusalReason;
  /** Empty for an interaction with all types. */
  readonly type: string;
  /** Where the address of the request has one. */
  readonly id?: string;
  readonly version?: string;
}
