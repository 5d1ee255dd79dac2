/** The body of a request, as far as it may be taken. */
import type { IncomingMessage } from 'node:http';
import { FhirError } from '../fhir/fhir-error.ts';
import type { FhirRequest } from '../fhir/request.ts';

export type ReceivedBody = Pick<FhirRequest, 'body' | 'bodyRefusal'>;

/** Whether requests by this method have a body that means something. */
export function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/**
 * Calls back once: when the body is there, or as soon as it is too large. Never where the client
 * goes away before.
 */
export function receiveBody(
  incoming: IncomingMessage,
  bytesMax: number,
  done: (received: ReceivedBody) => void,
): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let isRefused = false;
  const refuse = () => {
    isRefused = true;
    pieces.length = 0;
    done({ bodyRefusal: tooLarge(bytesMax) });
  };
  // What comes after a refusal is read and dropped, so that the client gets to see the answer.
  incoming.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (isRefused) return;
    if (bytes > bytesMax) refuse();
    else pieces.push(piece);
  });
  incoming.on('end', () => {
    if (!isRefused) done({ body: Buffer.concat(pieces) });
  });
  incoming.on('error', () => {});
  if (Number(incoming.headers['content-length']) > bytesMax) refuse();
}

function tooLarge(bytesMax: number): FhirError {
  return new FhirError([
    {
      kind: 'body-too-large',
      diagnostics: `The body is longer than ${bytesMax} bytes. Send less.`,
    },
  ]);
}
