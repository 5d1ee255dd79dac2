/** Writes elements of the release file as XML, without white space between them. */
import { escapeXmlAttribute, escapeXmlText } from '../../fhir/format/xml-text.ts';
import type { ReleaseElement } from './organisation-element.ts';

/** Values that are attributes of their element. All others are child elements. */
const ATTRIBUTES = new Set([
  ...['orgRecordClass', 'refOnly', 'root', 'assigningAuthorityName', 'extension'],
  ...['type', 'value', 'id', 'uniqueRoleId', 'uniqueRelId', 'uniqueSuccId'],
  ...['primaryRole', 'forwardSuccession'],
]);

/** Child elements that hold their value in an attribute `value`, not as text. */
const VALUE_ELEMENTS = new Set(['Start', 'End', 'Status', 'LastChangeDate']);

export function elementXml(name: string, element: ReleaseElement): string {
  let attributes = '';
  let children = '';
  for (const [key, value] of Object.entries(element)) {
    if (isList(value)) {
      for (const one of value) children += elementXml(key, one);
    } else if (typeof value === 'object') {
      children += elementXml(key, value);
    } else if (ATTRIBUTES.has(key)) {
      attributes += attribute(key, String(value));
    } else if (VALUE_ELEMENTS.has(key) || (key === 'Type' && name === 'Date')) {
      children += `<${key}${attribute('value', String(value))}/>`;
    } else {
      children += `<${key}>${escapeXmlText(String(value))}</${key}>`;
    }
  }
  if (children === '') return `<${name}${attributes}/>`;
  return `<${name}${attributes}>${children}</${name}>`;
}

function attribute(name: string, value: string): string {
  return ` ${name}="${escapeXmlAttribute(value)}"`;
}

function isList(value: ReleaseElement[string]): value is readonly ReleaseElement[] {
  return Array.isArray(value);
}
