/** Cuts a stream of bytes into pieces of text, refusing what is not UTF-8. */
import { isUtf8 } from 'node:buffer';
import { ParseError } from './parse-error.ts';

/** Takes bytes as they come and gives whole characters; no piece is longer than `PIECE_BYTES_MAX`. */
export class Utf8Pieces {
  /** The beginning of a character whose rest is still to come: up to 3 bytes. */
  #carried = Buffer.alloc(0);
  #isFirst = true;

  /** The pieces that these bytes complete; throws a ParseError where they are not UTF-8. */
  *write(bytes: Uint8Array): Generator<string, void, undefined> {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES_MAX) {
      const piece = this.#decode(bytes.subarray(start, start + PIECE_BYTES_MAX));
      if (piece !== '') yield piece;
    }
  }

  /** Throws when the stream ended inside a character. */
  end(): void {
    if (this.#carried.length > 0) throw new ParseError('cut off inside a character');
  }

  #decode(bytes: Uint8Array): string {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const all = this.#carried.length === 0 ? view : Buffer.concat([this.#carried, view]);
    const whole = wholeCharacters(all);
    this.#carried = Buffer.from(all.subarray(whole));
    const complete = all.subarray(0, whole);
    if (!isUtf8(complete)) throw new ParseError('not valid UTF-8');
    const text = complete.toString('utf8');
    if (!this.#isFirst || text === '') return text;
    this.#isFirst = false;
    return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
  }
}

/** A parser works on one piece at a time; this keeps what it holds small whatever the caller sends. */
export const PIECE_BYTES_MAX = 65_536;

const byteOrderMark = 0xfeff;

/** How many of the bytes are whole characters: all but the start of one at the very end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
