/** Reads the bodies of answers, within limits of size. */
import type * as z from 'zod';
import { SourceError } from '../../directory/record/source.ts';
import { printable } from '../text/source-text.ts';

/** Calls `heard` for each piece. Throws a ConnectionFault if the connection fails. */
export async function* chunksOf(
  { body }: Response,
  heard: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  heard();
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await reader.read().catch((error) => {
        throw new ConnectionFault(error);
      });
      if (next.done) return;
      heard();
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads a whole body. `name` is the source in messages. Throws a SourceError above `bytesMax`. */
export async function bytesOf(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new SourceError(
        `The answer of ${name} is longer than ${bytesMax} bytes. Check the address.`,
      );
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

/** Undefined if the body is not JSON. */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The reason in an error answer of a service, unchanged; empty if the body has none. */
export async function reasonIn(name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    const body = await bytesOf(name, chunks, REASON_BYTES_MAX);
    const answer = JSON.parse(body.toString('utf8'));
    // An OperationOutcome of FHIR, or the errors of TRUD and ORD.
    const reason = [answer?.issue].flat()[0]?.diagnostics ?? answer?.message ?? answer?.errorText;
    return typeof reason === 'string' ? reason : '';
  } catch {
    return '';
  }
}

const REASON_BYTES_MAX = 65_536;

/** Why a body is not what it should be, as a clause. `wanted` is what it should be. */
export function problemOf({ issues: [first] }: z.ZodError, wanted: string): string {
  if (first === undefined || first.path.length === 0) return `the body is not ${wanted}`;
  const message = /^is not/.test(first.message) ? first.message : 'is missing or not valid';
  return `${printable(first.path.join('.'))} ${message}`;
}

export class ConnectionFault extends Error {
  readonly reason: string;
  readonly code: string;

  constructor(fault: unknown) {
    super();
    const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    this.code = code;
    const message = cause instanceof Error ? cause.message : String(cause);
    // The codes of `fetch` itself, such as UND_ERR_SOCKET, mean nothing to an operator.
    this.reason = code === '' || code.startsWith('UND_ERR_') ? message : code;
  }
}
