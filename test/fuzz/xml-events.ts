/** Reads XML with the product's tokenizer, with saxes and with libxml2, as events to compare. */
import { SaxesParser } from 'saxes';
import { validateXML } from 'xmllint-wasm';
import type { StartTag } from '../../src/fhir/format/xml-tokenizer/tag.ts';
import { XmlTokenizer } from '../../src/fhir/format/xml-tokenizer/tokenizer.ts';
import { XmlError } from '../../src/fhir/format/xml-tokenizer/window.ts';

/** What a parser read: its events, one a line, or why it refused the document. */
export type Reading =
  | { readonly events: string; readonly encoding?: string | undefined }
  | { readonly refused: string; readonly offset?: number };

/** Collects events in a form that does not depend on where texts were cut. */
class EventList {
  #lines: string[] = [];
  #text = '';
  #depth = 0;

  open(namespace: string, name: string, attributes: readonly string[]): void {
    this.#endText();
    this.#depth += 1;
    this.#lines.push(`<{${namespace}}${name} ${attributes.join(' ')}`);
  }

  close(): void {
    this.#endText();
    this.#depth -= 1;
    this.#lines.push('>');
  }

  /** saxes reports white space outside the root element, too. */
  text(text: string): void {
    if (this.#depth > 0) this.#text += text;
  }

  toString(): string {
    return this.#lines.join('\n');
  }

  #endText(): void {
    if (this.#text !== '') this.#lines.push(JSON.stringify(this.#text));
    this.#text = '';
  }
}

const attribute = (namespace: string, name: string, value: string) =>
  `{${namespace}}${name}=${JSON.stringify(value)}`;

class DoctypeError extends Error {}

/** Reads with the product's tokenizer, in pieces that end at these offsets. */
export function readWithTokenizer(input: Buffer, cuts: readonly number[] = []): Reading {
  const list = new EventList();
  const tokenizer = new XmlTokenizer({
    open: (tag) => list.open(tag.namespace, tag.name.local, attributesOf(tag)),
    close: () => list.close(),
    text: (_, text) => list.text(text()),
    doctype: () => {
      throw new DoctypeError();
    },
  });
  try {
    let start = 0;
    for (const end of [...cuts, input.length]) {
      tokenizer.write(input.subarray(start, end));
      start = end;
    }
    tokenizer.end();
    return { events: list.toString(), encoding: tokenizer.encoding };
  } catch (error) {
    if (error instanceof DoctypeError) return { refused: DOCTYPE };
    if (error instanceof XmlError) return { refused: error.message, offset: error.offset };
    throw error;
  }
}

/** Why the tokenizer refuses what the other parsers may accept. */
export const DOCTYPE = 'DOCTYPE';

function attributesOf(tag: StartTag): string[] {
  const attributes: string[] = [];
  for (let index = 0; index < tag.attributeCount; index++) {
    const { local, declares } = tag.attributeName(index);
    if (declares !== undefined) continue;
    attributes.push(attribute(tag.attributeNamespace(index), local, tag.attributeValue(index)));
  }
  return attributes;
}

const DECLARATIONS = 'http://www.w3.org/2000/xmlns/';

export function readWithSaxes(input: Buffer): Reading {
  const list = new EventList();
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  parser.on('opentag', (tag) => {
    const attributes = Object.values(tag.attributes)
      .filter(({ uri }) => uri !== DECLARATIONS)
      .map(({ uri, local, value }) => attribute(uri, local, value));
    list.open(tag.uri, tag.local, attributes);
  });
  parser.on('closetag', () => list.close());
  parser.on('text', (text) => list.text(text));
  parser.on('cdata', (text) => list.text(text));
  try {
    parser.write(input.toString()).close();
    return { events: list.toString() };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Reads with libxml2, which writes each document that it could parse; what it wrote is read again
 * for the events. Undefined where libxml2 did not write all of them.
 */
export async function readWithLibxml2(
  inputs: readonly Buffer[],
): Promise<readonly Reading[] | undefined> {
  const xml = inputs.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
  const { normalized, rawOutput } = await validateXML({
    xml,
    normalization: 'format',
    modifyArguments: (words) => [
      '--huge',
      '--encode',
      'UTF-8',
      ...words.filter((word) => word !== '--format'),
    ],
    maxMemoryPages: 16_384,
  });
  const errors = new Map<number, string>();
  const unwritten = new Set<number>();
  for (const [, file, kind = '', message = ''] of rawOutput.matchAll(ERROR)) {
    // Namespaces in XML (section 8) does not make parsers check that names are URIs.
    if (/^xmlns(?::\S+)?: '/.test(message)) continue;
    errors.set(Number(file), errors.get(Number(file)) ?? message);
    if (kind === 'parser') unwritten.add(Number(file));
  }
  const written = normalized.split(DOCUMENT_START).slice(1);
  if (written.length !== inputs.length - unwritten.size) return undefined;
  return inputs.map((_, index) => {
    const text = unwritten.has(index) ? undefined : written.shift();
    const refused = errors.get(index);
    if (refused !== undefined || text === undefined) return { refused: refused ?? 'unknown' };
    return readWithTokenizer(Buffer.from(text));
  });
}

const ERROR = /^(\d+)\.xml:\d+: (parser|namespace) error : (.*)$/gm;
const DOCUMENT_START = /^<\?xml version="1\.[0-9]+" encoding="UTF-8"(?: standalone="\w+")?\?>\n/m;
