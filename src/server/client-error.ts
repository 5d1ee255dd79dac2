/** Answers bytes that are not a complete HTTP request, with a constant outcome. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FhirResponse } from '../fhir/request.ts';

/**
 * Answers input that Node's parser refused, and ends the connection. Returns the status, or
 * undefined where the client is gone.
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
  const error = clientError(code, headerBytesMax);
  const body = outcomeText(error.code, error.diagnostics);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n` +
      `Content-Type: ${OUTCOME_TYPE}\r\nX-Request-Id: ${newId()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  return error.status;
}

function clientError(
  code: string | undefined,
  headerBytesMax: number,
): { readonly status: number; readonly code: string; readonly diagnostics: string } {
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
      return {
        status: 400,
        code: 'invalid',
        diagnostics:
          'The request is not valid HTTP/1.1: the method is unknown, or the address or a header has an ' +
          'invalid character. Percent-encode spaces and non-ASCII characters.',
      };
  }
}

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
