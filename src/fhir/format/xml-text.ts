/** Text as XML writes it. */

const special = /[&<>]/;
const attributeSpecial = /[&<"\t\n\r]/;

/**
 * For an attribute in double quotes. Tabs and line breaks become character references: as they
 * are, the next reader would turn them into spaces.
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

/** For text between tags. A reader would turn a carriage return into a line feed. */
export function escapeXmlText(text: string): string {
  if (!special.test(text) && !text.includes('\r')) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
