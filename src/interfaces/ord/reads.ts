/**
 * What clients of ORD read by its id: the whole record of an organisation, with relationships and
 * successions, and the codes, as lists and one by one.
 */
import { hash } from 'node:crypto';
import { CODE_SYSTEMS, primaryRoleCodes } from '../../directory/edition/code-systems.ts';
import { type Edition, requireLinks } from '../../directory/edition/edition.ts';
import { findRow, pastedCode, sourceRecordAt } from '../../directory/edition/source-record.ts';
import { prefixedId } from '../../directory/record/ids.ts';
import { elementXml, organisationElement } from '../../directory/record/organisation-element.ts';
import type { CodeSystemName } from '../../directory/record/record.ts';
import { escapeXmlAttribute } from '../../fhir/format/xml-text.ts';
import { httpDate } from '../../fhir/http/headers.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import type { Representation } from '../../fhir/service/representation.ts';
import { currentOf } from '../answer/editions.ts';
import { EXAMPLE_CODE } from '../faces/face.ts';
import { type PlainEndpoint, pathParameterOf, plainEndpoint } from '../json/endpoint.ts';
import { TEXT_KIND } from '../json/kinds.ts';
import { ordAnswers } from './door.ts';
import { ORD_NOT_FOUND, XML_START, xmlOfTexts } from './form.ts';
import { FORMAT_TABLE } from './parameters.ts';
import type { OrdEdition, ServedOrd } from './served-ord.ts';

export function organisationEndpoints(served: ServedOrd): readonly PlainEndpoint[] {
  const described = {
    path: 'organisations/{code}',
    operationId: 'readOrdOrganisation',
    summary: 'The whole record of an organisation.',
    parameters: { code: { kind: TEXT_KIND, example: EXAMPLE_CODE }, ...FORMAT_TABLE },
  };
  return [
    readEndpoint(served, described, ({ edition }, id, format) => {
      const found = findRow(edition.index, id);
      if (found === undefined) throw ORD_NOT_FOUND;
      requireLinks(edition);
      const { row, code } = found;
      const contentLocation = `${served.baseUrl}/organisations/${code}`;
      return {
        ...organisation(edition, row, format),
        ...(code !== id && { contentLocation }),
      };
    }),
  ];
}

/** Something in the current edition, which has no parameters but its id and the format. */
function readEndpoint(
  { editions, render }: ServedOrd,
  described: Pick<PlainEndpoint, 'path' | 'operationId' | 'summary' | 'parameters'>,
  make: (rendered: OrdEdition, id: string, format: Format) => Representation,
): PlainEndpoint {
  const inPath = pathParameterOf(described);
  return plainEndpoint({
    ...described,
    method: 'GET',
    interaction: 'read',
    answers: ordAnswers(),
    ask: ({ values, form: { format } }) => {
      const id = inPath === undefined ? '' : String(values[inPath]);
      const rendered = render(currentOf(editions));
      const { kept } = rendered;
      const key = `${format}/${described.path}/${id}`;
      const representation = kept.get(key) ?? kept.note(key, make(rendered, id, format));
      return { representation };
    },
  });
}

function organisation(edition: Edition, row: number, format: Format): Representation {
  const element = organisationElement(sourceRecordAt(edition, row));
  const body =
    format === 'json'
      ? JSON.stringify({ Organisation: element })
      : XML_START + elementXml('Organisation', element);
  return {
    etag: `W/"${hash('sha1', body).slice(0, 20)}-${format}"`,
    // A record can change again on the day of its LastChangeDate.
    lastModified: httpDate(Date.parse(edition.changedIn(row).publishedAt)),
    body: () => body,
  };
}

/** A code system, and the names that ORD has for it. */
interface CodeList {
  /** The first segment of its paths. */
  readonly path: string;
  /** The name of the list in answers. */
  readonly list: string;
  readonly codes: CodeSystemName;
  /** What the list has, as a phrase. */
  readonly content: string;
  /** The id of one of them. */
  readonly example: string;
}

const CODE_LISTS: readonly CodeList[] = [
  {
    path: 'roles',
    list: 'Roles',
    codes: 'roles',
    content: 'roles of organisations',
    example: 'RO197',
  },
  {
    path: 'rels',
    list: 'Relationships',
    codes: 'relationships',
    content: 'types of relationships',
    example: 'RE4',
  },
  {
    path: 'recordclasses',
    list: 'RecordClasses',
    codes: 'recordClasses',
    content: 'record classes',
    example: 'RC1',
  },
];

export function codeListEndpoints(served: ServedOrd): readonly PlainEndpoint[] {
  return CODE_LISTS.flatMap((codeList) => {
    const { path, list, codes, content, example } = codeList;
    const all = {
      path,
      operationId: `listOrd${list}`,
      summary: `All ${content}.`,
      parameters: FORMAT_TABLE,
    };
    const one = {
      path: `${path}/{id}`,
      operationId: `readOrd${CODE_SYSTEMS[codes].name}`,
      summary: `One of the ${content}, as a list with one member.`,
      parameters: { id: { kind: TEXT_KIND, example }, ...FORMAT_TABLE },
    };
    return [all, one].map((described) =>
      readEndpoint(served, described, (rendered, id, format) =>
        listed(codeList, rendered, described === all ? undefined : id, format),
      ),
    );
  });
}

/** The list with all codes, or with the one that has the id. Throws if there is none. */
function listed(
  codeList: CodeList,
  { edition, fingerprint, publishedDate }: OrdEdition,
  id: string | undefined,
  format: Format,
): Representation {
  const { list, codes } = codeList;
  const { prefix, conceptsOf } = CODE_SYSTEMS[codes];
  if (codes === 'relationships') requireLinks(edition);
  const members = conceptsOf(edition)
    .map(({ code, display }) => ({
      id: prefixedId(prefix, code),
      code,
      ...(display !== undefined && { displayName: display }),
      ...(prefix === 'RO' && { primaryRole: String(primaryRoleCodes(edition).has(code)) }),
    }))
    .filter((one) => id === undefined || one.id === pastedCode(id).toUpperCase());
  if (id !== undefined && members.length === 0) throw ORD_NOT_FOUND;
  return {
    etag: `W/"${fingerprint.slice(0, 16)}-${format}"`,
    lastModified: publishedDate,
    body: () =>
      format === 'json'
        ? JSON.stringify({ [list]: members })
        : XML_START + codeSystemXml(codeList, edition, members),
  };
}

function codeSystemXml(
  { list, codes }: CodeList,
  { codeSystems: { oids } }: Edition,
  members: readonly Readonly<Record<string, string>>[],
): string {
  const oid = oids?.[codes];
  const { name } = CODE_SYSTEMS[codes];
  const elements = members.map((one) => xmlOfTexts(name, one)).join('');
  const attribute = oid === undefined ? '' : `oid="${escapeXmlAttribute(oid)}" `;
  return `<CodeSystem ${attribute}name="Organisation${name}"><${list}>${elements}</${list}></CodeSystem>`;
}
