/** Sends requests to the issuer, with limits on time and size, and without redirects. */

/** The `fetch` of the platform. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The issuer did not answer correctly. The message is for the log, never for clients. */
class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
}

/** A `fetch` that does not follow redirects, and rejects slow and long answers. */
export function createOutgoing(fetch: Fetch, timeoutMs = TIMEOUT_MS): Fetch {
  return async (url, init = {}) => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        throw new OutgoingError(
          'the answer is a redirect, and the server does not follow redirects',
        );
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
    if (bytes > BODY_BYTES_MAX) throw new OutgoingError('the answer is longer than 1 MiB');
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

/** A client waits for the issuer's answer. */
const TIMEOUT_MS = 5000;

/** A set of keys has a few KiB. */
const BODY_BYTES_MAX = 1024 ** 2;
