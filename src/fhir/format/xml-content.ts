/** Turns the elements of an XML body into the JSON form of FHIR, and reports faults of the XML form. */

import type { PropertyDefinition, TypeDefinition } from '../definitions/definitions.ts';
import { addFinding, isSecret, nameStep, type PathStep, quote } from './findings.ts';
import { writeNarrative, XHTML_NAMESPACE } from './narrative.ts';
import { type FhirObject, type FhirValue, numberOf } from './resource.ts';
import type { Validation } from './slots.ts';
import type { XmlAttribute, XmlElement } from './xml-reader.ts';

export const FHIR_NAMESPACE = 'http://hl7.org/fhir';

type XmlContent = Pick<Validation, 'definitions' | 'findings' | 'budget'>;

/** The JSON form of a resource element, with unchecked values; undefined for another element. */
export function readXmlResource(element: XmlElement, content: XmlContent): FhirObject | undefined {
  const { definitions, findings } = content;
  if (element.namespace !== FHIR_NAMESPACE) {
    const text = `${quote(element.name)} is not in the namespace ${FHIR_NAMESPACE}.`;
    addFinding(findings, 'structure', text, nameStep(element.name), element.offset);
    return undefined;
  }
  const raw: RawObject = { resourceType: element.name };
  const type = definitions.resource(element.name);
  if (type === undefined) return raw;
  findings.path.push(element.name);
  readAttributes(element, type, raw, content);
  readChildren(element, type, raw, content);
  findings.path.pop();
  return raw;
}

/** An object whose properties have names of the definitions. */
type RawObject = Record<string, FhirValue | undefined>;

function readAttributes(
  element: XmlElement,
  type: TypeDefinition,
  raw: RawObject,
  content: XmlContent,
): void {
  for (const attribute of element.attributes) {
    const property = type.properties.get(attribute.name);
    if (attribute.namespace === '' && property?.element.isAttribute === true) {
      raw[property.name] = collapse(property, attribute.value);
    } else {
      refuseAttribute(attribute, element, content);
    }
  }
}

function refuseAttribute(attribute: XmlAttribute, element: XmlElement, content: XmlContent): void {
  const text = `${element.name} has no attribute ${quote(attribute.name)}.`;
  addFinding(content.findings, 'structure', text, [], element.offset);
}

function readChildren(
  element: XmlElement,
  type: TypeDefinition,
  raw: RawObject,
  content: XmlContent,
): void {
  const { findings } = content;
  const seen = new Set<PropertyDefinition>();
  let last: PropertyDefinition | undefined;
  for (const child of element.content) {
    if (typeof child === 'string') {
      checkSpace(child, element, content);
      continue;
    }
    const property = type.properties.get(child.name);
    if (property === undefined || property.element.isAttribute) {
      const text = `${quote(child.name)} is not an element of ${type.name}.`;
      addFinding(findings, 'structure', text, nameStep(child.name), child.offset);
      continue;
    }
    const namespace = property.form === 'xhtml' ? XHTML_NAMESPACE : FHIR_NAMESPACE;
    if (child.namespace !== namespace) {
      const text = `${child.name} is not in the namespace ${namespace}.`;
      addFinding(findings, 'structure', text, [property], child.offset);
      findings.isWhole = false;
      continue;
    }
    const path = pathOf(property, raw);
    if (last !== undefined && last.rank > property.rank && last.element !== property.element) {
      const text = `${property.name} must come before ${last.name} in ${type.name}.`;
      addFinding(findings, 'structure', text, path, child.offset);
    } else {
      last = property;
    }
    if (seen.has(property) && !property.repeats) {
      const text = `${property.name} does not repeat in ${type.name}.`;
      addFinding(findings, 'structure', text, path, child.offset);
      findings.isWhole = false;
      continue;
    }
    seen.add(property);
    findings.path.push(...path);
    if (property.form === 'primitive') readPrimitive(child, property, raw, content);
    else addValue(raw, property, readContent(child, property, content));
    findings.path.length -= path.length;
  }
  for (const property of seen) dropNulls(raw, property);
}

function pathOf(property: PropertyDefinition, raw: RawObject): readonly PathStep[] {
  if (!property.repeats) return [property];
  const items = raw[property.name];
  return [property, Array.isArray(items) ? items.length + 1 : 1];
}

