/** Reads XML text into a tree: strict, namespace-aware, no DOCTYPE, within limits. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { cut } from './findings.ts';
import { type Budget, MalformedBody, takeElement } from './limits.ts';

export interface XmlElement {
  readonly namespace: string;
  /** Without its prefix. */
  readonly name: string;
  /** Without the namespace declarations. */
  readonly attributes: readonly XmlAttribute[];
  /** Elements and text in their order; comments and processing instructions are dropped. */
  readonly content: readonly (XmlElement | string)[];
  /** Where its start tag begins in the text. */
  readonly offset: number;
}

export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const DECLARATION_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

/** The root element. Throws MalformedBody for text that is not XML, or not XML that we take. */
export function readXml(text: string, budget: Budget, depth = 1): XmlElement {
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  const open: OpenElement[] = [];
  let root: OpenElement | undefined;
  let offset = 0;
  const refuse = (message: string, at: number): never => {
    throw new MalformedBody('structure', message, Math.max(0, at));
  };

  parser.on('error', (error) =>
    refuse(`The XML is not well-formed: ${cut(error.message)}`, parser.position - 1),
  );
  parser.on('doctype', () =>
    refuse(
      'A DOCTYPE is not allowed: FHIR has no DTDs and no entities.',
      text.indexOf('<!DOCTYPE'),
    ),
  );
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-8$/i.test(encoding)) {
      refuse(`The XML declaration names the encoding ${cut(encoding)}; FHIR is always UTF-8.`, 0);
    }
  });
  parser.on('opentagstart', (tag) => {
    // The character after the name has been read by now.
    offset = parser.position - tag.name.length - 2;
    takeElement(budget, depth + open.length, offset);
  });
  // Namespace declarations are attributes here.
  parser.on('attribute', () => takeElement(budget, depth + open.length, offset));
  parser.on('opentag', (tag) => {
    const element = openElement(tag, offset);
    if (root === undefined) root = element;
    else open.at(-1)?.content.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  const onText = (part: string) => {
    open.at(-1)?.content.push(part);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.write(text).close();
  return root ?? refuse('The body is empty.', 0);
}

interface OpenElement extends XmlElement {
  readonly content: (XmlElement | string)[];
}

function openElement(tag: SaxesTagNS, offset: number): OpenElement {
  const attributes: XmlAttribute[] = [];
  for (const name in tag.attributes) {
    const attribute = tag.attributes[name];
    if (attribute === undefined || attribute.uri === DECLARATION_NAMESPACE) continue;
    attributes.push({ namespace: attribute.uri, name: attribute.local, value: attribute.value });
  }
  return { namespace: tag.uri, name: tag.local, attributes, content: [], offset };
}
