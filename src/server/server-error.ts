/** The server cannot start or go on: one line that says what to do. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
}
