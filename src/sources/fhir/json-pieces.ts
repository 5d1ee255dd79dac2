/** Cuts a stream of JSON into resources and Bundle entries without holding more than one of them. */
import { ParseError } from '../release-file/parse-error.ts';
import { Piece } from './piece.ts';

/** What the stream holds; bytes are valid until the call ends. */
export interface JsonPieceEvents {
  /**
   * The text before the entries of what may be a Bundle, closed so that it is JSON. True: it is one,
   * and its entries follow one by one. A ParseError says that it is not JSON.
   */
  bundleStart(head: Buffer): boolean;
  entry(bytes: Buffer, place: string): void;
  /** The same Bundle without its entries. */
  bundleEnd(head: Buffer, place: string): void;
  /** An object that stands alone. */
  resource(bytes: Buffer, place: string): void;
  /** Something that could not be cut out. */
  fault(problem: string, place: string): void;
}

/** So large a resource is none of a directory. */
export const RESOURCE_BYTES_MAX = 1024 * 1024;

/**
 * Takes one JSON object, or several behind each other: lines of them (NDJSON), or over several
 * lines. Which it is shows at the first line break. Among lines a faulty one is told and passed
 * over; anywhere else a fault ends the reading, and is thrown as a ParseError.
 */
export class JsonPieces {
  readonly #events: JsonPieceEvents;
  readonly #piece = new Piece(RESOURCE_BYTES_MAX);
  readonly #entry = new Piece(RESOURCE_BYTES_MAX);
  /** Undefined until the first line break after the start of an object. */
  #isLines: boolean | undefined;
  #isSkippingLine = false;
  #line = 1;
  /** Where the object began. */
  #firstLine = 1;
  #hasStarted = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** How much of `entry` the string has been so far, or NO_MATCH; for properties of the object. */
  #matched = 0;
  #isEntryNamed = false;
  #isInEntries = false;
  #hasEntries = false;
  #isCommaDue = false;
  #entryNumber = 0;

