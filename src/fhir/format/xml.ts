/** Decodes FHIR XML to a checked resource, and writes a resource as FHIR XML. */
import type {
  Definitions,
  PropertyDefinition,
  TypeDefinition,
} from '../definitions/definitions.ts';
import type { Finding } from '../request/finding.ts';
import { finish, positionsIn, refusedXml, requireText } from './body.ts';
import { type FoundAt, startFindings } from './findings.ts';
import { ITEMS_PER_PIECE, LEVELS_IN_PIECES } from './json.ts';
import {
  DEFAULT_LIMITS,
  type Limits,
  MalformedBody,
  requireFewMarks,
  startBudget,
} from './limits.ts';
import { canonicalDiv } from './narrative.ts';
import { type AnyResource, type Decoded, isObject, type Position, textOf } from './resource.ts';
import { validateResource } from './validate.ts';
import { readXmlResource } from './xml-content.ts';
import { readXml, type XmlElement } from './xml-reader.ts';
import { escapeXmlAttribute } from './xml-text.ts';

/**
 * Writes the whole document, with a declaration and FHIR as the default namespace. Throws for a
 * property that the definitions do not have.
 */
export function encodeXml(
  resource: AnyResource,
  definitions: Definitions,
  options: { pretty?: boolean } = {},
): string {
  const indent = options.pretty === true ? '\n' : '';
  const root = writeResource(resource, definitions, indent, NAMESPACE);
  return DECLARATION + indent + root + indent;
}

/** The same text in pieces, of which each has a few items of a long list. */
export function* encodeXmlInPieces(
  resource: AnyResource,
  definitions: Definitions,
  options: { pretty?: boolean } = {},
): Generator<string, void, undefined> {
  const indent = options.pretty === true ? '\n' : '';
  yield DECLARATION + indent;
  const { name, type } = resourceType(resource, definitions);
  yield* elementPieces(
    { name, type, value: resource, definitions, indent, attributes: NAMESPACE },
    LEVELS_IN_PIECES,
  );
  yield indent;
}

interface Element {
  readonly name: string;
  readonly value: Properties;
  readonly type: TypeDefinition;
  readonly definitions: Definitions;
  readonly indent: string;
  readonly attributes?: string;
}

function* elementPieces(element: Element, levels: number): Generator<string, void, undefined> {
  const { name, value, type, definitions, indent, attributes = '' } = element;
  const properties = propertiesOf(value, type);
  // An element without content has a tag of another form.
  const isLong = properties.some((property) => mayBeLong(property, value[property.name]));
  if (levels === 0 || !isLong) {
    yield writeElement(name, value, type, definitions, indent, attributes);
    return;
  }
  const deeper = indent === '' ? '' : `${indent}  `;
  let tag = `<${name}${attributes}`;
  for (const property of properties) {
    if (property.element.isAttribute) tag += attributeText(property, value);
  }
  yield `${tag}>`;
  for (const property of properties) {
    if (property.element.isAttribute) continue;
    const member = value[property.name];
    if (isLongList(property, member)) {
      for (let at = 0; at < member.length; at += ITEMS_PER_PIECE) {
        const items = { [property.name]: member.slice(at, at + ITEMS_PER_PIECE) };
        yield writeProperty(property, items, definitions, deeper);
      }
    } else if (mayBeLong(property, member) && isObject(member)) {
      yield deeper;
      const own = definitions.type(property.type)!;
      const inner = { name: property.name, value: member, type: own, definitions, indent: deeper };
      yield* elementPieces(inner, levels - 1);
    } else yield writeProperty(property, value, definitions, deeper);
  }
  yield `${indent}</${name}>`;
}

/** Primitive values can have siblings in another list. */
function isLongList({ form }: PropertyDefinition, value: unknown): value is readonly unknown[] {
  return form !== 'primitive' && Array.isArray(value) && value.length > ITEMS_PER_PIECE;
}

