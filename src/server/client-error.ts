/** What is answered to bytes that are no request, or not a whole one: a constant outcome. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FhirResponse } from '../fhir/request.ts';

/**
 * Answers what Node's parser has refused, and ends the connection. The status, or nothing where
 * there is nobody to answer.
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
        diagnostics: `The address and headers are longer than ${headerBytesMax} bytes. Send less.`,
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
          'The request cannot be read as HTTP/1.1: its method is unknown, or its address or headers ' +
          'have characters that may not stand there. Percent-encode spaces and letters beyond ASCII.',
      };
  }
}

/** What is answered where the server itself has failed. */
export function faultAnswer(id: string): FhirResponse {
  const diagnostics = `Something went wrong in the server. The log says more under request id ${id}.`;
  return {
    status: 500,
    headers: ['Content-Type', OUTCOME_TYPE],
    body: outcomeText('exception', diagnostics),
  };
}

const OUTCOME_TYPE = 'application/fhir+json; charset=utf-8';

/** A constant outcome, in a form that every FHIR version understands. */
function outcomeText(code: string, diagnostics: string): string {
  const issue = [{ severity: 'error', code, diagnostics }];
  return JSON.stringify({ resourceType: 'OperationOutcome', issue });
}

export const UNKNOWN_EXPECTATION: FhirResponse = {
  status: 417,
  headers: ['Content-Type', OUTCOME_TYPE],
  body: outcomeText('not-supported', 'Only "Expect: 100-continue" is understood.'),
};
