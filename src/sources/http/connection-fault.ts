/** A fault of a connection, and not of the code that reads its bytes. */

export class ConnectionFault extends Error {
  readonly reason: string;
  readonly code: string;

  constructor(fault: unknown) {
    super();
    const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    this.code = code;
    const message = cause instanceof Error ? cause.message : String(cause);
    // The codes of `fetch` itself, such as UND_ERR_SOCKET, mean nothing to an operator.
    this.reason = code === '' || code.startsWith('UND_ERR_') ? message : code;
  }
}
