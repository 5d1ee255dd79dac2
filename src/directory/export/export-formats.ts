/** The formats of exports, by name. */
import { bundleFormat } from './bundle.ts';
import { csvFormat } from './csv.ts';
import type { MakeExportFormat } from './export-format.ts';
import { ndjsonFormat } from './ndjson.ts';

export const EXPORT_FORMATS: ReadonlyMap<string, MakeExportFormat> = new Map([
  ['ndjson', ndjsonFormat],
  ['bundle', bundleFormat],
  ['csv', csvFormat],
]);
