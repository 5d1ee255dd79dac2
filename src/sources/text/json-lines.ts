/** Splits a stream of bytes into lines, and keeps no more than one line in memory. */

export class JsonLines {
  readonly #bytesMax: number;
  readonly #onLine: (line: Buffer | undefined) => void;
  /** The parts of the current line in earlier chunks. Empty for a line that is too long. */
  #parts: Buffer[] = [];
  #bytes = 0;

  /** `onLine` receives undefined for a line of more than `bytesMax` bytes. */
  constructor(bytesMax: number, onLine: (line: Buffer | undefined) => void) {
    this.#bytesMax = bytesMax;
    this.#onLine = onLine;
  }

  write({ buffer, byteOffset, length }: Uint8Array): void {
    const chunk = Buffer.from(buffer, byteOffset, length);
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    // A copy, because the caller may use the memory of the chunk again.
    this.#add(Buffer.from(chunk.subarray(start)));
  }

  /** Passes on the last line, which may have no line break. */
  end(): void {
    if (this.#bytes > 0) this.#endLine();
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= this.#bytesMax) this.#parts.push(part);
    else this.#parts = [];
  }

  #endLine(): void {
    const line = this.#bytes > this.#bytesMax ? undefined : Buffer.concat(this.#parts, this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
    this.#onLine(line);
  }
}

const NEWLINE = 0x0a;
