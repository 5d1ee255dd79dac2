/** The server cannot check or make tokens with these settings. The message says what to do. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
}

/** The message of an error, or the text of any other value that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
