/**
 * Reads XML in pieces and reports its tags and texts. It refuses what is not well-formed by
 * XML 1.0 (fifth edition) and Namespaces in XML 1.0, and every document type declaration.
 */
import {
  AMPERSAND,
  CARRIAGE_RETURN,
  countLineBreaks,
  EXCLAMATION_MARK,
  GREATER_THAN,
  isSectionEnd,
  isSpaceByte,
  kindOfToken,
  LESS_THAN,
  LINE_FEED,
  NAME_START_BYTES,
  QUESTION_MARK,
  SLASH,
  SPACE,
  TEXT_STOPS,
  textEnd,
} from './bytes.ts';
import { isNameAt, Namespaces, type XmlName } from './names.ts';
import { decodeSection, decodeText, referenceEnd } from './references.ts';
import { checkSection, doctypeName, encodingAt, sectionAt, sectionEnd } from './sections.ts';
import { nameEnd, StartTag, type XmlEvents } from './tag.ts';
import { INCOMPLETE, Window } from './window.ts';

export interface XmlTokenizerOptions {
  /** The most bytes that a tag, comment, CDATA section or processing instruction may have. */
  readonly tokenBytesMax: number;
  /** Throws the error for a longer one. */
  readonly refuseToken: () => never;
}

/** Throws an XmlError for a document that is not well-formed, as soon as it reads the fault. */
export class XmlTokenizer {
  /** The encoding in the XML declaration. */
  encoding: string | undefined;
  readonly #events: XmlEvents;
  readonly #options: XmlTokenizerOptions | undefined;
  readonly #window = new Window();
  readonly #namespaces = new Namespaces();
  readonly #tag: StartTag;
  readonly #open: XmlName[] = [];
  #hasRoot = false;
  /** Where the token ends that is being reported. */
  #tokenEnd = 0;
  /**
   * The bytes to have before an incomplete token is read again, twice as many each time, so that
   * small pieces do not take quadratic time.
   */
  #bytesWanted = 0;
  #textFrom = 0;
  #textTo = 0;
  readonly #textValue = (): string => this.#window.slice(this.#textFrom, this.#textTo);
  readonly #decodedText = (): string => decodeText(this.#textValue());
  readonly #sectionText = (): string => decodeSection(this.#textValue());

  constructor(events: XmlEvents, options?: XmlTokenizerOptions) {
    this.#events = events;
    this.#options = options;
    const onAttribute = events.attribute && (() => events.attribute?.());
    this.#tag = new StartTag(this.#window, this.#namespaces, onAttribute);
  }

  /** During an event, the offset in bytes at which its token begins. */
  get tokenStart(): number {
    return this.#window.base + this.#window.at;
  }

  get bytesWritten(): number {
    return this.#window.base + this.#window.end;
  }

  /** Whether all written bytes have been reported. `flush` reports all complete tokens. */
  get isBetweenTokens(): boolean {
    return this.#window.at === this.#window.end;
  }

  /** The line breaks before the next token. */
  get lineBreaks(): number {
    return this.#window.lineBreaks;
  }

  /** Skips bytes between two tokens. They must be whole elements, with this number of line breaks. */
  skip(bytes: number, lineBreaks: number): void {
    this.#window.skip(bytes, lineBreaks);
  }

  /** The number of the line, from 1, with an offset at or after the start of the token. */
  lineOf(offset: number): number {
    return this.#window.lineOf(offset);
  }

  /** During an event, the offset in bytes at which its token ends. */
  get tokenEnd(): number {
    return this.#window.base + this.#tokenEnd;
  }

  /** The next bytes of the document: valid UTF-8, whole characters, no byte order mark. */
  write(piece: Uint8Array): void {
    const window = this.#window;
    window.append(piece);
    if (window.end < this.#bytesWanted) return;
    this.flush();
    const pending = window.end - window.at;
    const bytesMax = this.#options?.tokenBytesMax ?? Number.POSITIVE_INFINITY;
    this.#bytesWanted = Math.min(2 * pending, bytesMax + 1);
    if (pending > bytesMax) this.#options?.refuseToken();
  }

  /** After the last piece: throws an XmlError unless the document is complete. */
  end(): void {
    const window = this.#window;
    this.flush();
    const last = this.bytesWritten === 0 ? 0 : window.end - 1;
    const pending = window.bytes[window.at];
    if (pending === LESS_THAN || pending === AMPERSAND) {
      window.fail(`unexpected end inside ${kindOfToken(window.bytes, window.at)}`, last);
    }
    if (!this.#hasRoot) window.fail('document must contain a root element', last);
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) window.fail(`unclosed tag: ${unclosed.qualified}`, last);
  }

  /** Reports all complete tokens. `write` may wait for more bytes. */
  flush(): void {
    const window = this.#window;
    window.refresh();
    while (window.at < window.end) {
      const isMarkup = window.bytes[window.at] === LESS_THAN;
      const isComplete = isMarkup ? this.#readMarkup(window.at) : this.#readText(window.at);
      if (!isComplete) return;
    }
  }

  /** At a `<`. This and the methods below answer whether the token is complete. */
  #readMarkup(at: number): boolean {
    const window = this.#window;
    const byte = window.bytes[at + 1] ?? 0;
    if (NAME_START_BYTES[byte] === 1) return this.#readStartTag(at);
    if (byte === SLASH) return this.#readEndTag(at);
    if (byte === EXCLAMATION_MARK || byte === QUESTION_MARK) return this.#readSection(at);
    if (at + 1 === window.end) return false;
    return window.fail('disallowed character in tag name', at + 1);
  }

