/** The formats of exports, by name, and those that write the resources of FHIR. */

import {
  type DirectoryCriterion,
  tokenCriterion,
} from '../../directory/index/organization-index.ts';
import type { MakeExportFormat } from '../faces/export-matches.ts';
import { contentOf } from '../reports/csv/report-table.ts';
import { reportFormat } from '../reports/csv/write-report.ts';
import { csvFormat, csvWithRelationships } from './csv.ts';
import { geoJsonFormat } from './geojson.ts';
import { releaseXmlFormat } from './release-xml.ts';
import type { TableForm } from './tables/table.ts';
import { TABLE_FORM_NAMES } from './tables/table-forms.ts';

export interface ExportKind {
  /** A format is text that is written row by row. Tables are a whole file. */
  readonly make: MakeExportFormat | TableForm;
  /** Makes the same format with relationships. Absent if the format never or always has them. */
  readonly makeWithRelationships?: MakeExportFormat;
  /** Whether it needs an edition with relationships. */
  readonly needsLinks?: boolean;
  /** Whether it has the reference-only records too. */
  readonly hasReferences?: boolean;
  /** A report has only the organisations that match these criteria. */
  readonly criteria?: readonly DirectoryCriterion[];
}

/** One Organization in FHIR JSON on each line. */
export const ndjsonFormat: MakeExportFormat = ({ standardJson }) => ({
  row: (row, writer) => {
    writer.template(standardJson, row);
    writer.text('\n');
  },
});

/**
 * A Bundle in JSON: https://hl7.org/fhir/bundle.html#collection. Entries have a `fullUrl` if the
 * server's address is configured. FHIR does not require it, and it has no empty arrays.
 */
export const bundleFormat: MakeExportFormat = (
  { edition, standardJson },
  baseUrl,
  _day,
  { count },
) => {
  const meta = { lastUpdated: edition.publishedAt };
  const head = JSON.stringify({ resourceType: 'Bundle', meta, type: 'collection' }).slice(0, -1);
  const beforeResource = (row: number): string => {
    if (baseUrl === undefined) return '{"resource":';
    const url = `${baseUrl}/Organization/${edition.index.codeOf(row)}`;
    return `{"fullUrl":${JSON.stringify(url)},"resource":`;
  };
  return {
    head: count === 0 ? head : `${head},"entry":[\n`,
    row: (row, writer, isFirst) => {
      writer.text(`${isFirst ? '' : ',\n'}${beforeResource(row)}`);
      writer.template(standardJson, row);
      writer.text('}');
    },
    end: count === 0 ? '}\n' : '\n]}\n',
  };
};

/** The report `epraccur` as it was published until 2025, of any organisations. */
const epraccurFormat: MakeExportFormat = ({ edition }, _baseUrl, today) =>
  reportFormat(edition, PRACTICES, { dialect: 'former', today });

const PRACTICES = contentOf('epraccur');
const EPRACCUR_CRITERIA: readonly DirectoryCriterion[] = [tokenCriterion('primaryRole', ['177'])];

export const EXPORT_FORMATS: ReadonlyMap<string, ExportKind> = new Map<string, ExportKind>([
  ['ndjson', { make: ndjsonFormat }],
  ['bundle', { make: bundleFormat }],
  ['csv', { make: csvFormat, makeWithRelationships: csvWithRelationships }],
  ['geojson', { make: geoJsonFormat }],
  ['release-xml', { make: releaseXmlFormat, needsLinks: true, hasReferences: true }],
  ['epraccur', { make: epraccurFormat, needsLinks: true, criteria: EPRACCUR_CRITERIA }],
  ...TABLE_FORM_NAMES.map(
    (make) => [make, { make, needsLinks: true, hasReferences: true }] as const,
  ),
]);
