/** Makes texts that XML can hold. */

const special = /[&<>]/;
const attributeSpecial = /[&<"\t\n\r]/;

/**
 * Escapes a text for an attribute in double quotes. Tabs and line breaks become character
 * references, because readers replace plain ones by spaces.
 */
export function escapeXmlAttribute(text: string): string {
  if (!attributeSpecial.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}

/** Escapes a text between tags. A reader would turn a plain carriage return into a line feed. */
export function escapeXmlText(text: string): string {
  if (!special.test(text) && !text.includes('\r')) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Has U+FFFD in place of each character that XML, and so a FHIR string, cannot hold. */
export function asXmlText(text: string): string {
  return text.toWellFormed().replace(NOT_XML, '\u{FFFD}');
}

/** https://www.w3.org/TR/xml/#charsets */
const NOT_XML = /[^\t\n\r\u{20}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
