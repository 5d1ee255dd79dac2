/** The part of a document that the tokenizer has in memory, and the error for what is not well-formed. */
import { isAscii } from 'node:buffer';
import { countLineBreaks, LEAD_OF_NONCHARACTERS } from './bytes.ts';

/** The error for a document that is not well-formed. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  /** The byte of the document at which the fault was found. */
  readonly offset: number;

  /** The message is a phrase without a full stop. */
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The answer of a scan that reached the end of the window before the end of its token. */
export const INCOMPLETE = -1;

/** Positions in a window are indexes of `bytes`. */
export class Window {
  /** The byte at `end` is 0, which no document has: a scan that checks bytes stops there. */
  bytes = Buffer.alloc(1);
  /** The first byte that no event has reported yet. */
  at = 0;
  end = 0;
  /** The offset of `bytes[0]` in the document. */
  base = 0;
  /** The line breaks of the document before `at`. */
  lineBreaks = 0;
  /** The bytes as Latin-1, so that a run of ASCII is a slice of it. */
  #latin1 = '';
  #isAscii = true;

  /** Appends bytes, and forgets those before `at`. */
  append(piece: Uint8Array): void {
    const pending = this.end - this.at;
    const needed = pending + piece.length + 1;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * pending));
      this.bytes.copy(larger, 0, this.at, this.end);
      this.bytes = larger;
    } else if (this.at > 0) {
      this.bytes.copyWithin(0, this.at, this.end);
    }
    this.bytes.set(piece, pending);
    this.base += this.at;
    this.at = 0;
    this.end = pending + piece.length;
    this.bytes[this.end] = 0;
  }

  /** Moves on to an index behind this number of line breaks. */
  advance(to: number, lineBreaks: number): void {
    this.at = to;
    this.lineBreaks += lineBreaks;
  }

  /** Skips bytes after the window. All bytes in the window must have been reported. */
  skip(bytes: number, lineBreaks: number): void {
    this.base += bytes;
    this.lineBreaks += lineBreaks;
  }

  /** The number of the line, from 1, with an offset that is not before `at`. */
  lineOf(offset: number): number {
    return 1 + this.lineBreaks + countLineBreaks(this.bytes, this.at, offset - this.base);
  }

  /** Prepares `slice` for the bytes that have been appended. */
  refresh(): void {
    this.#latin1 = this.bytes.toString('latin1', 0, this.end);
    this.#isAscii = isAscii(this.bytes.subarray(0, this.end));
  }

  /** The text of a run of bytes. */
  slice(from: number, to: number): string {
    return this.#isAscii || this.#isAsciiRun(from, to)
      ? this.#latin1.slice(from, to)
      : this.bytes.toString('utf8', from, to);
  }

  #isAsciiRun(from: number, to: number): boolean {
    const { bytes } = this;
    for (let index = from; index < to; index++) if ((bytes[index] ?? 0) >= 0x80) return false;
    return true;
  }

  /** Throws if a suspect byte begins a character that XML does not allow (production 2). */
  checkCharacter(index: number): void {
    const { bytes } = this;
    const isAllowed =
      bytes[index] === LEAD_OF_NONCHARACTERS &&
      (bytes[index + 1] !== 0xbf || (bytes[index + 2] ?? 0) < 0xbe);
    if (!isAllowed) this.fail('disallowed character', index);
  }

  /** The index of a string of ASCII at or after `from`, or -1. */
  indexOf(text: string, from: number): number {
    return this.bytes.subarray(0, this.end).indexOf(text, from, 'latin1');
  }

  fail(message: string, index: number): never {
    throw new XmlError(message, this.base + index);
  }
}
