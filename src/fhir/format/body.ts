/** The parts that the JSON and XML decoders share: the encoding of a body, positions, and refusals. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { Finding } from '../request/finding.ts';
import type { Findings, FoundAt } from './findings.ts';
import type { MalformedBody } from './limits.ts';
import type { Decoded, Position, Resource } from './resource.ts';
import { isSpaceByte } from './xml-tokenizer/bytes.ts';

/** The bytes without a byte order mark, or the answer for bytes that are not UTF-8, or not the format. */
export function requireText(body: Uint8Array, format: 'JSON' | 'XML'): Buffer | Decoded {
  if (!isUtf8(body)) {
    return only({ path: '/', code: 'structure', text: 'The body is not valid UTF-8.' });
  }
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = hasMark ? bytes.subarray(3) : bytes;
  const at = text.findIndex((byte) => !isSpaceByte(byte));
  const found = text[at] === LESS_THAN ? 'XML' : text[at] === BRACE ? 'JSON' : format;
  if (found === format) return text;
  const problem = `The body is ${found}, but Content-Type says ${format}`;
  const finding = { path: '/', code: 'structure', ...positionIn(text, at) } as const;
  return only({ ...finding, text: `${problem}. Name the format of the body.` });
}

/** The answer for a JSON body that could not be read to its end. */
export function refusedJson({ code, message, offset }: MalformedBody, text: string): Decoded {
  const at = Buffer.byteLength(text.slice(0, offset));
  const { line, column } = positionIn(Buffer.from(text), at);
  const shown = `${message.replace(/\.$/, '')} (line ${line}, column ${column}).`;
  return only({ path: '/', code, text: shown });
}

/** The answer for an XML body that could not be read to its end. */
export function refusedXml({ code, message, offset }: MalformedBody, bytes: Buffer): Decoded {
  return only({ path: '/', code, text: message, ...positionIn(bytes, offset) });
}

export function finish(
  resource: Resource | undefined,
  { total, isWhole }: Findings,
  found: readonly FoundAt[],
): Decoded {
  const findings = found.map(({ offset: _, ...finding }): Finding => finding);
  const findingsTotal = total;
  return { ...(resource && { resource }), findings, findingsTotal, isWhole };
}

/** The line and column of one byte in a body; columns are counted in UTF-16 units. */
function positionIn(bytes: Buffer, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let at = 0; at < offset; at++) {
    if (!isLineEnd(bytes, at)) continue;
    line += 1;
    start = at + 1;
  }
  return { line, column: bytes.toString('utf8', start, offset).length + 1 };
}

/**
 * The same for many bytes. It looks for the lines when it is called for the first time. Calls in the
 * order of the body take linear time in all.
 */
export function positionsIn(bytes: Buffer): (offset: number) => Position {
  let lineStarts: readonly number[] | undefined;
  let isPlain = true;
  let last = { start: 0, offset: 0, units: 0 };
  const unitsBefore = (start: number, offset: number): number => {
    if (isPlain) return offset - start;
    const isBehind = last.start === start && last.offset <= offset;
    const from = isBehind ? last.offset : start;
    const before = isBehind ? last.units : 0;
    const units = before + bytes.toString('utf8', from, offset).length;
    last = { start, offset, units };
    return units;
  };
  return (offset) => {
    if (lineStarts === undefined) {
      lineStarts = startsOfLines(bytes);
      isPlain = isAscii(bytes);
    }
    const line = lineAt(lineStarts, offset);
    return { line, column: unitsBefore(lineStarts[line - 1] ?? 0, offset) + 1 };
  };
}

function startsOfLines(bytes: Uint8Array): readonly number[] {
  const starts = [0];
  for (let at = 0; at < bytes.length; at++) if (isLineEnd(bytes, at)) starts.push(at + 1);
  return starts;
}

function isLineEnd(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at];
  return byte === LINE_FEED || (byte === RETURN && bytes[at + 1] !== LINE_FEED);
}

const LESS_THAN = 0x3c;
const BRACE = 0x7b;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/**
 * The number of lines that begin at or before the offset. Uses binary search, because a body may
 * have a million lines.
 */
function lineAt(lineStarts: readonly number[], offset: number): number {
  let low = 0;
  let high = lineStarts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function only(finding: Finding): Decoded {
  return { findings: [finding], findingsTotal: 1, isWhole: false };
}
