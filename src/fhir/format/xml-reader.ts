/** Reads XML into a tree of elements, within the limits of a body. */
import { cut } from './findings.ts';
import { type Budget, MalformedBody, takeElement } from './limits.ts';
import type { StartTag, XmlEvents } from './xml-tokenizer/tag.ts';
import { XmlTokenizer } from './xml-tokenizer/tokenizer.ts';
import { XmlError } from './xml-tokenizer/window.ts';

export interface XmlElement {
  readonly namespace: string;
  /** Without its prefix. */
  readonly name: string;
  /** Without the namespace declarations. */
  readonly attributes: readonly XmlAttribute[];
  /** Elements and text in their order; comments and processing instructions are dropped. */
  readonly content: readonly (XmlElement | string)[];
  /** The byte of the document at which its start tag begins. */
  readonly offset: number;
}

export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

/** An element whose end tag has not been read yet. */
export interface OpenElement extends XmlElement {
  readonly content: (XmlElement | string)[];
}

/**
 * The root element of a text, or of UTF-8 without a byte order mark. Throws MalformedBody, with an
 * offset in bytes, for what is not XML, or not XML that this server accepts.
 */
export function readXml(xml: Uint8Array | string, budget: Budget, depth = 1): XmlElement {
  const bytes = typeof xml === 'string' ? Buffer.from(xml) : xml;
  const reader = new TreeReader(budget, depth);
  try {
    reader.tokenizer.write(bytes);
    reader.tokenizer.end();
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return refuse(`The XML is not well-formed: ${cut(error.message)}.`, error.offset);
  }
  return reader.root ?? refuse('The body is empty.', 0);
}

/** The element of a start tag, still without content. */
export function elementOf(tag: StartTag, offset: number): OpenElement {
  const attributes: XmlAttribute[] = [];
  for (let index = 0; index < tag.attributeCount; index++) {
    const { local, declares } = tag.attributeName(index);
    if (declares !== undefined) continue;
    const namespace = tag.attributeNamespace(index);
    attributes.push({ namespace, name: local, value: tag.attributeValue(index) });
  }
  return { namespace: tag.namespace, name: tag.name.local, attributes, content: [], offset };
}

class TreeReader implements XmlEvents {
  readonly tokenizer = new XmlTokenizer(this);
  root: XmlElement | undefined;
  readonly #budget: Budget;
  readonly #depth: number;
  readonly #open: OpenElement[] = [];
  /** Characters of comments, processing instructions and CDATA sections. */
  #sectionsLength = 0;
  /** Attributes of the tag that is read now. */
  #attributes = 0;

  constructor(budget: Budget, depth: number) {
    this.#budget = budget;
    this.#depth = depth;
  }

  open(tag: StartTag): void {
    const offset = this.tokenizer.tokenStart;
    this.#attributes = 0;
    this.#take();
    const element = elementOf(tag, offset);
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      requireUtf8(this.tokenizer.encoding);
      this.root = element;
    } else {
      parent.content.push(element);
    }
    this.#open.push(element);
  }

  /** Elements and attributes have one limit. Namespace declarations are attributes here. */
  attribute(): void {
    this.#attributes += 1;
    const { attributesMax } = this.#budget.limits;
    if (this.#attributes > attributesMax) {
      const message = `An element has more than ${attributesMax} attributes.`;
      throw new MalformedBody('too-long', message, this.tokenizer.tokenStart);
    }
    this.#take();
  }

  #take(): void {
    takeElement(this.#budget, this.#depth + this.#open.length, this.tokenizer.tokenStart);
  }

  close(): void {
    this.#open.pop();
  }

  text(_length: number, text: () => string): void {
    this.#open.at(-1)?.content.push(text());
  }

  doctype(): never {
    const message = 'A DOCTYPE is not allowed: FHIR has no DTDs and no entities.';
    return refuse(message, this.tokenizer.tokenStart);
  }

  section(bytes: Buffer): void {
    const { sectionsLengthMax } = this.#budget.limits;
    this.#sectionsLength += bytes.toString().length;
    if (this.#sectionsLength <= sectionsLengthMax) return;
    const message = `The comments, processing instructions and CDATA sections have more than ${sectionsLengthMax} characters.`;
    throw new MalformedBody('too-long', message, this.tokenizer.tokenStart);
  }
}

function refuse(message: string, at: number): never {
  throw new MalformedBody('structure', message, at);
}

function requireUtf8(encoding: string | undefined): void {
  if (encoding === undefined || /^utf-8$/i.test(encoding)) return;
  refuse(
    `The XML declaration names the encoding ${cut(encoding)}. FHIR is always UTF-8: send UTF-8.`,
    0,
  );
}
