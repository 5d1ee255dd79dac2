/** The codes of ORD: `roles`, `rels` and `recordclasses`, and one code of each. */

import { escapeXmlAttribute, escapeXmlText } from '../../fhir/format/xml-text.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import { answer } from '../../fhir/service/answer.ts';
import type { Representation } from '../../fhir/service/representation.ts';
import {
  primaryRoleCodes,
  recordClassConcepts,
  relationshipConcepts,
  roleConcepts,
} from '../edition/code-systems.ts';
import type { Edition } from '../edition/edition.ts';
import { currentOf } from '../edition/editions.ts';
import { requireRelations } from '../edition/require-relations.ts';
import type { CodeSystemName, Concept } from '../record/record.ts';
import { prefixedId } from '../release/ids.ts';
import { ORD_NOT_FOUND } from './error.ts';
import { XML_START } from './form.ts';
import { FORMAT_PARAMETER, parseOrdQuery } from './query.ts';
import type { CreateOrdRoutes, OrdRoute } from './route.ts';
import type { OrdEdition } from './served-ord.ts';

/** A code system, and the names that ORD has for it. */
interface CodeList {
  /** The first segment of its paths. */
  readonly path: string;
  /** The names of the list and of a code in answers. */
  readonly list: string;
  readonly member: string;
  readonly system: string;
  readonly codes: CodeSystemName;
  /** What the list has, as a phrase. */
  readonly content: string;
  readonly prefix: 'RO' | 'RE' | 'RC';
  /** Throws a FhirError if the edition does not know them. */
  conceptsOf(edition: Edition): readonly Concept[];
}

const CODE_LISTS: readonly CodeList[] = [
  {
    path: 'roles',
    list: 'Roles',
    member: 'Role',
    system: 'OrganisationRole',
    codes: 'roles',
    content: 'roles of organisations',
    prefix: 'RO',
    conceptsOf: roleConcepts,
  },
  {
    path: 'rels',
    list: 'Relationships',
    member: 'Relationship',
    system: 'OrganisationRelationship',
    codes: 'relationships',
    content: 'types of relationships',
    prefix: 'RE',
    conceptsOf: (edition) => {
      requireRelations(edition);
      return relationshipConcepts(edition);
    },
  },
  {
    path: 'recordclasses',
    list: 'RecordClasses',
    member: 'RecordClass',
    system: 'OrganisationRecordClass',
    codes: 'recordClasses',
    content: 'record classes',
    prefix: 'RC',
    conceptsOf: recordClassConcepts,
  },
];

export const codeListRoutes: CreateOrdRoutes = ({ editions, render }) =>
  CODE_LISTS.flatMap((list) => {
    const read = (id: string | undefined, format: Format) => {
      const rendered = render(currentOf(editions));
      const key = `${format}/${list.path}/${id ?? ''}`;
      return rendered.kept.get(key) ?? rendered.kept.note(key, listed(list, rendered, id, format));
    };
    return [route(list, read, false), route(list, read, true)];
  });

/** The route of the whole list, or of one code. */
function route(
  { path, list, member, content }: CodeList,
  read: (id: string | undefined, format: Format) => Representation,
  isOne: boolean,
): OrdRoute {
  const parameters = [FORMAT_PARAMETER];
  return {
    path: isOne ? `${path}/{id}` : path,
    operationId: isOne ? `readOrd${member}` : `listOrd${list}`,
    summary: isOne ? `One of the ${content}, as a list with one member.` : `All ${content}.`,
    interaction: 'read',
    parameters,
    headers: [],
    answer: (context) => {
      const { request, form, id } = context;
      parseOrdQuery(request.query, parameters);
      return answer(context, form, read(isOne ? id : undefined, form.format));
    },
  };
}

/** The list with all codes, or with the one that has the id. Throws if there is none. */
function listed(
  codeList: CodeList,
  { edition, fingerprint, publishedDate }: OrdEdition,
  id: string | undefined,
  format: Format,
): Representation {
  const { list, prefix, conceptsOf } = codeList;
  const members = conceptsOf(edition)
    .map(({ code, display }) => ({
      id: prefixedId(prefix, code),
      code,
      ...(display === undefined ? {} : { displayName: display }),
      ...(prefix === 'RO' ? { primaryRole: String(primaryRoleCodes(edition).has(code)) } : {}),
    }))
    .filter((one) => id === undefined || one.id === id.toUpperCase());
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
  { system, list, member, codes }: CodeList,
  { codeSystems: { oids } }: Edition,
  members: readonly Readonly<Record<string, string>>[],
): string {
  const oid = oids?.[codes];
  const elements = members.map((one) => {
    const children = Object.entries(one).map(
      ([name, text]) => `<${name}>${escapeXmlText(text)}</${name}>`,
    );
    return `<${member}>${children.join('')}</${member}>`;
  });
  const attributes = `${oid === undefined ? '' : `oid="${escapeXmlAttribute(oid)}" `}name="${system}"`;
  return `<CodeSystem ${attributes}><${list}>${elements.join('')}</${list}></CodeSystem>`;
}
