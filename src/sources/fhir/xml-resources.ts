/** Reads resources from a stream of XML: a Bundle, or a resource that stands alone. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { STU3 } from '../../fhir/fhir-version.ts';
import { startFindings } from '../../fhir/format/findings.ts';
import { startBudget } from '../../fhir/format/limits.ts';
import { validateResource } from '../../fhir/format/validate.ts';
import { FHIR_NAMESPACE, readXmlResource } from '../../fhir/format/xml-content.ts';
import type { XmlAttribute, XmlElement } from '../../fhir/format/xml-reader.ts';
import { ParseError } from '../release-file/parse-error.ts';
import { quoted } from '../release-file/source-text.ts';
import { RESOURCE_BYTES_MAX } from './json-pieces.ts';
import { DEPTH_MAX, ELEMENTS_MAX, type ResourceEvents } from './resource-events.ts';

/** Takes the text in pieces; throws a ParseError where it is not XML, or not FHIR's. */
export class XmlResources {
  readonly #events: ResourceEvents;
  readonly #saxes = new SaxesParser({ xmlns: true, position: false });
  /** The open elements around the resource that is being read, or all that are open. */
  readonly #around: string[] = [];
  #resource: Growing | undefined;
  #entryNumber = 0;
  #hasResource = false;
  #isBundleTold = false;
  #lastUpdated: string | undefined;
  /** Grows with everything the XML parser reports, to notice when it reports nothing. */
  #eventCount = 0;
  #silentLength = 0;

  constructor(events: ResourceEvents) {
    this.#events = events;
    const saxes = this.#saxes;
    // With a seventh handler V8 turns the parser into a dictionary, half as fast (measured).
    saxes.on('opentag', (tag) => this.#open(tag));
    saxes.on('closetag', () => this.#close());
    saxes.on('text', this.#addText);
    saxes.on('cdata', this.#addText);
    saxes.on('doctype', () => {
      throw new ParseError('it has a DOCTYPE, and FHIR has no DTDs and no entities');
    });
    saxes.on('error', (error) => {
      throw new ParseError(error.message.replace(/\.$/, ''));
    });
  }

  write(piece: string): void {
    const before = this.#eventCount;
    this.#saxes.write(piece);
    this.#silentLength = before === this.#eventCount ? this.#silentLength + piece.length : 0;
    // The XML parser gathers a text, comment or tag until its end, however long it is.
    if (this.#silentLength <= 2 * RESOURCE_BYTES_MAX) return;
    throw new ParseError(`a text, comment or tag is longer than ${RESOURCE_BYTES_MAX} characters`);
  }

  /** After the last piece: throws unless the document is complete. */
  end(): void {
    this.#saxes.close();
  }

  #open(tag: SaxesTagNS): void {
    this.#eventCount += 1;
    if (this.#resource !== undefined) {
      grow(this.#resource, tag);
      return;
    }
    const around = this.#around.join('/');
    if (around === '') this.#openRoot(tag);
    else if (around === 'Bundle/entry/resource') this.#begin(tag);
    else this.#openInBundle(tag);
  }

  #openRoot(tag: SaxesTagNS): void {
    const { encoding } = this.#saxes.xmlDecl;
    if (encoding !== undefined && !/^utf-8$/i.test(encoding)) {
      throw new ParseError(`it says that its encoding is ${quoted(encoding)} instead of UTF-8`);
    }
    if (tag.uri !== FHIR_NAMESPACE) {
      throw new ParseError(
        `its root element ${quoted(tag.name)} is not in the namespace ${FHIR_NAMESPACE}`,
      );
    }
    if (tag.local === 'Bundle') this.#around.push('Bundle');
    else this.#begin(tag);
  }

  #openInBundle(tag: SaxesTagNS): void {
    this.#around.push(tag.uri === FHIR_NAMESPACE ? tag.local : tag.name);
    if (this.#around.length > DEPTH_MAX) {
      throw new ParseError(`its elements are nested more than ${DEPTH_MAX} deep`);
    }
    switch (this.#around.join('/')) {
      case 'Bundle/meta/lastUpdated':
        this.#lastUpdated = tag.attributes.value?.value;
        break;
      case 'Bundle/entry':
        if (!this.#isBundleTold) this.#events.bundle(this.#lastUpdated);
        this.#isBundleTold = true;
        this.#entryNumber += 1;
        this.#hasResource = false;
        break;
    }
  }

  #begin(tag: SaxesTagNS): void {
    this.#hasResource = true;
    this.#resource = { open: [], depth: 0, elements: 0, size: 0, root: undefined, problem: '' };
    grow(this.#resource, tag);
  }

  #close(): void {
    this.#eventCount += 1;
    const resource = this.#resource;
    if (resource === undefined) {
      const isEntry = this.#around.length === 2 && this.#around[1] === 'entry';
      if (isEntry && !this.#hasResource) {
        this.#events.leftOut(this.#place(), 'the entry has no resource');
      }
      this.#around.pop();
      return;
    }
    resource.depth -= 1;
    resource.open.pop();
    if (resource.depth > 0) return;
    this.#resource = undefined;
    this.#finish(resource);
  }

  #finish({ root, problem }: Growing): void {
    if (problem !== '' || root === undefined) {
      this.#events.leftOut(this.#place(), problem);
      return;
    }
    const { definitions } = STU3;
    const findings = startFindings();
    const budget = startBudget({ depthMax: DEPTH_MAX, elementsMax: ELEMENTS_MAX });
    const raw = readXmlResource(root, { definitions, findings, budget });
    const resource = raw && validateResource(raw, { definitions, findings, budget, isXml: true });
    this.#events.resource(resource, findings.list, this.#place());
  }

  #place(): string {
    return this.#around.length === 0 ? 'the root element' : `entry ${this.#entryNumber}`;
  }

  readonly #addText = (text: string): void => {
    this.#eventCount += 1;
    const resource = this.#resource;
    if (resource === undefined || resource.problem !== '') return;
    if (!takeSize(resource, text.length)) return;
    resource.open.at(-1)?.content.push(text);
  };
}

