/** Writes an answer to the connection: bodies as they are, and pieces at the pace of the client. */
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { FhirResponse } from '../fhir/request/request.ts';

/** `onFault` is called with errors while a body is produced; `isLast` ends the connection. */
export function sendResponse(
  outgoing: ServerResponse,
  { status, headers, body, release, onClosed, pieces }: FhirResponse,
  id: string,
  isLast: boolean,
  onFault: (error: unknown) => void,
): void {
  if (onClosed !== undefined) {
    // The client may have disconnected before the answer was ready.
    if (outgoing.destroyed) onClosed();
    else outgoing.once('close', onClosed);
  }
  const sent = [...headers, 'X-Request-Id', id];
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.length;
  if (length !== undefined) sent.push('Content-Length', String(length));
  if (isLast) sent.push('Connection', 'close');
  outgoing.writeHead(status, sent);
  if (pieces !== undefined) {
    const source = pieces instanceof Readable ? pieces : Readable.from(pieces);
    // If the client has disconnected, `pipeline` would throw and not destroy the source.
    if (outgoing.destroyed) {
      source.destroy();
      return;
    }
    outgoing.setMaxListeners(LISTENERS_MAX);
    if (release !== undefined) releaseWritten(outgoing, release);
    pipeline(source, outgoing, (error) => {
      // A client that disconnects is not a fault.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onFault(error);
    });
  } else if (body === undefined) {
    outgoing.end();
  } else if (typeof body === 'string') {
    // Latin-1 is the fastest encoding for text that is all ASCII.
    outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
  } else if (body.length > ONE_WRITE_BYTES_MAX) {
    // After the body is written, or the connection is closed.
    if (release !== undefined) outgoing.once('close', () => release(body));
    outgoing.end(body);
  } else {
    outgoing.end(bufferOf(body).toString('latin1'), 'latin1');
    release?.(body);
  }
}

/**
 * `pipeline` listens seven times for the end of an answer, and the server up to five times. Above 10,
 * Node would warn of a leak.
 */
const LISTENERS_MAX = 20;

/** `pipeline` writes each piece as it is, and does not say when the socket has taken it. */
function releaseWritten(outgoing: ServerResponse, release: (piece: Uint8Array) => void): void {
  const write = outgoing.write.bind(outgoing);
  Object.assign(outgoing, { write: (piece: Uint8Array) => write(piece, () => release(piece)) });
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Up to this size a body is sent as a Latin-1 string: Node then writes it together with the
 * headers, which saves a tenth of the work for a small answer. A larger body would be copied
 * again.
 */
const ONE_WRITE_BYTES_MAX = 12 * 1024;