function readContent(
  element: XmlElement,
  property: PropertyDefinition,
  content: XmlContent,
): FhirValue | undefined {
  switch (property.form) {
    case 'resource':
      return readContainer(element, content);
    case 'xhtml': {
      const { div, problems } = writeNarrative(element, content.budget.limits);
      for (const problem of problems) {
        addFinding(content.findings, 'structure', problem, [], element.offset);
      }
      // The narrative exists, and its problems are already reported.
      return div ?? null;
    }
    default: {
      const type = content.definitions.type(property.type);
      if (type === undefined) throw new Error(`The definitions lack the type ${property.type}.`);
      const raw: RawObject = {};
      readAttributes(element, type, raw, content);
      readChildren(element, type, raw, content);
      return raw;
    }
  }
}

/** Reads an element that contains one resource, such as `contained`. */
function readContainer(element: XmlElement, content: XmlContent): FhirValue | undefined {
  const resources: XmlElement[] = [];
  for (const child of element.content) {
    if (typeof child === 'string') checkSpace(child, element, content);
    else resources.push(child);
  }
  for (const attribute of element.attributes) refuseAttribute(attribute, element, content);
  const [resource] = resources;
  if (resource === undefined || resources.length > 1) {
    const text = `${element.name} holds exactly one resource, not ${resources.length}.`;
    addFinding(content.findings, 'structure', text, [], (resources[1] ?? element).offset);
    content.findings.isWhole = false;
    return undefined;
  }
  return readXmlResource(resource, content);
}

function readPrimitive(
  element: XmlElement,
  property: PropertyDefinition,
  raw: RawObject,
  content: XmlContent,
): void {
  const type = content.definitions.type('Element');
  if (type === undefined) throw new Error('The definitions lack the type Element.');
  let value: FhirValue | undefined;
  let hasSibling = false;
  const sibling: RawObject = {};
  for (const attribute of element.attributes) {
    if (attribute.namespace === '' && attribute.name === 'value') {
      value = jsonValue(property, attribute.value);
    } else if (attribute.namespace === '' && attribute.name === 'id') {
      sibling.id = attribute.value;
      hasSibling = true;
    } else {
      refuseAttribute(attribute, element, content);
    }
  }
  if (element.content.length > 0) {
    readChildren(element, type, sibling, content);
    hasSibling ||= sibling.extension !== undefined;
  }
  if (!property.repeats) {
    raw[property.name] = value;
    // An empty element is kept, so that `validate` reports it.
    if (hasSibling || value === undefined) raw[property.sibling] = sibling;
    return;
  }
  append(raw, property.name, value ?? null);
  append(raw, property.sibling, hasSibling ? sibling : null);
}

function addValue(
  raw: RawObject,
  property: PropertyDefinition,
  value: FhirValue | undefined,
): void {
  if (property.repeats) append(raw, property.name, value);
  else raw[property.name] = value;
}

function append(raw: RawObject, name: string, value: FhirValue | undefined): void {
  const items = raw[name];
  if (Array.isArray(items)) items.push(value);
  else raw[name] = [value];
}

/** Removes the siblings of a repeating primitive if all of them are null. */
function dropNulls(raw: RawObject, property: PropertyDefinition): void {
  if (property.form !== 'primitive' || !property.repeats) return;
  const siblings = raw[property.sibling];
  if (Array.isArray(siblings) && siblings.every((item) => item === null)) {
    raw[property.sibling] = undefined;
  }
}

/** The JSON value of an attribute. A text that is not valid stays a text, and is refused later. */
function jsonValue(property: PropertyDefinition, attribute: string): FhirValue {
  const text = collapse(property, attribute);
  switch (property.primitive?.json) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'number':
      return jsonNumberPattern.test(text) ? numberOf(text) : text;
    default:
      return text;
  }
}

const jsonNumberPattern = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Removes white space around a value if the schema of its type collapses white space. */
function collapse(property: PropertyDefinition, text: string): string {
  if (property.primitive?.collapses !== true) return text;
  // A regular expression would take quadratic time on a long run of spaces inside the text.
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

const notSpace = /[^ \t\r\n]/;

function checkSpace(text: string, element: XmlElement, { findings }: XmlContent): void {
  if (!notSpace.test(text)) return;
  const shown = isSecret(findings) ? 'text' : `the text ${quote(text.trim())}`;
  const problem = `${element.name} has ${shown}. FHIR allows text only in attributes.`;
  addFinding(findings, 'structure', problem, [], element.offset);
}
