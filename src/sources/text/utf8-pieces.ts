/** Cuts a stream of bytes into pieces of whole characters, and refuses bytes that are not UTF-8. */
import { isUtf8 } from 'node:buffer';
import { ParseError } from './parse-error.ts';

/** Accepts chunks of any size, and removes a byte order mark. */
export class Utf8Pieces {
  /** The first bytes of an incomplete character: up to 3. */
  #carried = Buffer.alloc(0);
  #isFirst = true;
  /** The bytes of the byte order mark, 3 or none. */
  markBytes = 0;

  /**
   * Yields the pieces that these bytes complete, none longer than `PIECE_BYTES_MAX`. Where they
   * are not UTF-8, it yields the valid part and then throws a ParseError.
   */
  *write(bytes: Uint8Array): Generator<Buffer, void, undefined> {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES_MAX) {
      const complete = this.#complete(bytes.subarray(start, start + PIECE_BYTES_MAX));
      const length = isUtf8(complete) ? complete.length : validLength(complete);
      const piece = this.#withoutMark(complete.subarray(0, length));
      if (piece.length > 0) yield piece;
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

  #withoutMark(bytes: Buffer): Buffer {
    if (!this.#isFirst || bytes.length === 0) return bytes;
    this.#isFirst = false;
    if (bytes.indexOf(BYTE_ORDER_MARK) !== 0) return bytes;
    this.markBytes = BYTE_ORDER_MARK.length;
    return bytes.subarray(this.markBytes);
  }
}

/** Takes the bytes of a file, in chunks of any size. */
export interface ByteReader {
  write(bytes: Uint8Array): void;
  end(): void;
}

/** Gives a parser the pieces of the chunks. */
export function inPieces(parser: { write(piece: Buffer): void; end(): void }): ByteReader {
  const pieces = new Utf8Pieces();
  return {
    write: (bytes) => {
      for (const piece of pieces.write(bytes)) parser.write(piece);
    },
    end: () => {
      pieces.end();
      parser.end();
    },
  };
}

/** Limits the memory of a parser if the caller sends large chunks. */
const PIECE_BYTES_MAX = 65_536;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

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
export function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
