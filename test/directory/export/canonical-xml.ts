/** XML as a tree in a canonical form, and what an import changes in an Organisation element. */
import { XmlTokenizer } from '../../../src/fhir/format/xml-tokenizer/tokenizer.ts';

export interface XmlNode {
  readonly name: string;
  /** In the order of their names. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly children: readonly XmlNode[];
}

/** The root element. Text beside child elements is white space, which does not count. */
export function parseXml(xml: string): XmlNode {
  const root: OpenNode = { name: '', attributes: [], text: '', children: [] };
  const open = [root];
  const tokenizer = new XmlTokenizer(
    {
      doctype: () => assertNever(),
      text: (_length, text) => {
        open.at(-1)!.text += text();
      },
      open: (tag) => {
        const attributes = Array.from({ length: tag.attributeCount }, (_, index) => {
          const value = tag.attributeValue(index);
          return [tag.attributeName(index).qualified, value] as const;
        }).sort(([one], [other]) => (one < other ? -1 : 1));
        const node = { name: tag.name.qualified, attributes, text: '', children: [] };
        open.at(-1)!.children.push(node);
        open.push(node);
      },
      close: () => {
        const node = open.pop()!;
        if (node.children.length > 0) node.text = node.text.trim();
      },
    },
    { tokenBytesMax: 1 << 20, refuseToken: assertNever },
  );
  tokenizer.write(Buffer.from(xml));
  tokenizer.flush();
  tokenizer.end();
  return root.children[0]!;
}

/** The Organisation elements by code, without the codes that several have. */
export function organisationsIn(xml: string): ReadonlyMap<string, XmlNode> {
  const root = parseXml(xml.replace(/^\uFEFF/, ''));
  const list = root.children.find(({ name }) => name === 'Organisations')!;
  const byCode = new Map<string, XmlNode>();
  const repeated = new Set<string>();
  for (const element of list.children) {
    const code = codeOf(element);
    if (byCode.has(code)) repeated.add(code);
    byCode.set(code, element);
  }
  for (const code of repeated) byCode.delete(code);
  return byCode;
}

/**
 * The changes that an import makes in an element without a warning: it trims text, closes gaps
 * in the address, puts the primary role first and Operational dates before Legal ones, and drops
 * contacts without a value and empty lists.
 */
export function asImported(element: XmlNode): XmlNode {
  const children = element.children.map(asImported).filter((child) => !isEmpty(child));
  const trimmed = { ...element, text: clean(element.text), children };
  switch (element.name) {
    case 'Location':
      return { ...trimmed, children: withoutGaps(children) };
    case 'Roles':
      return { ...trimmed, children: children.toSorted(compareBy((role) => isPrimary(role))) };
    case 'Organisation':
    case 'Role':
    case 'Rel':
    case 'Succ':
      return { ...trimmed, children: datesInOrder(children) };
    default: {
      const attributes = element.attributes.map(([name, value]) => [name, clean(value)] as const);
      return { ...trimmed, attributes };
    }
  }
}

interface OpenNode {
  name: string;
  attributes: XmlNode['attributes'];
  text: string;
  children: OpenNode[];
}

function codeOf(element: XmlNode): string {
  const id = element.children.find(({ name }) => name === 'OrgId');
  return id?.attributes.find(([name]) => name === 'extension')?.[1] ?? '';
}

function clean(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function isEmpty({ name, attributes, text, children }: XmlNode): boolean {
  if (name === 'Contact') return attributes.some(([key, value]) => key === 'value' && value === '');
  return attributes.length === 0 && text === '' && children.length === 0;
}

function withoutGaps(children: readonly XmlNode[]): readonly XmlNode[] {
  let line = 0;
  return children.map((child) =>
    child.name.startsWith('AddrLn') ? { ...child, name: `AddrLn${++line}` } : child,
  );
}

function datesInOrder(children: readonly XmlNode[]): readonly XmlNode[] {
  const dates = children
    .filter(({ name }) => name === 'Date')
    .toSorted(compareBy((date) => JSON.stringify(date).includes('Operational')));
  let next = 0;
  return children.map((child) => (child.name === 'Date' ? dates[next++]! : child));
}

function isPrimary({ attributes }: XmlNode): boolean {
  return attributes.some(([name]) => name === 'primaryRole');
}

/** Those of which the claim is true come first. */
function compareBy(isFirst: (node: XmlNode) => boolean) {
  return (one: XmlNode, other: XmlNode) => Number(isFirst(other)) - Number(isFirst(one));
}

function assertNever(): never {
  throw new Error('The XML of a test has no DOCTYPE and no long token.');
}
