/** The events of a document, and its start tags: their names, their attributes, and the namespaces of both. */
import {
  AMPERSAND,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER_THAN,
  isSpaceByte,
  LESS_THAN,
  NAME_BYTES,
  NAME_START_BYTES,
  SINGLE_QUOTE,
  SLASH,
  SPACE,
  VALUE_STOPS,
} from './bytes.ts';
import { type Namespaces, nameAt, type XmlName } from './names.ts';
import { decodeValue, referenceEnd } from './references.ts';
import { INCOMPLETE, type Window } from './window.ts';

/** Receives the parts of a document in their order. */
export interface XmlEvents {
  /** A start tag, or an empty-element tag; its values can be asked for during the call only. */
  open(tag: StartTag): void;
  /** One more attribute of the start tag that is being read. It may throw, so that no more are read. */
  attribute?(): void;
  /** The end of the element that was opened last and has not ended yet. */
  close(): void;
  /**
   * A text, or a part of it, since texts are cut where a piece of the document ends. `length` is
   * its bytes in the document; `text()` decodes it, and can be called during the call only.
   */
  text(length: number, text: () => string): void;
  /** A document type declaration with the name of the root element; it throws. */
  doctype(name: string): never;
  /** A comment, a processing instruction or a CDATA section, from its `<` to after its `>`. */
  section?(bytes: Buffer): void;
}

/** The start tag that was read last. Values become strings only when they are asked for. */
export class StartTag {
  /** An empty-element tag, such as `<a/>`. */
  isEmpty = false;
  namespace = '';
  /** Namespace declarations count. */
  attributeCount = 0;
  /** Whether the tag is written with white space other than single spaces. */
  mayHaveLineBreaks = false;
  /** Called for each attribute, before its name is read. */
  readonly #onAttribute: (() => void) | undefined;
  #name: XmlName | undefined;
  readonly #window: Window;
  readonly #namespaces: Namespaces;
  readonly #names: XmlName[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #areEncoded: boolean[] = [];
  #hasPrefixes = false;
  #hasDeclarations = false;

  constructor(window: Window, namespaces: Namespaces, onAttribute?: () => void) {
    this.#onAttribute = onAttribute;
    this.#window = window;
    this.#namespaces = namespaces;
  }

  get name(): XmlName {
    if (this.#name === undefined) throw new Error('There is no tag.');
    return this.#name;
  }

  attributeName(index: number): XmlName {
    const name = this.#names[index];
    if (name === undefined) throw new RangeError('There is no such attribute.');
    return name;
  }

  /** An attribute without a prefix has no namespace. */
  attributeNamespace(index: number): string {
    const { prefix } = this.attributeName(index);
    return prefix === '' ? '' : (this.#namespaces.of(prefix) ?? '');
  }

  attributeValue(index: number): string {
    const value = this.#window.slice(this.#starts[index] ?? 0, this.#ends[index] ?? 0);
    return this.#areEncoded[index] === true ? decodeValue(value) : value;
  }

  /** The value of the attribute with this qualified name. */
  valueOf(qualified: string): string | undefined {
    for (let index = 0; index < this.attributeCount; index++) {
      if (this.#names[index]?.qualified === qualified) return this.attributeValue(index);
    }
    return undefined;
  }

  /** Reads the tag that begins at `<`; answers the index after it, or INCOMPLETE. */
  read(at: number, depth: number): number {
    const { bytes, end } = this.#window;
    this.attributeCount = 0;
    this.mayHaveLineBreaks = false;
    this.#hasPrefixes = false;
    this.#hasDeclarations = false;
    let index = nameEnd(bytes, at + 1);
    if (index === end) return INCOMPLETE;
    this.#name = this.#nameBetween(at + 1, index);
    for (;;) {
      const before = index;
      if (bytes[index] === SPACE) index++;
      if (isSpaceByte(bytes[index] ?? 0)) index = this.#skipSpace(index);
      const byte = bytes[index] ?? 0;
      if (byte === GREATER_THAN || byte === SLASH) return this.#finish(index, byte, depth);
      if (index === end) return INCOMPLETE;
      if (NAME_START_BYTES[byte] !== 1) {
        this.#window.fail('disallowed character in attribute name', index);
      }
      if (index === before) this.#window.fail('no whitespace between attributes', index);
      index = this.#readAttribute(index);
      if (index === INCOMPLETE) return INCOMPLETE;
    }
  }

  #readAttribute(at: number): number {
    const { bytes, end } = this.#window;
    let index = nameEnd(bytes, at);
    const to = index;
    if (bytes[index] !== EQUALS) index = this.#skipSpace(index);
    if (index === end) return INCOMPLETE;
    if (bytes[index] !== EQUALS) this.#window.fail('attribute without value', index);
    index++;
    if (isSpaceByte(bytes[index] ?? 0)) index = this.#skipSpace(index);
    if (index === end) return INCOMPLETE;
    const quote = bytes[index] ?? 0;
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) {
      this.#window.fail('unquoted attribute value', index);
    }
    const after = this.#readValue(index + 1, quote);
    if (after === INCOMPLETE) return INCOMPLETE;
    this.#onAttribute?.();
    this.#addName(this.#nameBetween(at, to));
    return after;
  }

  #skipSpace(from: number): number {
    const { bytes } = this.#window;
    let index = from;
    while (isSpaceByte(bytes[index] ?? 0)) index++;
    this.mayHaveLineBreaks = true;
    return index;
  }

