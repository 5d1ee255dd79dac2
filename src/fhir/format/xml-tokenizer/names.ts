/** The names of elements and attributes, created once and found again by their bytes; and their namespaces. */
import type { Window } from './window.ts';

/** A qualified name: https://www.w3.org/TR/xml-names/#NT-QName */
export interface XmlName {
  readonly qualified: string;
  /** Empty if the name has none. */
  readonly prefix: string;
  readonly local: string;
  /**
   * The prefix that an attribute of this name binds to a namespace; empty for the default
   * namespace, undefined for a name that declares nothing.
   */
  readonly declares: string | undefined;
  readonly bytes: Uint8Array;
}

/** The name whose bytes are between two indexes. Throws an XmlError if it is not valid. */
export function nameAt(window: Window, from: number, to: number): XmlName {
  const { bytes } = window;
  const slot = slotOf(bytes, from, to);
  const known = cache[slot];
  if (known !== undefined && isNameAt(known, bytes, from, to)) return known;
  const name = createName(window, from, to);
  if (to - from <= CACHED_BYTES_MAX) cache[slot] = name;
  return name;
}

/** Whether these bytes are those of the name. */
export function isNameAt({ bytes }: XmlName, text: Uint8Array, from: number, to: number): boolean {
  const { length } = bytes;
  if (to - from !== length) return false;
  for (let index = 0; index < length; index++) {
    if (bytes[index] !== text[from + index]) return false;
  }
  return true;
}

/**
 * Each slot holds the last name of its hash, for all documents: a document with many names cannot
 * make the cache larger or slower.
 */
const SLOT_BITS = 12;
const CACHED_BYTES_MAX = 64;
const cache: (XmlName | undefined)[] = new Array<XmlName | undefined>(1 << SLOT_BITS).fill(
  undefined,
);

/** A hash of the length and of four bytes, which tell the names of a vocabulary apart. */
function slotOf(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from] ?? 0;
  const middle = bytes[(from + to) >>> 1] ?? 0;
  const last = (bytes[to - 1] ?? 0) + ((bytes[to - 2] ?? 0) << 8);
  const hash = Math.imul((first << 16) ^ (middle << 22) ^ last ^ ((to - from) << 27), 0x9e3779b1);
  return hash >>> (32 - SLOT_BITS);
}

function createName(window: Window, from: number, to: number): XmlName {
  const qualified = window.bytes.toString('utf8', from, to);
  const colon = qualified.indexOf(':');
  const prefix = qualified.slice(0, Math.max(0, colon));
  const local = qualified.slice(colon + 1);
  if (!ncName.test(local) || (colon >= 0 && !ncName.test(prefix))) {
    window.fail(`malformed name: ${qualified}`, to);
  }
  const declares = prefix === 'xmlns' ? local : qualified === 'xmlns' ? '' : undefined;
  const bytes = Uint8Array.prototype.slice.call(window.bytes, from, to);
  return { qualified, prefix, local, declares, bytes };
}

/** https://www.w3.org/TR/xml-names/#NT-NCName, which is `Name` of XML 1.0 without the colon. */
const ncNameStart =
  'A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d' +
  '\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const ncName = new RegExp(
  `^[${ncNameStart}][${ncNameStart}\\-.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040]*$`,
  'u',
);

/** Whether a text is a name without a colon. */
export function isNcName(text: string): boolean {
  return ncName.test(text);
}

export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const DECLARATION_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

/** https://www.w3.org/TR/xml-names/ */
export class Namespaces {
  /** The namespace of elements without a prefix. */
  default = '';
  readonly #bindings = new Map([['xml', XML_NAMESPACE]]);
  /** The bindings that open elements have replaced, with the depth of the element. */
  readonly #replaced: { depth: number; prefix: string; namespace: string | undefined }[] = [];
  /** The depth of the last entry of `#replaced`. */
  #lastDepth = -1;

  /** Binds a prefix, or the default namespace, until the element at this depth ends. */
  declare(prefix: string, namespace: string, depth: number, window: Window, index: number): void {
    const problem = problemOf(prefix, namespace);
    if (problem !== undefined) window.fail(problem, index);
    const before = prefix === '' ? this.default : this.#bindings.get(prefix);
    this.#replaced.push({ depth, prefix, namespace: before });
    this.#lastDepth = depth;
    this.#bind(prefix, namespace);
  }

  /** The namespace of a prefix that is not empty; undefined if it is not bound. */
  of(prefix: string): string | undefined {
    return this.#bindings.get(prefix);
  }

  /** Restores the bindings that the element at this depth replaced. */
  leave(depth: number): void {
    if (this.#lastDepth < depth) return;
    let last = this.#replaced.at(-1);
    while (last !== undefined && last.depth >= depth) {
      this.#bind(last.prefix, last.namespace);
      this.#replaced.pop();
      last = this.#replaced.at(-1);
    }
    this.#lastDepth = last?.depth ?? -1;
  }

  #bind(prefix: string, namespace: string | undefined): void {
    if (prefix === '') this.default = namespace ?? '';
    else if (namespace === undefined) this.#bindings.delete(prefix);
    else this.#bindings.set(prefix, namespace);
  }
}

/** The problem of a declaration: https://www.w3.org/TR/xml-names/#xmlReserved */
function problemOf(prefix: string, namespace: string): string | undefined {
  if (prefix === 'xmlns') return 'the prefix xmlns must not be declared';
  if (namespace === DECLARATION_NAMESPACE) {
    return `no prefix may be bound to ${DECLARATION_NAMESPACE}`;
  }
  if ((prefix === 'xml') !== (namespace === XML_NAMESPACE)) {
    return `the prefix xml, and no other, must be bound to ${XML_NAMESPACE}`;
  }
  if (prefix !== '' && namespace === '') return 'invalid attempt to undefine prefix in XML 1.0';
  return undefined;
}
