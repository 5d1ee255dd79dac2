/** Tokens cannot be checked or made as things are set up: one line that says what to do. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
}

/** What went wrong, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
