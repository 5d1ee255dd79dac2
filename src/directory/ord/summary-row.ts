/** The row of an organisation in the answer to a search. */
import { escapeXmlText } from '../../fhir/format/xml-text.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import { createTemplates, escapeJson, type Templates } from '../answer/templates.ts';
import type { Edition } from '../edition/edition.ts';
import type { OrganizationRecord } from '../record/record.ts';
import { dateText, prefixedId, statusText } from '../release/ids.ts';

/** The texts of the rows of an edition. XML has them in an element `Organisation`. */
export function summaryTemplates(
  { rows, codeSystems }: Edition,
  baseUrl: string,
): Readonly<Record<Format, Templates>> {
  const displays = new Map(codeSystems.roles.map(({ code, display }) => [code, display]));
  const summaryOf = (record: OrganizationRecord, format: Format) =>
    Object.entries({
      Name: record.name,
      OrgId: record.code,
      Status: statusText(record.isActive),
      OrgRecordClass: record.recordClass && prefixedId('RC', record.recordClass),
      PostCode: record.address?.postalCode,
      LastChangeDate: dateText(record.lastUpdated),
      PrimaryRoleId: prefixedId('RO', record.roles[0]?.code ?? ''),
      PrimaryRoleDescription: displays.get(record.roles[0]?.code ?? ''),
      OrgLink: organisationLink(baseUrl, record.code, format),
    }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return {
    json: createTemplates(rows, {
      encode: (shape) => JSON.stringify(Object.fromEntries(summaryOf(shape, 'json'))),
      escape: escapeJson,
    }),
    xml: createTemplates(rows, {
      encode: (shape) => {
        const elements = summaryOf(shape, 'xml').map(
          ([name, text]) => `<${name}>${escapeXmlText(text)}</${name}>`,
        );
        return `<Organisation>${elements.join('')}</Organisation>`;
      },
      escape: escapeXmlText,
    }),
  };
}

/** The address of the record of an organisation, in the format of the answer that has the link. */
export function organisationLink(baseUrl: string, code: string, format: Format): string {
  return `${baseUrl}/organisations/${code}${format === 'xml' ? '?_format=xml' : ''}`;
}
