/** Matches as a Bundle in JSON: https://hl7.org/fhir/bundle.html#collection */
import type { MakeExportFormat } from './export-format.ts';

/** Entries have a `fullUrl` if the server's address is configured. FHIR does not require it. */
export const bundleFormat: MakeExportFormat = ({ edition, standardJson }, baseUrl) => {
  const head = {
    resourceType: 'Bundle',
    meta: { lastUpdated: edition.publishedAt },
    type: 'collection',
  };
  const typeUrl = baseUrl === undefined ? undefined : `${baseUrl}/Organization/`;
  const beforeResource = (row: number): string => {
    if (typeUrl === undefined) return '{"resource":';
    return `{"fullUrl":${JSON.stringify(typeUrl + edition.index.codeOf(row))},"resource":`;
  };
  let isEmpty = true;
  return {
    begin: (writer) => writer.text(JSON.stringify(head).slice(0, -1)),
    row: (row, isFirst, writer) => {
      isEmpty = false;
      writer.text(isFirst ? ',"entry":[\n' : ',\n');
      writer.text(beforeResource(row));
      writer.template(standardJson, row);
      writer.text('}');
    },
    // FHIR has no empty arrays.
    end: (writer) => writer.text(isEmpty ? '}\n' : '\n]}\n'),
  };
};
