/** Cuts a stream of bytes into pieces of text, refusing what is not UTF-8. */
import { isUtf8 } from 'node:buffer';
import { ParseError } from './parse-error.ts';

/** Takes bytes as they come and gives whole characters; no piece is longer than `PIECE_BYTES_MAX`. */
export class Utf8Pieces {
  /** The beginning of a character whose rest is still to come: up to 3 bytes. */
  #carried = Buffer.alloc(0);
  #isFirst = true;
  #bytesGiven = 0;
  #pieceStart = 0;

  /** The number of bytes in the pieces so far. */
  get bytesGiven(): number {
    return this.#bytesGiven;
  }

  /** The offset of the first byte of the last piece. */
  get pieceStart(): number {
    return this.#pieceStart;
  }

  /**
   * Yields the pieces that these bytes complete. Where they are not UTF-8, it yields the valid
   * part and then throws a ParseError.
   */
  *write(bytes: Uint8Array): Generator<string, void, undefined> {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES_MAX) {
      const complete = this.#complete(bytes.subarray(start, start + PIECE_BYTES_MAX));
      const length = isUtf8(complete) ? complete.length : validLength(complete);
      const piece = this.#decode(complete.subarray(0, length));
      if (piece !== '') yield piece;
      const faulty = complete[length];
      if (faulty !== undefined) {
        throw new ParseError(
          `0x${faulty.toString(16)} is not UTF-8 (is it in another encoding, such as Latin-1?)`,
        );
      }
    }
  }

  /** Throws when the stream ended inside a character. */
  end(): void {
    if (this.#carried.length > 0) throw new ParseError('it is cut off there, inside a character');
  }

  /** The bytes carried over and these bytes, without an incomplete character at their end. */
  #complete(bytes: Uint8Array): Buffer {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const all = this.#carried.length === 0 ? view : Buffer.concat([this.#carried, view]);
    const whole = wholeCharacters(all);
    this.#carried = Buffer.from(all.subarray(whole));
    return all.subarray(0, whole);
  }

  #decode(bytes: Buffer): string {
    const text = bytes.toString('utf8');
    this.#pieceStart = this.#bytesGiven;
    this.#bytesGiven += bytes.length;
    if (!this.#isFirst || text === '') return text;
    this.#isFirst = false;
    if (text.charCodeAt(0) !== byteOrderMark) return text;
    this.#pieceStart += BYTE_ORDER_MARK_BYTES;
    return text.slice(1);
  }
}

/** A parser works on one piece at a time; this keeps what it holds small whatever the caller sends. */
export const PIECE_BYTES_MAX = 65_536;

const byteOrderMark = 0xfeff;
const BYTE_ORDER_MARK_BYTES = 3;

/** The number of valid bytes before the first invalid one, where a decoder inserts U+FFFD. */
function validLength(bytes: Buffer): number {
  const decoded = Buffer.from(bytes.toString('utf8'));
  const length = bytes.findIndex((byte, index) => byte !== decoded[index]);
  // The bytes of U+FFFD may begin like the bytes that it replaces.
  for (let back = 0; back < 3; back++) {
    if (isUtf8(bytes.subarray(0, length - back))) return length - back;
  }
  return 0;
}

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