  /** Reads a value and its closing quote; answers the index after it, or INCOMPLETE. */
  #readValue(from: number, quote: number): number {
    const window = this.#window;
    const { bytes, end } = window;
    const stops = VALUE_STOPS;
    let index = from;
    let isEncoded = false;
    for (;;) {
      while (stops[bytes[index] ?? 0] === 0) index++;
      const byte = bytes[index] ?? 0;
      if (byte === quote) break;
      if (byte === AMPERSAND) {
        isEncoded = true;
        index = referenceEnd(window, index);
        if (index === INCOMPLETE) return INCOMPLETE;
        continue;
      }
      if (index === end) return INCOMPLETE;
      if (isSpaceByte(byte)) isEncoded = this.mayHaveLineBreaks = true;
      else if (byte === LESS_THAN) window.fail('disallowed character', index);
      else if (byte !== DOUBLE_QUOTE && byte !== SINGLE_QUOTE) window.checkCharacter(index);
      index++;
    }
    const place = this.attributeCount;
    this.#starts[place] = from;
    this.#ends[place] = index;
    this.#areEncoded[place] = isEncoded;
    return index + 1;
  }

  #addName(name: XmlName): void {
    if (name.declares !== undefined) this.#hasDeclarations = true;
    else if (name.prefix !== '') this.#hasPrefixes = true;
    this.#names[this.attributeCount] = name;
    this.attributeCount += 1;
  }

  /** At the `>` or `/` that ends the tag. */
  #finish(at: number, byte: number, depth: number): number {
    const window = this.#window;
    this.isEmpty = byte === SLASH;
    const last = this.isEmpty ? at + 1 : at;
    if (last === window.end) return INCOMPLETE;
    if (window.bytes[last] !== GREATER_THAN) {
      window.fail('forward-slash in opening tag not followed by >', last);
    }
    if (this.#hasDeclarations) this.#declare(depth, last);
    this.namespace = this.#elementNamespace(last);
    if (this.attributeCount > 1) this.#refuseDuplicates(last);
    if (this.#hasPrefixes) this.#checkPrefixes(last);
    return last + 1;
  }

  #declare(depth: number, last: number): void {
    for (let index = 0; index < this.attributeCount; index++) {
      const { declares } = this.attributeName(index);
      if (declares === undefined) continue;
      this.#namespaces.declare(declares, this.attributeValue(index), depth, this.#window, last);
    }
  }

  #elementNamespace(last: number): string {
    const { prefix } = this.name;
    if (prefix === '') return this.#namespaces.default;
    if (prefix === 'xmlns') this.#window.fail('tags may not have "xmlns" as prefix', last);
    return this.#namespaces.of(prefix) ?? this.#unbound(prefix, last);
  }

  #unbound(prefix: string, last: number): never {
    return this.#window.fail(`unbound namespace prefix: ${JSON.stringify(prefix)}`, last);
  }

  #refuseDuplicates(last: number): void {
    const count = this.attributeCount;
    if (count > FEW) {
      const seen = new Set<string>();
      for (let index = 0; index < count; index++) {
        const { qualified } = this.attributeName(index);
        if (seen.has(qualified)) this.#duplicate(qualified, last);
        seen.add(qualified);
      }
      return;
    }
    for (let index = 1; index < count; index++) {
      const { qualified } = this.attributeName(index);
      for (let other = 0; other < index; other++) {
        if (this.#names[other]?.qualified === qualified) this.#duplicate(qualified, last);
      }
    }
  }

  /** Each prefix is bound, and no two attributes are the same by namespace and local name. */
  #checkPrefixes(last: number): void {
    const seen = new Set<string>();
    for (let index = 0; index < this.attributeCount; index++) {
      const { prefix, local, declares } = this.attributeName(index);
      if (prefix === '' || declares !== undefined) continue;
      const namespace = this.#namespaces.of(prefix) ?? this.#unbound(prefix, last);
      const expanded = `{${namespace}}${local}`;
      if (seen.has(expanded)) this.#duplicate(expanded, last);
      seen.add(expanded);
    }
  }

  #duplicate(name: string, last: number): never {
    return this.#window.fail(`duplicate attribute: ${name}`, last);
  }

  #nameBetween(from: number, to: number): XmlName {
    return nameAt(this.#window, from, to);
  }
}

/** Up to this number, comparing each name with each is faster than a set. */
const FEW = 8;

/** The index after the bytes of a name. */
export function nameEnd(bytes: Uint8Array, from: number): number {
  const isNameByte = NAME_BYTES;
  let index = from;
  while (isNameByte[bytes[index] ?? 0] === 1) index++;
  return index;
}
