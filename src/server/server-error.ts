/** The server cannot start or continue. The message says what to do. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
}
