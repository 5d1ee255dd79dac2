/** A fault of a connection, and not of the code that reads its bytes. */

export class ConnectionFault extends Error {
  readonly reason: string;
  readonly code: string;

  constructor(fault: unknown) {
    super();
    const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    this.code = code;
    this.reason = code || (cause instanceof Error ? cause.message : String(cause));
  }
}
