/**
 * Measures what the body of an organisation costs, from templates and through the codec, and
 * prints the figures as JSON: `node bench/engine/bodies.ts --data FOLDER`
 */
import { parseArgs } from 'node:util';
import { randomFor } from '../../scripts/release/random.ts';
import { STU3 } from '../../src/fhir/definitions/fhir-version.ts';
import { encodeJson } from '../../src/fhir/format/json.ts';
import { encodeXml } from '../../src/fhir/format/xml.ts';
import { gzip } from '../../src/fhir/http/gzip.ts';
import { ByteWriter } from '../../src/interfaces/answer/byte-writer.ts';
import type { Templates } from '../../src/interfaces/answer/templates.ts';
import { openSample, renderSample } from '../data.ts';
import { spreadOf } from '../figures.ts';

export interface BodyFigures {
  readonly name: string;
  readonly microseconds: number;
  readonly bytes: number;
}

const { values } = parseArgs({ options: { data: { type: 'string', default: 'data' } } });
const edition = await openSample(values.data);
const rendered = renderSample(edition);

/** Few enough that each has been written before, as most have in a server that runs. */
const ROWS = 2000;
const PASSES = 15;
const random = randomFor(3, 0);
const rows = Array.from({ length: ROWS }, () => random.below(edition.rows.count));
const writer = new ByteWriter();
const write = (templates: Templates) => (row: number) => {
  writer.start();
  writer.template(templates, row);
  return writer.finish();
};
const { json, xml } = rendered.templates;
const compact = rows.map((row) => Buffer.from(write(json)(row)));
const placeOf = new Map(rows.map((row, i) => [row, compact[i] ?? Buffer.alloc(0)]));

const figures: BodyFigures[] = [
  // Before anything else has made the templates of XML.
  { name: 'XML, including the making of the template', ...measure(write(xml), 1) },
  { name: 'JSON from the template', ...measure(write(json)) },
  { name: 'XML from the template', ...measure(write(xml)) },
  {
    name: 'JSON through the codec',
    ...measure((row) => Buffer.from(encodeJson(rendered.organizationAt(row)))),
  },
  {
    name: 'XML through the codec',
    ...measure((row) => Buffer.from(encodeXml(rendered.organizationAt(row), STU3.definitions))),
  },
  { name: 'gzip of the JSON', ...measure((row) => gzip(placeOf.get(row)!)) },
];
process.stdout.write(`${JSON.stringify(figures)}\n`);

/** The median over passes, the first ones left out where there are several. */
function measure(body: (row: number) => Uint8Array, passes = PASSES): Omit<BodyFigures, 'name'> {
  let bytes = 0;
  const times = Array.from({ length: passes }, () => {
    bytes = 0;
    const startMs = performance.now();
    for (const row of rows) bytes += body(row).length;
    return ((performance.now() - startMs) * 1000) / ROWS;
  });
  const warm = passes === 1 ? times : times.slice(passes / 3);
  return { microseconds: spreadOf(warm).median, bytes: bytes / ROWS };
}