  #readStartTag(at: number): boolean {
    const window = this.#window;
    const tag = this.#tag;
    const open = this.#open;
    const end = tag.read(at, open.length);
    if (end === INCOMPLETE) return false;
    if (open.length === 0) {
      if (this.#hasRoot) window.fail('documents may contain only one root', end - 1);
      this.#hasRoot = true;
    }
    this.#tokenEnd = end;
    this.#events.open(tag);
    if (tag.isEmpty) {
      this.#events.close();
      this.#namespaces.leave(open.length);
    } else {
      open.push(tag.name);
    }
    window.advance(end, tag.mayHaveLineBreaks ? countLineBreaks(window.bytes, at, end) : 0);
    return true;
  }

  #readEndTag(at: number): boolean {
    const window = this.#window;
    const { bytes } = window;
    const name = this.#open.at(-1);
    const expected = at + 2 + (name?.bytes.length ?? 0);
    if (name !== undefined && bytes[expected] === GREATER_THAN) {
      // Nearly all end tags are written like this. No name has a `>`.
      if (isNameAt(name, bytes, at + 2, expected)) return this.#closeElement(expected + 1, 0);
    }
    const to = nameEnd(bytes, at + 2);
    let index = to;
    while (isSpaceByte(bytes[index] ?? 0)) index++;
    if (index === window.end) return false;
    if (bytes[index] !== GREATER_THAN) {
      window.fail('disallowed character in closing tag', index);
    }
    if (name === undefined || !isNameAt(name, bytes, at + 2, to)) {
      window.fail(name === undefined ? 'unmatched closing tag' : 'unexpected close tag', index);
    }
    return this.#closeElement(index + 1, countLineBreaks(bytes, to, index));
  }

  #closeElement(end: number, lineBreaks: number): boolean {
    this.#open.pop();
    this.#tokenEnd = end;
    this.#events.close();
    this.#namespaces.leave(this.#open.length);
    this.#window.advance(end, lineBreaks);
    return true;
  }

  #readText(at: number): boolean {
    if (this.#open.length === 0) return this.#readTextOutside(at);
    const window = this.#window;
    const { bytes, end } = window;
    let index = at;
    if (bytes[index] === LINE_FEED) {
      // The indentation of the next tag, as most texts are.
      do index++;
      while (bytes[index] === SPACE);
      if (bytes[index] === LESS_THAN) return this.#endText(at, index, 1, this.#textValue);
    }
    const stops = TEXT_STOPS;
    let decode = this.#textValue;
    let isComplete = true;
    for (;;) {
      while (stops[bytes[index] ?? 0] === 0) index++;
      const byte = bytes[index] ?? 0;
      if (byte === LESS_THAN) break;
      if (byte === AMPERSAND) {
        const next = referenceEnd(window, index);
        isComplete = next !== INCOMPLETE;
        if (!isComplete) break;
        decode = this.#decodedText;
        index = next;
        continue;
      }
      if (index === end) {
        index = textEnd(bytes, at, end);
        isComplete = false;
        break;
      }
      if (byte === CARRIAGE_RETURN) decode = this.#decodedText;
      else if (byte !== GREATER_THAN) window.checkCharacter(index);
      else if (isSectionEnd(bytes, at, index)) {
        window.fail('the string "]]>" is disallowed in char data', index);
      }
      index++;
    }
    this.#endText(at, index, countLineBreaks(bytes, at, index), decode);
    return isComplete;
  }

  #endText(from: number, to: number, lineBreaks: number, text: () => string): boolean {
    this.#tokenEnd = to;
    this.#reportText(from, to, text);
    this.#window.advance(to, lineBreaks);
    return true;
  }

  #reportText(from: number, to: number, text: () => string): void {
    if (to === from) return;
    this.#textFrom = from;
    this.#textTo = to;
    this.#events.text(to - from, text);
  }

  #readTextOutside(at: number): boolean {
    const window = this.#window;
    let index = at;
    while (isSpaceByte(window.bytes[index] ?? 0)) index++;
    if (index < window.end && window.bytes[index] !== LESS_THAN) {
      window.fail('text data outside of root node', index);
    }
    window.advance(index, countLineBreaks(window.bytes, at, index));
    return true;
  }

  /** At `<!` or `<?`. */
  #readSection(at: number): boolean {
    const window = this.#window;
    const kind = sectionAt(window, at);
    if (kind === undefined) return false;
    if (kind.name === 'doctype') return this.#readDoctype(at);
    if (kind.name === 'cdata' && this.#open.length === 0) {
      window.fail('text data outside of root node', at);
    }
    const end = sectionEnd(window, at, kind);
    if (end === INCOMPLETE) return false;
    this.#tokenEnd = end;
    this.#events.section?.(window.bytes.subarray(at, end));
    checkSection(window, at, end, kind);
    if (kind.name === 'cdata') {
      this.#reportText(at + kind.start.length, end - kind.end.length, this.#sectionText);
    } else if (kind.name === 'instruction' && window.base + at === 0) {
      this.encoding = encodingAt(window, at, end);
    }
    window.advance(end, countLineBreaks(window.bytes, at, end));
    return true;
  }

  #readDoctype(at: number): boolean {
    const name = doctypeName(this.#window, at);
    this.#tokenEnd = at;
    return name === undefined ? false : this.#events.doctype(name);
  }
}
