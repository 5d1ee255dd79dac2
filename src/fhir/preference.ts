/** What a client would rather have: the header Prefer (RFC 7240). */

/** The value of a preference; of several the first one counts. */
export function preferenceOf(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const part of header.split(',')) {
    // What follows a semicolon are parameters of the preference.
    const [, token, value] = PREFERENCE.exec(part.split(';')[0] ?? '') ?? [];
    if (token?.toLowerCase() === name) return value?.replaceAll('"', '').toLowerCase();
  }
  return undefined;
}

const PREFERENCE = /^\s*([^\s=]+)\s*(?:=\s*("[^"]*"|[^\s"]*)\s*)?$/;
