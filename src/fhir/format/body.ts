/** What both decoders do with a body: its characters, its positions, and what cannot be read. */
import type { Finding } from '../finding.ts';
import type { FoundAt } from './findings.ts';
import type { MalformedBody } from './limits.ts';
import type { Decoded, Resource } from './resource.ts';

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
export function refused(error: MalformedBody, text: string, format: 'json' | 'xml'): Decoded {
  const { line, column } = positionsIn(text)(error.offset);
  if (format === 'xml') {
    return only({ path: '/', code: error.code, text: error.message, line, column });
  }
  const message = `${error.message.replace(/\.$/, '')} (line ${line}, column ${column}).`;
  return only({ path: '/', code: error.code, text: message });
}

export function finish(
  resource: Resource | undefined,
  found: readonly FoundAt[],
  findingsTotal: number,
): Decoded {
  const findings = found.map(({ offset: _, ...finding }): Finding => finding);
  return { ...(resource && { resource }), findings, findingsTotal };
}

/** Line and column of offsets in a text, both from 1. */
export function positionsIn(text: string): (offset: number) => { line: number; column: number } {
  const lineStarts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) lineStarts.push(index + end.length);
  return (offset) => {
    const line = lineStarts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
  };
}

function only(finding: Finding): Decoded {
  return { findings: [finding], findingsTotal: 1 };
}
