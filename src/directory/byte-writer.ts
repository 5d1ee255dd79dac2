/** Writes bodies into one growing buffer and hands out exact copies. */
import type { Templates } from './templates.ts';

/** For one thread: a body is started, written and finished before the next. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #position = 0;

  start(): void {
    this.#position = 0;
  }

  text(text: string): void {
    this.#reserve(text.length * UTF8_BYTES_MAX);
    this.#position += this.#buffer.write(text, this.#position);
  }

  template(templates: Templates, row: number): void {
    this.#reserve(templates.bytesMax(row));
    this.#position = templates.write(row, this.#buffer, this.#position);
  }

  /** The bytes since `start`, in memory of their own. */
  finish(): Buffer {
    const body = Buffer.allocUnsafe(this.#position);
    this.#buffer.copy(body, 0, 0, this.#position);
    return body;
  }

  #reserve(bytes: number): void {
    if (this.#position + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(
      Math.max(this.#position + bytes, this.#buffer.length * 2),
    );
    this.#buffer.copy(larger, 0, 0, this.#position);
    this.#buffer = larger;
  }
}

/** Room for a page of 20 with the space that escapes may need. */
const INITIAL_BYTES = 1 << 18;

/** A UTF-16 code unit becomes three bytes at the most. */
const UTF8_BYTES_MAX = 3;
