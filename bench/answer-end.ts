/** Finds where the answers of a server end in the bytes of a connection. */

/**
 * The index after the answer that begins at `start`. Undefined if part of the answer is missing.
 * Throws if the answer has another status. An answer without a length has no body.
 */
export function answerEnd(bytes: Buffer, start: number, status: number): number | undefined {
  const headEnd = bytes.indexOf(HEAD_END, start);
  if (headEnd < 0) return undefined;
  const bodyAt = headEnd + HEAD_END.length;
  const statusAt = start + 'HTTP/1.1 '.length;
  if (Number(bytes.toString('latin1', statusAt, statusAt + 3)) !== status) {
    throw new Error(`expected ${status}, got ${bytes.toString('latin1', start, start + 1000)}`);
  }
  const lengthAt = bytes.indexOf(CONTENT_LENGTH, start);
  if (lengthAt >= 0 && lengthAt < headEnd) {
    const length = bytes.toString('latin1', lengthAt + CONTENT_LENGTH.length, headEnd);
    const end = bodyAt + Number.parseInt(length, 10);
    return end > bytes.length ? undefined : end;
  }
  const chunkedAt = bytes.indexOf(CHUNKED, start);
  return chunkedAt >= 0 && chunkedAt < headEnd ? chunksEnd(bytes, bodyAt) : bodyAt;
}

const LINE_END = '\r\n';
const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = Buffer.from('\r\nContent-Length: ');
const CHUNKED = Buffer.from('\r\nTransfer-Encoding: chunked');

/** Each chunk begins with its length in hexadecimal on a line. The last chunk has the length 0. */
function chunksEnd(bytes: Buffer, start: number): number | undefined {
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf(LINE_END, at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + LINE_END.length + length + LINE_END.length;
    if (at > bytes.length) return undefined;
    if (length === 0) return at;
  }
}
