/** Requests to the issuer: short, small, and to the address that was configured, nowhere else. */

/** `fetch`, as the platform has it. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The issuer could not be asked: for the log, never for clients. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
}

/** A `fetch` that follows no redirect, gives up, and refuses to read more than it needs. */
export function createOutgoing(fetch: Fetch, timeoutMs = TIMEOUT_MS): Fetch {
  return async (url, init = {}) => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        throw new OutgoingError('it redirects, and redirects are not followed');
      }
      const { status, headers } = response;
      return new Response(await bodyOf(response), { status, headers });
    } catch (error) {
      throw new OutgoingError(`${url}: ${reasonOf(error)}`);
    }
  };
}

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    // Leaving the loop cancels the stream.
    if (bytes > BODY_BYTES_MAX) throw new OutgoingError('it answers more than 1 MiB');
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  return cause instanceof Error ? cause.message || cause.name : error.message;
}

/** A client waits for this. */
const TIMEOUT_MS = 5000;

/** A set of keys is a few KiB. */
const BODY_BYTES_MAX = 1024 ** 2;
