/** What both decoders do with a body: its characters, its positions, and what cannot be read. */
import type { Finding } from '../finding.ts';
import type { Findings, FoundAt } from './findings.ts';
import type { MalformedBody } from './limits.ts';
import type { Decoded, Position, Resource } from './resource.ts';

/** Takes a byte order mark away. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text, or what is answered for bytes that are none. */
export function decodeUtf8(body: Uint8Array): string | Decoded {
  try {
    return utf8.decode(body);
  } catch {
    return only({ path: '/', code: 'structure', text: 'The body is not valid UTF-8.' });
  }
}

/** The answer for a body that could not be read to its end. */
export function refusedBody(error: MalformedBody, text: string, format: 'json' | 'xml'): Decoded {
  const { line, column } = positionsIn(text)(error.offset);
  if (format === 'xml') {
    return only({ path: '/', code: error.code, text: error.message, line, column });
  }
  const message = `${error.message.replace(/\.$/, '')} (line ${line}, column ${column}).`;
  return only({ path: '/', code: error.code, text: message });
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

/** Line and column of offsets in a text. Its lines are looked for when the first one is asked. */
export function positionsIn(text: string): (offset: number) => Position {
  let lineStarts: readonly number[] | undefined;
  return (offset) => {
    lineStarts ??= startsOfLines(text);
    const line = lineAt(lineStarts, offset);
    return { line, column: offset - (lineStarts[line - 1] ?? 0) + 1 };
  };
}

function startsOfLines(text: string): readonly number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isEnd = code === LINE_FEED || (code === RETURN && text.charCodeAt(at + 1) !== LINE_FEED);
    if (isEnd) starts.push(at + 1);
  }
  return starts;
}

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
