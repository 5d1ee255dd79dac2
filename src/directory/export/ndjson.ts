/** Matches as NDJSON: one Organization in FHIR JSON on each line. */
import type { MakeExportFormat } from './export-format.ts';

export const ndjsonFormat: MakeExportFormat = ({ standardJson }) => ({
  begin: () => {},
  row: (row, _isFirst, writer) => {
    writer.template(standardJson, row);
    writer.text('\n');
  },
  end: () => {},
});
