/** Reads resources from a stream of XML: the entries of a Bundle, or a single resource. */
import type { Definitions } from '../../fhir/definitions/definitions.ts';
import { startFindings } from '../../fhir/format/findings.ts';
import { startBudget } from '../../fhir/format/limits.ts';
import { validateResource } from '../../fhir/format/validate.ts';
import { FHIR_NAMESPACE, readXmlResource } from '../../fhir/format/xml-content.ts';
import { elementOf, type OpenElement, type XmlElement } from '../../fhir/format/xml-reader.ts';
import type { StartTag, XmlEvents } from '../../fhir/format/xml-tokenizer/tag.ts';
import { XmlTokenizer } from '../../fhir/format/xml-tokenizer/tokenizer.ts';
import { XmlError } from '../../fhir/format/xml-tokenizer/window.ts';
import { ParseError } from '../text/parse-error.ts';
import { quoted } from '../text/source-text.ts';
import {
  DEPTH_MAX,
  ELEMENTS_MAX,
  RESOURCE_BYTES_MAX,
  type ResourceEvents,
  type ResourceKind,
} from './resource-events.ts';

/** Takes the bytes in pieces. Throws a ParseError if they are not well-formed XML, or not FHIR. */
export class XmlResources implements XmlEvents {
  readonly #events: ResourceEvents;
  readonly #definitions: Definitions;
  readonly #tokenizer = new XmlTokenizer(this, {
    // A resource with a tag that is longer than a resource may be is left out.
    tokenBytesMax: 2 * RESOURCE_BYTES_MAX,
    refuseToken: () => {
      throw new ParseError(`a comment or tag is longer than ${RESOURCE_BYTES_MAX} bytes`);
    },
  });
  /** The open elements around the resource that is being read, or all that are open. */
  readonly #around: string[] = [];
  #resource: Growing | undefined;
  #entryNumber = 0;
  #hasResource = false;
  #hasReportedBundle = false;
  #lastUpdated: string | undefined;

  constructor(events: ResourceEvents, { definitions }: ResourceKind) {
    this.#events = events;
    this.#definitions = definitions;
  }

  /** The next bytes of the file: UTF-8, whole characters, no byte order mark. */
  write(piece: Uint8Array): void {
    asParseError(() => this.#tokenizer.write(piece));
  }

  /** After the last piece: throws unless the document is complete. */
  end(): void {
    asParseError(() => this.#tokenizer.end());
  }

  doctype(): never {
    throw new ParseError('it has a DOCTYPE, and FHIR has no DTDs and no entities');
  }

  open(tag: StartTag): void {
    if (this.#resource !== undefined) {
      grow(this.#resource, tag);
      return;
    }
    const around = this.#around.join('/');
    if (around === '') this.#openRoot(tag);
    else if (around === 'Bundle/entry/resource') this.#begin(tag);
    else this.#openInBundle(tag);
  }

  #openRoot(tag: StartTag): void {
    const { encoding } = this.#tokenizer;
    if (encoding !== undefined && !/^utf-8$/i.test(encoding)) {
      throw new ParseError(`it says that its encoding is ${quoted(encoding)} instead of UTF-8`);
    }
    if (tag.namespace !== FHIR_NAMESPACE) {
      throw new ParseError(
        `its root element ${quoted(tag.name.qualified)} is not in the namespace ${FHIR_NAMESPACE}`,
      );
    }
    if (tag.name.local === 'Bundle') this.#around.push('Bundle');
    else this.#begin(tag);
  }

  #openInBundle(tag: StartTag): void {
    const { local, qualified } = tag.name;
    this.#around.push(tag.namespace === FHIR_NAMESPACE ? local : qualified);
    if (this.#around.length > DEPTH_MAX) {
      throw new ParseError(`its elements are nested more than ${DEPTH_MAX} deep`);
    }
    switch (this.#around.join('/')) {
      case 'Bundle/meta/lastUpdated':
        this.#lastUpdated = tag.valueOf('value');
        break;
      case 'Bundle/entry':
        if (!this.#hasReportedBundle) this.#events.bundle(this.#lastUpdated);
        this.#hasReportedBundle = true;
        this.#entryNumber += 1;
        this.#hasResource = false;
        break;
    }
  }

  #begin(tag: StartTag): void {
    this.#hasResource = true;
    this.#resource = { open: [], depth: 0, elements: 0, size: 0, root: undefined, problem: '' };
    grow(this.#resource, tag);
  }

  close(): void {
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
    const definitions = this.#definitions;
    const findings = startFindings();
    const budget = startBudget({ depthMax: DEPTH_MAX, elementsMax: ELEMENTS_MAX });
    const raw = readXmlResource(root, { definitions, findings, budget });
    const resource = raw && validateResource(raw, { definitions, findings, budget, isXml: true });
    this.#events.resource(resource, findings.list, this.#place());
  }

  #place(): string {
    return this.#around.length === 0 ? 'the root element' : `entry ${this.#entryNumber}`;
  }

  text(length: number, text: () => string): void {
    const resource = this.#resource;
    if (resource === undefined || resource.problem !== '') return;
    if (!takeSize(resource, length)) return;
    resource.open.at(-1)?.content.push(text());
  }
}

function asParseError(read: () => void): void {
  try {
    read();
  } catch (error) {
    throw error instanceof XmlError ? new ParseError(error.message) : error;
  }
}

/** A resource whose end tag has not been read yet. */
interface Growing {
  readonly open: OpenElement[];
  depth: number;
  elements: number;
  /** Characters of its names, values and texts. */
  size: number;
  root: XmlElement | undefined;
  /** Why the resource is refused. The reader then drops the rest of it. */
  problem: string;
}

function grow(resource: Growing, tag: StartTag): void {
  resource.depth += 1;
  resource.elements += 1;
  // The tokenizer keeps the names of all open elements.
  if (resource.depth > OPEN_MAX) throw new ParseError('its elements are nested too deeply');
  if (resource.problem !== '') return;
  if (resource.depth > DEPTH_MAX) refuse(resource, `it is nested more than ${DEPTH_MAX} deep`);
  else if (resource.elements > ELEMENTS_MAX) {
    refuse(resource, `it has more than ${ELEMENTS_MAX} elements`);
  }
  if (resource.problem !== '') return;
  const element = elementOf(tag, NO_OFFSET);
  let size = element.name.length;
  for (const { name, value } of element.attributes) size += name.length + value.length;
  if (!takeSize(resource, size)) return;
  if (resource.root === undefined) resource.root = element;
  else resource.open.at(-1)?.content.push(element);
  resource.open.push(element);
}

const OPEN_MAX = 1_000;

/** Findings of a source are reported without their positions. */
const NO_OFFSET = 0;

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
