/** Reads XML text into a tree: strict, namespace-aware, no DOCTYPE, within limits. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { cut } from './findings.ts';
import { type Budget, type Limits, MalformedBody, takeElement } from './limits.ts';

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
  demandShortSections(text, budget.limits);
  // `xmldecl`, `doctype` and `opentagstart` have no handler: with a seventh one V8 turns the parser
  // into a dictionary, which takes five times as long (measured).
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  const open: OpenElement[] = [];
  let root: OpenElement | undefined;
  /** Where the tag that is being read begins; undefined until its first attribute is read. */
  let tagOffset: number | undefined;
  const startOfTag = (): number => {
    tagOffset ??= text.lastIndexOf('<', parser.position - 1);
    return tagOffset;
  };
  const take = (): void => takeElement(budget, depth + open.length, startOfTag());

  parser.on('error', (error) =>
    refuse(`The XML is not well-formed: ${cut(error.message)}`, parser.position - 1),
  );
  // Namespace declarations are attributes here.
  parser.on('attribute', take);
  parser.on('opentag', (tag) => {
    take();
    const element = openElement(tag, startOfTag());
    tagOffset = undefined;
    if (root === undefined) {
      demandUtf8(parser.xmlDecl.encoding);
      root = element;
    } else {
      open.at(-1)?.content.push(element);
    }
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

function refuse(message: string, at: number): never {
  throw new MalformedBody('structure', message, Math.max(0, at));
}

function demandUtf8(encoding: string | undefined): void {
  if (encoding === undefined || /^utf-8$/i.test(encoding)) return;
  refuse(
    `The XML declaration names the encoding ${cut(encoding)}. FHIR is always UTF-8: send UTF-8.`,
    0,
  );
}

/** Throws MalformedBody for a DOCTYPE, and where comments and the like are too long in all. */
function demandShortSections(text: string, { sectionsLengthMax }: Limits): void {
  const starts = new RegExp(SECTION_START, 'g');
  let length = 0;
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const end = SECTION_ENDS.get(found[0]);
    if (end === undefined) {
      refuse('A DOCTYPE is not allowed: FHIR has no DTDs and no entities.', found.index);
    } else {
      const at = text.indexOf(end, starts.lastIndex);
      const after = at < 0 ? text.length : at + end.length;
      length += after - found.index;
      starts.lastIndex = after;
    }
    if (length <= sectionsLengthMax) continue;
    const message = `The comments, processing instructions and CDATA sections have more than ${sectionsLengthMax} characters.`;
    throw new MalformedBody('too-long', message, found.index);
  }
}

const SECTION_START = /<!--|<\?|<!\[CDATA\[|<!DOCTYPE/;
const SECTION_ENDS = new Map([
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
]);

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
