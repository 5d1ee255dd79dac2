/** Records of ORD: `organisations/{code}`, with relationships and successions. */
import { hash } from 'node:crypto';
import { httpDate } from '../../fhir/http/headers.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import { answer } from '../../fhir/service/answer.ts';
import type { Representation } from '../../fhir/service/representation.ts';
import type { Edition } from '../edition/edition.ts';
import { currentOf } from '../edition/editions.ts';
import { requireRelations } from '../edition/require-relations.ts';
import { findRow } from '../record/find-row.ts';
import { sourceRecordAt } from '../record/source-record.ts';
import { elementXml } from '../release/element-xml.ts';
import { organisationElement } from '../release/organisation-element.ts';
import { ORD_NOT_FOUND } from './error.ts';
import { XML_START } from './form.ts';
import { FORMAT_PARAMETER, parseOrdQuery } from './query.ts';
import type { CreateOrdRoutes } from './route.ts';

export const organisationRoutes: CreateOrdRoutes = ({ baseUrl, editions, render }) => {
  const read = (id: string, format: Format): Representation => {
    const edition = currentOf(editions);
    const { kept } = render(edition);
    const key = `${format}/${id}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = findRow(edition.index, id);
    if (found === undefined) throw ORD_NOT_FOUND;
    requireRelations(edition);
    const { row, code } = found;
    const link = code === id ? {} : { contentLocation: `${baseUrl}/organisations/${code}` };
    return kept.note(key, { ...representationOf(edition, row, format), ...link });
  };
  const parameters = [FORMAT_PARAMETER];
  return [
    {
      path: 'organisations/{code}',
      operationId: 'readOrdOrganisation',
      summary: 'The whole record of an organisation.',
      interaction: 'read',
      parameters,
      headers: [],
      answer: (context) => {
        const { request, form, id } = context;
        parseOrdQuery(request.query, parameters);
        return answer(context, form, read(id, form.format));
      },
    },
  ];
};

function representationOf(edition: Edition, row: number, format: Format): Representation {
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
