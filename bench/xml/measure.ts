/**
 * Measures how fast XML is read, and prints the figures as JSON:
 * `node bench/xml/measure.ts --file RELEASE.xml`
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SAXParser, SaxEventType, Tag, Text } from 'sax-wasm';
import { SaxesParser } from 'saxes';
import type { SourceReceiver } from '../../src/directory/record/source.ts';
import { dstu2 } from '../../src/fhir/definitions/published.ts';
import { decodeJson, encodeJson } from '../../src/fhir/format/json.ts';
import { decodeXml, encodeXml } from '../../src/fhir/format/xml.ts';
import { XmlTokenizer } from '../../src/fhir/format/xml-tokenizer/tokenizer.ts';
import { readRelease } from '../../src/sources/release-file/read-release.ts';
import { ROOT } from '../data.ts';

export interface XmlFigures {
  readonly megabytes: number;
  /** CPU seconds of each reader of the release. */
  readonly readers: Readonly<Record<string, number>>;
  /** Microseconds of CPU for an order response in each format. */
  readonly bodies: Readonly<Record<'xml' | 'json', number>>;
}

const { values } = parseArgs({ options: { file: { type: 'string', default: '' } } });
/** The cheapest run counts, because other programs disturb the measurement. */
const RUNS = 5;
const PIECE_BYTES = 65_536;
const BODIES = 2_000;

const bytes = readFileSync(values.file);
const pieces: Buffer[] = [];
for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
  pieces.push(bytes.subarray(at, at + PIECE_BYTES));
}

const SAX_WASM = readFileSync(fileURLToPath(import.meta.resolve('sax-wasm/lib/sax-wasm.wasm')));

const NO_RECEIVER: SourceReceiver = {
  manifest: () => {},
  codeSystems: () => {},
  record: () => {},
  keep: () => {},
  leftOut: () => {},
  leftOutArchive: () => {},
  warning: () => {},
  progress: () => {},
};

const figures: XmlFigures = {
  megabytes: bytes.length / 1e6,
  readers: {
    'the tokenizer, tags and texts': await leastCpu(RUNS, () => tokenize(false)),
    'the tokenizer, every value as a string': await leastCpu(RUNS, () => tokenize(true)),
    'the release reader, records included': await leastCpu(RUNS, readRecords),
    saxes: await leastCpu(2, readWithSaxes),
    'sax-wasm': await leastCpu(2, readWithSaxWasm),
  },
  bodies: await bodyCosts(),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

function tokenize(isEveryValue: boolean): number {
  let length = 0;
  const tokenizer = new XmlTokenizer({
    open: (tag) => {
      if (!isEveryValue) return;
      for (let i = 0; i < tag.attributeCount; i++) length += tag.attributeValue(i).length;
    },
    close: () => {},
    text: (textLength, text) => {
      length += isEveryValue ? text().length : textLength;
    },
    doctype: () => {
      throw new Error('a release has no DOCTYPE');
    },
  });
  for (const piece of pieces) tokenizer.write(piece);
  tokenizer.end();
  return length;
}

/** The mode that the tokenizer replaced. */
function readWithSaxes(): number {
  let length = 0;
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('opentag', ({ attributes }) => {
    for (const { value } of Object.values(attributes)) length += value.length;
  });
  parser.on('text', (text) => {
    length += text.length;
  });
  for (const piece of pieces) parser.write(piece.toString());
  parser.close();
  return length;
}

/** Its tags are views of its memory, so a value becomes a string when it is asked for. */
async function readWithSaxWasm(): Promise<number> {
  let length = 0;
  const parser = new SAXParser(SaxEventType.OpenTag | SaxEventType.CloseTag | SaxEventType.Text);
  parser.eventHandler = (type, detail) => {
    if (detail instanceof Text) length += detail.value.length;
    if (type !== SaxEventType.OpenTag || !(detail instanceof Tag)) return;
    for (const { value } of detail.attributes) length += value.value.length;
  };
  await parser.prepareWasm(SAX_WASM);
  for (const piece of pieces) parser.write(piece);
  parser.end();
  return length;
}

async function readRecords(): Promise<void> {
  const document = { name: 'release', chunks: pieces, bytesBefore: 0, bytesTotal: () => undefined };
  await readRelease(document, NO_RECEIVER);
}

async function bodyCosts(): Promise<XmlFigures['bodies']> {
  const sample = readFileSync(join(ROOT, 'sample', 'order-response.xml'));
  const { resource } = decodeXml(sample, dstu2);
  if (resource === undefined) throw new Error('the sample cannot be read');
  const xml = Buffer.from(encodeXml(resource, dstu2));
  const json = Buffer.from(encodeJson(resource));
  const each = async (decode: () => unknown) => {
    const seconds = await leastCpu(4 * RUNS, () => {
      for (let i = 0; i < BODIES; i++) decode();
    });
    return (seconds * 1e6) / BODIES;
  };
  return {
    xml: await each(() => decodeXml(xml, dstu2)),
    json: await each(() => decodeJson(json, dstu2)),
  };
}

async function leastCpu(runs: number, run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; i++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}
