/** Receives the body of a request when a handler asks for it, within the limits. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FhirError } from '../fhir/service/fhir-error.ts';
import type { BodyAccount } from './gate.ts';

/** Whether the server reads the bodies of requests with this method. */
export function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/**
 * Rejects as soon as the body is larger than `bytesMax`, or the account has no room. The rest of
 * the body is then read and dropped, so that the client receives the answer. Never settles if
 * the client disconnects.
 */
export function receiveBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  bytesMax: number,
  account?: BodyAccount,
): Promise<Uint8Array> {
  if (account !== undefined) outgoing.once('close', account.close);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let isRefused = false;
    const refuse = (reason: FhirError) => {
      isRefused = true;
      pieces.length = 0;
      reject(reason);
    };
    if (Number(incoming.headers['content-length']) > bytesMax) refuse(tooLarge(bytesMax));
    else if (expectsContinue(incoming)) outgoing.writeContinue();
    incoming.on('data', (piece: Buffer) => {
      if (isRefused) return;
      bytes += piece.length;
      const refusal = bytes > bytesMax ? tooLarge(bytesMax) : account?.take(piece.length);
      if (refusal === undefined) pieces.push(piece);
      else refuse(refusal);
    });
    incoming.on('end', () => resolve(Buffer.concat(pieces)));
    incoming.on('error', () => {});
  });
}

/**
 * Node answers every other expectation itself. HTTP/1.0 has no expectations (RFC 9110, section
 * 10.1.1).
 */
function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion !== '1.0';
}

function tooLarge(bytesMax: number): FhirError {
  return new FhirError([
    {
      kind: 'body-too-large',
      diagnostics: `The body is longer than ${bytesMax} bytes. Send less.`,
    },
  ]);
}
