/** Which namespace each prefix is bound to, as elements begin and end. */
import type { Window } from './window.ts';

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