/** A resource whose end has not come yet. */
interface Growing {
  readonly open: GrowingElement[];
  depth: number;
  elements: number;
  /** Characters of its names, values and texts. */
  size: number;
  root: XmlElement | undefined;
  /** Why it is too much; from then on nothing of it is kept. */
  problem: string;
}

interface GrowingElement extends XmlElement {
  readonly content: (XmlElement | string)[];
}

function grow(resource: Growing, tag: SaxesTagNS): void {
  resource.depth += 1;
  resource.elements += 1;
  // The XML parser itself keeps what is open.
  if (resource.depth > OPEN_MAX) throw new ParseError('its elements are nested without end');
  if (resource.problem !== '') return;
  if (resource.depth > DEPTH_MAX) refuse(resource, `it is nested more than ${DEPTH_MAX} deep`);
  else if (resource.elements > ELEMENTS_MAX) {
    refuse(resource, `it has more than ${ELEMENTS_MAX} elements`);
  }
  const element = elementOf(tag);
  let size = tag.name.length;
  for (const { name, value } of element.attributes) size += name.length + value.length;
  if (resource.problem !== '' || !takeSize(resource, size)) return;
  if (resource.root === undefined) resource.root = element;
  else resource.open.at(-1)?.content.push(element);
  resource.open.push(element);
}

const OPEN_MAX = 1_000;

function takeSize(resource: Growing, size: number): boolean {
  resource.size += size;
  if (resource.size <= RESOURCE_BYTES_MAX) return true;
  refuse(resource, `it is larger than ${RESOURCE_BYTES_MAX} bytes`);
  return false;
}

function refuse(resource: Growing, problem: string): void {
  resource.problem = problem;
  resource.root = undefined;
  resource.open.length = 0;
}

function elementOf(tag: SaxesTagNS): GrowingElement {
  const attributes: XmlAttribute[] = [];
  for (const name in tag.attributes) {
    const attribute = tag.attributes[name];
    if (attribute === undefined || attribute.uri === DECLARATION_NAMESPACE) continue;
    attributes.push({ namespace: attribute.uri, name: attribute.local, value: attribute.value });
  }
  return { namespace: tag.uri, name: tag.local, attributes, content: [], offset: 0 };
}

const DECLARATION_NAMESPACE = 'http://www.w3.org/2000/xmlns/';
