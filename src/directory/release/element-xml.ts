/** Writes elements of the release file as XML, without white space between them. */
import { escapeXmlAttribute, escapeXmlText } from '../../fhir/format/xml-text.ts';

/** Values that are attributes of their element. All others are child elements. */
const ATTRIBUTES = new Set([
  ...['orgRecordClass', 'refOnly', 'root', 'assigningAuthorityName', 'extension'],
  ...['type', 'value', 'id', 'uniqueRoleId', 'uniqueRelId', 'uniqueSuccId'],
  ...['primaryRole', 'forwardSuccession'],
]);

/** Child elements that hold their value in an attribute `value`, not as text. */
const VALUE_ELEMENTS = new Set(['Start', 'End', 'Status', 'LastChangeDate']);

/** `element` can also be parsed JSON of ORD. Its depth must be limited. */
export function elementXml(name: string, element: object): string {
  let attributes = '';
  let children = '';
  for (const [key, value] of Object.entries(element)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'object') {
        children += elementXml(key, one ?? {});
      } else if (ATTRIBUTES.has(key)) {
        attributes += attribute(key, String(one));
      } else if (VALUE_ELEMENTS.has(key) || (key === 'Type' && name === 'Date')) {
        children += `<${key}${attribute('value', String(one))}/>`;
      } else {
        children += `<${key}>${escapeXmlText(String(one))}</${key}>`;
      }
    }
  }
  if (children === '') return `<${name}${attributes}/>`;
  return `<${name}${attributes}>${children}</${name}>`;
}

function attribute(name: string, value: string): string {
  return ` ${name}="${escapeXmlAttribute(value)}"`;
}
