/** Matches as a file in the format of the national release, which an import reads again. */

import { CODE_SYSTEMS } from '../../directory/edition/code-systems.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { sourceRecordAt } from '../../directory/edition/source-record.ts';
import { prefixedId } from '../../directory/record/ids.ts';
import { elementXml, organisationElement } from '../../directory/record/organisation-element.ts';
import type { CodeSystemName, Concept } from '../../directory/record/record.ts';
import { newestDate } from '../../directory/record/source.ts';
import { escapeXmlAttribute } from '../../fhir/format/xml-text.ts';
import {
  type ExportedRows,
  type ExportFormat,
  type MakeExportFormat,
  piecesOf,
} from '../faces/export-matches.ts';

/** The whole file. `rows`: of all records, numbered as in `links`. */
export function releasePieces(
  edition: Edition,
  rows: readonly number[] | Uint32Array,
): Generator<Buffer, void, undefined> {
  return piecesOf(releaseFormatOf(edition, { count: rows.length, isComplete: true }), rows);
}

export const releaseXmlFormat: MakeExportFormat = ({ edition }, _baseUrl, _day, matches) =>
  releaseFormatOf(edition, matches);

function releaseFormatOf(edition: Edition, matches: ExportedRows): ExportFormat {
  return {
    head:
      `${XML_START}<Manifest>${manifestXml(edition, matches)}</Manifest>\n` +
      `<CodeSystems>\n${SYSTEM_NAMES.map((key) => systemXml(edition, key)).join('')}` +
      '</CodeSystems>\n<Organisations>\n',
    row: (row, writer) => {
      const element = organisationElement(sourceRecordAt(edition, row));
      writer.text(`${elementXml('Organisation', element)}\n`);
    },
    end: '</Organisations>\n</HSCOrgRefData:OrgRefData>\n',
  };
}

const XML_START =
  '<?xml version="1.0" encoding="UTF-8"?>\n<HSCOrgRefData:OrgRefData ' +
  'xmlns:HSCOrgRefData="http://refdata.hscic.gov.uk/org/v2-0-0">\n';

const SYSTEM_NAMES = Object.keys(CODE_SYSTEMS) as CodeSystemName[];

/** The values of the first file that the edition was imported from, which is the full file. */
function manifestXml(edition: Edition, { count, isComplete }: ExportedRows): string {
  const [first] = edition.manifests;
  const values = {
    Version: '2-0-0',
    PublicationType: isComplete ? 'Full' : 'Partial',
    PublicationDate: newestDate(edition.manifests) ?? edition.publishedAt.slice(0, 10),
    PublicationSeqNum: first?.sequenceNumber ?? '',
    RecordCount: String(count),
    ...first?.values,
  };
  const primaryRoles = new Set(first?.primaryRoles);
  const scope = edition.codeSystems.roles
    .filter(({ code }) => primaryRoles.has(code))
    .map((role) => `<PrimaryRole${conceptAttributes(role, 'RO')}/>`);
  return [
    ...Object.entries(values)
      .filter(([, value]) => value !== '')
      .map(([element, value]) => `<${element} value="${escapeXmlAttribute(value)}"/>`),
    ...(scope.length === 0 ? [] : [`<PrimaryRoleScope>${scope.join('')}</PrimaryRoleScope>`]),
  ].join('');
}

function systemXml({ codeSystems }: Edition, key: CodeSystemName): string {
  const { name, prefix } = CODE_SYSTEMS[key];
  const oid = codeSystems.oids?.[key];
  const attribute = oid === undefined ? '' : ` oid="${escapeXmlAttribute(oid)}"`;
  const concepts = codeSystems[key].map(
    (concept) =>
      `<concept code="${escapeXmlAttribute(concept.code)}"${conceptAttributes(concept, prefix)}/>\n`,
  );
  return `<CodeSystem name="Organisation${name}"${attribute}>\n${concepts.join('')}</CodeSystem>\n`;
}

function conceptAttributes({ code, display }: Concept, prefix: 'RO' | 'RE' | 'RC'): string {
  const id = ` id="${escapeXmlAttribute(prefixedId(prefix, code))}"`;
  return display === undefined ? id : `${id} displayName="${escapeXmlAttribute(display)}"`;
}
