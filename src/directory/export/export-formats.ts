/** The formats of exports, by name. */

import type { DirectoryCriterion } from '../query.ts';
import { bundleFormat } from './bundle.ts';
import { csvFormat } from './csv.ts';
import { csvWithRelationships } from './csv-with-relationships.ts';
import { EPRACCUR_CRITERIA, epraccurFormat } from './epraccur.ts';
import type { MakeExportFormat } from './export-format.ts';
import { ndjsonFormat } from './ndjson.ts';
import { releaseXmlFormat } from './release-xml.ts';

export interface ExportKind {
  readonly make: MakeExportFormat;
  /** Makes the same format with relationships. Absent if the format never or always has them. */
  readonly makeWithRelationships?: MakeExportFormat;
  /** Whether it needs an edition with relationships. */
  readonly needsRelations?: boolean;
  /** Whether it has the reference-only records too. */
  readonly hasReferences?: boolean;
  /** A report has only the organisations that match these criteria. */
  readonly criteria?: readonly DirectoryCriterion[];
}

export const EXPORT_FORMATS: ReadonlyMap<string, ExportKind> = new Map<string, ExportKind>([
  ['ndjson', { make: ndjsonFormat }],
  ['bundle', { make: bundleFormat }],
  ['csv', { make: csvFormat, makeWithRelationships: csvWithRelationships }],
  ['release-xml', { make: releaseXmlFormat, needsRelations: true, hasReferences: true }],
  ['epraccur', { make: epraccurFormat, needsRelations: true, criteria: EPRACCUR_CRITERIA }],
]);
