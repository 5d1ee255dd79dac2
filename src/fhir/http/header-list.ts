/**
 * Parses headers that are lists: elements, parameters, quoted strings and weights (RFC 9110,
 * sections 5.6 and 12.4.2), and entity tags (section 8.8.3). The time is linear in the length of
 * the header, which the listener limits.
 */

/** An element of a list, such as `text/html;q=0.5`. */
export interface HeaderElement {
  /** The text before the first semicolon, as sent. */
  readonly text: string;
  /** The first value of each parameter, without quotation marks, by its name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The elements of a list. Empty elements are left out. */
export function parseHeaderList(header: string): HeaderElement[] {
  return splitOutsideQuotes(header, ',')
    .filter((element) => element !== '')
    .map(parseHeaderElement);
}

/** An element of a list, or a header with one value and parameters, such as Content-Type. */
export function parseHeaderElement(element: string): HeaderElement {
  if (!element.includes(';')) return { text: element.trim(), parameters: NO_PARAMETERS };
  const [text = '', ...rest] = splitOutsideQuotes(element, ';');
  // In reverse, so that the first of repeated parameters remains.
  return { text, parameters: new Map(rest.map(parseHeaderParameter).reverse()) };
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** The name in lower case, and the value without quotation marks: `handling="strict"`. */
export function parseHeaderParameter(parameter: string): [name: string, value: string] {
  const equals = parameter.indexOf('=');
  if (equals < 0) return [parameter.trim().toLowerCase(), ''];
  const value = parameter.slice(equals + 1).trim();
  return [parameter.slice(0, equals).trim().toLowerCase(), unquoted(value)];
}

/** The weight `q` from 0 to 1: 1 if it is absent, and `invalidWeight` if it is not a number. */
export function weightOf({ parameters }: HeaderElement, invalidWeight: 0 | 1): number {
  const weight = Number.parseFloat(parameters.get('q') ?? '1');
  return Number.isNaN(weight) ? invalidWeight : Math.min(1, Math.max(0, weight));
}

/**
 * The opaque tags of `W/"1", "2"`, without quotation marks; undefined if the header is not a list
 * of entity tags. `*` stands for every tag.
 */
export function parseEntityTags(header: string): readonly string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  let end = 0;
  ENTITY_TAG.lastIndex = 0;
  for (let found = ENTITY_TAG.exec(header); found !== null; found = ENTITY_TAG.exec(header)) {
    tags.push(found[1] ?? '');
    end = ENTITY_TAG.lastIndex;
  }
  const isWhole = end === header.length || /^[\s,]*$/.test(header.slice(end));
  return tags.length > 0 && isWhole ? tags : undefined;
}

/** An element with the commas before it. A backslash in a tag does not escape the next character. */
const ENTITY_TAG = /[\s,]*(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?=,|$)/y;

/**
 * The parts between separators, without surrounding spaces. A quoted string without its end
 * reaches to the end of the text.
 */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') i += 1;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

/** The content of a quoted string; any other value as it is. */
function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  return value.slice(1).replace(/"$/, '').replaceAll(/\\(.)/g, '$1');
}
