/** Escapes texts for XML. */

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
