/** The formats of exports, by name. */

import type { DirectoryCriterion } from '../query.ts';
import { bundleFormat } from './bundle.ts';
import { csvFormat } from './csv.ts';
import { EPRACCUR_CRITERIA, epraccurFormat } from './epraccur.ts';
import type { MakeExportFormat } from './export-format.ts';
import { ndjsonFormat } from './ndjson.ts';

export const EXPORT_FORMATS: ReadonlyMap<string, MakeExportFormat> = new Map([
  ['ndjson', ndjsonFormat],
  ['bundle', bundleFormat],
  ['csv', csvFormat],
  ['epraccur', epraccurFormat],
]);

/**
 * The formats that are reports, by name: they have only the organisations that match these criteria,
 * and need an edition with relationships.
 */
export const EXPORT_REPORTS: ReadonlyMap<string, readonly DirectoryCriterion[]> = new Map([
  ['epraccur', EPRACCUR_CRITERIA],
]);
