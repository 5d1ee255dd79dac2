/** The lines of a stream of bytes, each of a limited length. */

const LINE_END = 0x0a;

/** A line without its end; `too long` for one that has more bytes than `bytesMax`. */
export async function* limitedLines(
  source: AsyncIterable<Uint8Array | string>,
  bytesMax: number,
): AsyncGenerator<Uint8Array | 'too long', void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (): Uint8Array | 'too long' => {
    const line = length > bytesMax ? 'too long' : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of source) {
    let rest: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      parts.push(rest.subarray(0, end));
      length += end;
      yield take();
      rest = rest.subarray(end + 1);
    }
    length += rest.length;
    // The rest of a line that is too long is not kept.
    if (length <= bytesMax) parts.push(rest);
    else parts = [];
  }
  if (length > 0) yield take();
}