  constructor(events: JsonPieceEvents, isLines: boolean) {
    this.#events = events;
    if (isLines) this.#isLines = true;
  }

  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at++) {
      if (this.#isSkippingLine) {
        at = chunk.indexOf(NEWLINE, at);
        if (at < 0) break;
      } else if (this.#isInString) {
        at = this.#passString(chunk, at);
        continue;
      }
      if (chunk[at] === NEWLINE) this.#endLine();
      else this.#take(chunk[at]!, at, chunk);
    }
    this.#piece.keep(chunk);
    this.#entry.keep(chunk);
  }

  /** After the last chunk; throws where something is not complete. */
  end(): void {
    if (this.#isLines === true) this.#endLine();
    else if (this.#depth > 0) throw new ParseError('not JSON: it ends inside an object');
  }

  /** The position of the last byte of the chunk that belongs to the string. */
  #passString(chunk: Buffer, start: number): number {
    const isName = this.#depth === 1;
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === NEWLINE) {
        // Never part of a text, not even behind a backslash.
        this.#endLine();
        if (!this.#isInString) return at;
      } else if (this.#isEscaped) {
        this.#isEscaped = false;
      } else if (byte === QUOTE) {
        this.#isInString = false;
        return at;
      } else if (byte === BACKSLASH) {
        this.#isEscaped = true;
      }
      if (isName) this.#matched = byte === ENTRY[this.#matched] ? this.#matched + 1 : NO_MATCH;
    }
    return chunk.length;
  }

  /** A byte outside strings. */
  #take(byte: number, at: number, chunk: Buffer): void {
    const isBetween = this.#depth === 0 || (this.#isInEntries && this.#depth === 2);
    switch (byte) {
      case SPACE:
      case TAB:
      case CARRIAGE_RETURN:
        break;
      case OPEN_BRACE:
        if (isBetween && !this.#begin(at)) break;
        this.#depth += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (isBetween) this.#closeEntries(byte, at);
        else this.#close(at, chunk);
        break;
      case COMMA:
        if (this.#depth === 1) this.#isEntryNamed = false;
        if (!isBetween) break;
        if (this.#isCommaDue && this.#depth === 2) this.#isCommaDue = false;
        else this.#fault('not JSON: a comma stands where none belongs');
        break;
      default:
        if (isBetween) this.#refuse(byte);
        else if (byte === QUOTE) this.#openString();
        else if (byte === COLON) this.#endName();
        else if (byte === OPEN_BRACKET) this.#openArray(at, chunk);
    }
  }

  #refuse(byte: number): void {
    if (!this.#hasStarted && BYTE_ORDER_MARK.includes(byte)) return;
    this.#fault(
      `not JSON: an object was expected, not ${JSON.stringify(String.fromCharCode(byte))}`,
    );
  }

  #openString(): void {
    this.#isInString = true;
    this.#matched = 0;
  }

  /** Only a name has a colon behind it. */
  #endName(): void {
    if (this.#depth === 1) this.#isEntryNamed = this.#matched === ENTRY.length;
  }

  /** Whether an object may begin here, where none is open but a Bundle. */
  #begin(at: number): boolean {
    if (this.#isInEntries) {
      if (this.#isCommaDue) {
        this.#fault('not JSON: a comma is missing between entries');
        return false;
      }
      this.#entryNumber += 1;
      this.#entry.begin(at);
      return true;
    }
    this.#hasStarted = true;
    this.#firstLine = this.#line;
    this.#hasEntries = false;
    this.#entryNumber = 0;
    this.#isEntryNamed = false;
    this.#piece.begin(at);
    return true;
  }

  #openArray(at: number, chunk: Buffer): void {
    this.#depth += 1;
    if (this.#depth !== 2 || !this.#isEntryNamed || this.#hasEntries) return;
    const before = this.#piece.peek(chunk, at);
    if (before === undefined || !this.#tell(() => this.#startEntries(before))) return;
    if (this.#isInEntries) this.#piece.pause(chunk, at + 1);
  }

  #startEntries(before: Buffer): void {
    if (!this.#events.bundleStart(Buffer.concat([before, CLOSING]))) return;
    this.#isInEntries = true;
    this.#hasEntries = true;
    this.#isCommaDue = false;
  }

  /** A bracket between entries, or between objects. */
  #closeEntries(byte: number, at: number): void {
    const isTrailing = this.#entryNumber > 0 && !this.#isCommaDue;
    if (!this.#isInEntries || byte !== CLOSE_BRACKET || isTrailing) {
      this.#fault('not JSON: a bracket or comma stands where none belongs');
      return;
    }
    this.#isInEntries = false;
    this.#depth = 1;
    this.#piece.resume(at);
  }

  #close(at: number, chunk: Buffer): void {
    this.#depth -= 1;
    if (this.#isInEntries && this.#depth === 2) {
      this.#isCommaDue = true;
      this.#told(this.#entry.end(chunk, at + 1), this.#entryPlace(), (bytes, place) =>
        this.#events.entry(bytes, place),
      );
    } else if (this.#depth === 0) {
      // Whole before the first line break: a line.
      this.#isLines ??= true;
      const bytes = this.#piece.end(chunk, at + 1);
      const place = `line ${this.#firstLine}`;
      this.#told(bytes, place, (whole) => {
        if (this.#hasEntries) this.#events.bundleEnd(whole, place);
        else this.#events.resource(whole, place);
      });
    }
  }

  #entryPlace(): string {
    const entry = `entry ${this.#entryNumber}`;
    return this.#isLines === true ? `line ${this.#firstLine}, ${entry}` : entry;
  }

  #told(
    bytes: Buffer | undefined,
    place: string,
    tell: (bytes: Buffer, place: string) => void,
  ): void {
    if (bytes === undefined) {
      this.#events.fault(`it is larger than ${RESOURCE_BYTES_MAX} bytes`, place);
    } else {
      this.#tell(() => tell(bytes, place));
    }
  }

  /** Whether that went without a ParseError, which is a fault of the text here. */
  #tell(action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      this.#fault(error.message);
      return false;
    }
  }

  #endLine(): void {
    if (this.#hasStarted) this.#isLines ??= false;
    if (this.#isLines === true) {
      const isCutOff = !this.#isSkippingLine && this.#depth > 0;
      if (isCutOff) this.#fault('not JSON: the line ends inside an object');
      this.#isSkippingLine = false;
    }
    this.#line += 1;
  }

  #fault(problem: string): void {
    if (this.#isLines !== true) throw new ParseError(`${problem} (line ${this.#line})`);
    this.#events.fault(problem, `line ${this.#line}`);
    this.#isSkippingLine = true;
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#isInEntries = false;
    this.#piece.drop();
    this.#entry.drop();
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const ENTRY = Buffer.from('entry');
/** Beyond the end of ENTRY, where no byte is equal to anything. */
const NO_MATCH = 100;
const CLOSING = Buffer.from('[]}');
