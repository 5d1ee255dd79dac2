/** Answers bytes that are not a complete HTTP request, with a constant outcome. */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from '../fhir/request/node-http.ts';
import type { FhirResponse } from '../fhir/request/request.ts';

/**
 * Answers input that Node's parser refused, and ends the connection. Returns the status, or
 * undefined if the client has disconnected.
 */
export function answerClientError(
  { code }: NodeJS.ErrnoException,
  socket: Duplex,
  headerBytesMax: number,
  newId: () => string,
): number | undefined {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const refusal = refusalOf(code, headerBytesMax);
  endWith(socket, refusal, newId());
  return refusal.status;
}

/** Answers CONNECT, and ends the connection. Returns the status. */
export function answerConnect(socket: Socket, newId: () => string): number {
  if (socket.writable) endWith(socket, NO_TUNNEL, newId());
  socket.destroySoon();
  return NO_TUNNEL.status;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly diagnostics: string;
  /** Further header lines, each with its CR LF. */
  readonly headers?: string;
}

function endWith(socket: Duplex, { status, code, diagnostics, headers = '' }: Refusal, id: string) {
  const body = outcomeText(code, diagnostics);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}` +
      `Content-Type: ${OUTCOME_TYPE}\r\nX-Request-Id: ${id}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const NO_TUNNEL: Refusal = {
  status: 405,
  code: 'not-supported',
  diagnostics: 'This server is not a proxy. Send requests to it without CONNECT.',
  // No method is allowed on the host that CONNECT names.
  headers: 'Allow:\r\n',
};

function refusalOf(code: string | undefined, headerBytesMax: number): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        code: 'too-long',
        diagnostics: `The request line and headers are longer than ${headerBytesMax} bytes. Shorten them.`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: 408,
        code: 'timeout',
        diagnostics: 'The request did not arrive in time. Send it again.',
      };
    default:
      return { status: 400, code: 'invalid', diagnostics: REASONS[code ?? ''] ?? NOT_HTTP };
  }
}

const NOT_HTTP =
  'The request is not valid HTTP/1.1: the method is unknown, or the address or a header has an ' +
  'invalid character. Percent-encode spaces and non-ASCII characters.';
const UNCLEAR_LENGTH =
  'The length of the body is not clear. Send one Content-Length with the number of its bytes, or ' +
  '"Transfer-Encoding: chunked" without Content-Length.';
const BAD_LINE_END = 'A line or a chunk of the request is not valid. End each with CR LF.';

/** By the error codes of Node's parser. */
const REASONS: Readonly<Record<string, string>> = {
  HPE_INVALID_CONTENT_LENGTH: UNCLEAR_LENGTH,
  HPE_UNEXPECTED_CONTENT_LENGTH: UNCLEAR_LENGTH,
  HPE_INVALID_TRANSFER_ENCODING: UNCLEAR_LENGTH,
  HPE_INVALID_CHUNK_SIZE:
    'The length of a chunk is not valid. Send it as a hexadecimal number before the chunk.',
  HPE_STRICT: BAD_LINE_END,
  HPE_CR_EXPECTED: BAD_LINE_END,
  HPE_LF_EXPECTED: BAD_LINE_END,
  HPE_INVALID_EOF_STATE:
    'The connection ended before the whole request arrived. Send all of it before you close.',
};

/** The answer when the server itself has failed. */
export function faultAnswer(id: string): FhirResponse {
  const diagnostics = `An internal error happened. The server's log has the details under request id ${id}.`;
  return {
    status: 500,
    headers: ['Content-Type', OUTCOME_TYPE],
    body: outcomeText('exception', diagnostics),
  };
}

const OUTCOME_TYPE = 'application/fhir+json; charset=utf-8';

/** A constant outcome, valid in every FHIR version. */
function outcomeText(code: string, diagnostics: string): string {
  const issue = [{ severity: 'error', code, diagnostics }];
  return JSON.stringify({ resourceType: 'OperationOutcome', issue });
}

export const UNKNOWN_EXPECTATION: FhirResponse = {
  status: 417,
  headers: ['Content-Type', OUTCOME_TYPE],
  body: outcomeText(
    'not-supported',
    'The only supported expectation is "Expect: 100-continue". Send the request without this header.',
  ),
};
