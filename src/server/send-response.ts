/** A response of the core as HTTP: its headers, and its body as the socket takes it best. */
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { FhirResponse } from '../fhir/request.ts';

/** Told of what goes wrong while a body is made; `isLast` ends the connection. */
export function sendResponse(
  outgoing: ServerResponse,
  { status, headers, body, release, pieces }: FhirResponse,
  id: string,
  isLast: boolean,
  onFault: (error: unknown) => void,
): void {
  const sent = [...headers, 'X-Request-Id', id];
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.length;
  if (length !== undefined) sent.push('Content-Length', String(length));
  if (isLast) sent.push('Connection', 'close');
  outgoing.writeHead(status, sent);
  if (pieces !== undefined) {
    const source = Readable.from(pieces);
    // The client may have gone away before the answer was ready. The source is told, as it may hold
    // on to something; `pipeline` would throw, and not tell it.
    if (outgoing.destroyed) {
      source.destroy();
      return;
    }
    pipeline(source, outgoing, (error) => {
      // A client that goes away is no fault.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onFault(error);
    });
  } else if (body === undefined) {
    outgoing.end();
  } else if (typeof body === 'string') {
    // Text that is all ASCII need not be encoded.
    outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
  } else if (body.length > ONE_WRITE_BYTES_MAX) {
    // When it has been written, or the connection has been given up.
    if (release !== undefined) outgoing.once('close', () => release(body));
    outgoing.end(body);
  } else {
    outgoing.end(bufferOf(body).toString('latin1'), 'latin1');
    release?.(body);
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Up to here a body goes as text, byte for byte (Latin-1): Node then writes it with the headers in
 * one piece, a tenth less work for a small answer. What is larger would be copied once more.
 */
const ONE_WRITE_BYTES_MAX = 12 * 1024;