function mayBeLong(property: PropertyDefinition, value: unknown): boolean {
  const isOne = property.form === 'complex' && !property.repeats && isObject(value);
  if (!isOne) return isLongList(property, value);
  return Object.values(value).some((each) => Array.isArray(each) && each.length > ITEMS_PER_PIECE);
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = ' xmlns="http://hl7.org/fhir"';

/** The root element of a document, for a place where the namespace applies already. */
function rootOf(document: string): string {
  return document.replace(DECLARATION, '').replace(NAMESPACE, '');
}

/** `indent` is the text before each tag: nothing, or a line break and spaces. */
function writeResource(
  resource: unknown,
  definitions: Definitions,
  indent: string,
  namespace = '',
): string {
  if (!isObject(resource)) throw new Error('A resource is an object.');
  const { name, type } = resourceType(resource, definitions);
  return writeElement(name, resource, type, definitions, indent, namespace);
}

function resourceType(
  { resourceType: named }: { readonly resourceType?: unknown },
  definitions: Definitions,
): { readonly name: string; readonly type: TypeDefinition } {
  const name = String(named);
  const type = definitions.resource(name);
  if (type === undefined) throw new Error(`FHIR ${definitions.version} has no resource ${name}.`);
  return { name, type };
}

type Properties = Readonly<Record<string, unknown>>;

function writeElement(
  name: string,
  value: Properties,
  type: TypeDefinition,
  definitions: Definitions,
  indent: string,
  attributes = '',
): string {
  let tag = `<${name}${attributes}`;
  let content = '';
  const deeper = indent === '' ? '' : `${indent}  `;
  for (const property of propertiesOf(value, type)) {
    if (property.element.isAttribute) {
      tag += attributeText(property, value);
    } else {
      content += writeProperty(property, value, definitions, deeper);
    }
  }
  return content === '' ? `${tag}/>` : `${tag}>${content}${indent}</${name}>`;
}

function attributeText({ name }: PropertyDefinition, value: Properties): string {
  return ` ${name}="${escapeXmlAttribute(String(value[name]))}"`;
}

/** The properties of the object in the order of the definitions. */
function propertiesOf(value: Properties, type: TypeDefinition): PropertyDefinition[] {
  const properties: PropertyDefinition[] = [];
  let isOrdered = true;
  for (const name of Object.keys(value)) {
    if (value[name] === undefined || (name === 'resourceType' && type.kind === 'resource'))
      continue;
    const isSibling = name.startsWith('_');
    const plain = isSibling ? name.slice(1) : name;
    if (isSibling && value[plain] !== undefined) continue;
    const property = type.properties.get(plain);
    if (property === undefined) throw new Error(`${type.name} has no element ${name}.`);
    isOrdered &&= property.rank > (properties.at(-1)?.rank ?? -1);
    properties.push(property);
  }
  return isOrdered ? properties : properties.sort((a, b) => a.rank - b.rank);
}

function writeProperty(
  property: PropertyDefinition,
  parent: Properties,
  definitions: Definitions,
  indent: string,
): string {
  const value = parent[property.name];
  const sibling = property.form === 'primitive' ? parent[property.sibling] : undefined;
  if (!property.repeats) return writeItem(property, value, sibling, definitions, indent);
  const values = Array.isArray(value) ? value : [];
  const siblings = Array.isArray(sibling) ? sibling : [];
  let text = '';
  for (let index = 0; index < Math.max(values.length, siblings.length); index++) {
    text += writeItem(property, values[index], siblings[index], definitions, indent);
  }
  return text;
}

function writeItem(
  property: PropertyDefinition,
  value: unknown,
  sibling: unknown,
  definitions: Definitions,
  indent: string,
): string {
  const { name, form } = property;
  const deeper = indent === '' ? '' : `${indent}  `;
  switch (form) {
    case 'primitive':
      return indent + writePrimitive(name, value, sibling, definitions, indent);
    case 'resource':
      return [
        `${indent}<${name}>${deeper}`,
        // A text is a resource that `encodeXml` has encoded already.
        typeof value === 'string' ? rootOf(value) : writeResource(value, definitions, deeper),
        `${indent}</${name}>`,
      ].join('');
    case 'xhtml':
      return indent + canonicalDiv(String(value));
    case 'complex': {
      const type = definitions.type(property.type);
      if (type === undefined || !isObject(value)) throw new Error(`${name} is not an object.`);
      return indent + writeElement(name, value, type, definitions, indent);
    }
  }
}

function writePrimitive(
  name: string,
  value: unknown,
  sibling: unknown,
  definitions: Definitions,
  indent: string,
): string {
  const hasValue = value !== undefined && value !== null;
  const attribute = hasValue ? ` value="${escapeXmlAttribute(textOf(value))}"` : '';
  const type = definitions.type('Element');
  if (!isObject(sibling) || type === undefined) return `<${name}${attribute}/>`;
  return writeElement(name, sibling, type, definitions, indent, attribute);
}

/** https://hl7.org/fhir/STU3/xml.html */
export function decodeXml(
  body: Uint8Array,
  definitions: Definitions,
  limits: Partial<Limits> = {},
): Decoded {
  const bytes = requireText(body, 'XML');
  if (!Buffer.isBuffer(bytes)) return bytes;
  const findings = startFindings();
  const budget = startBudget({ ...DEFAULT_LIMITS, ...limits });
  try {
    requireFewMarks(bytes, budget.limits);
    const root = readXml(bytes, budget);
    const raw = readXmlResource(root, { definitions, findings, budget });
    const resource = raw && validateResource(raw, { definitions, findings, budget, isXml: true });
    const offsetOf = (path: string) => locate(path, root);
    const positionAt = positionsIn(bytes);
    const placed = placeFindings(findings.list, offsetOf, positionAt);
    return {
      ...finish(resource, findings, placed),
      positionOf: (path) => positionAt(offsetOf(path)),
    };
  } catch (error) {
    if (error instanceof MalformedBody) return refusedXml(error, bytes);
    throw error;
  }
}

/** Adds line and column to each finding, and sorts the findings by position. */
function placeFindings(
  found: readonly FoundAt[],
  offsetOf: (path: string) => number,
  positionAt: (offset: number) => Position,
): Finding[] {
  if (found.length === 0) return [];
  return found
    .map(({ offset, ...finding }) => ({ finding, offset: offset ?? offsetOf(finding.path) }))
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ finding, offset }) => ({ ...finding, ...positionAt(offset) }));
}

const stepPattern = /^(?:[fh]:)?([\w.-]+)(?:\[(\d+)\])?$/;

/** The offset of the element at a path, or of the nearest one around it. */
function locate(path: string, root: XmlElement): number {
  let element = root;
  for (const step of path.split('/').slice(2)) {
    const [, name, position] = stepPattern.exec(step) ?? [];
    const child = element.content
      .filter((part) => typeof part !== 'string')
      .filter((part) => part.name === name)
      .at(Number(position ?? '1') - 1);
    if (child === undefined) break;
    element = child;
  }
  return element.offset;
}
