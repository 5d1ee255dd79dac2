/** The organisations that changed, as links to their records: `sync?LastChangeDate=…`. */
import { hash } from 'node:crypto';
import { escapeXmlText } from '../../fhir/format/xml-text.ts';
import { gzipPieces } from '../../fhir/http/gzip.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import { answerDownload } from '../../fhir/service/answer.ts';
import type { OpenDownload } from '../../fhir/service/download.ts';
import { createPieceLimit } from '../answer/downloads.ts';
import { currentOf } from '../edition/editions.ts';
import type { DirectoryQuery } from '../query.ts';
import { XML_START } from './form.ts';
import { NO_PARAMETERS, syncParameters } from './parameters.ts';
import { parseOrdQuery } from './query.ts';
import type { CreateOrdRoutes } from './route.ts';
import type { OrdEdition } from './served-ord.ts';
import { organisationLink } from './summary-row.ts';

export const syncRoutes: CreateOrdRoutes = ({ baseUrl, editions, render, today }) => {
  const parameters = syncParameters(today);
  const limit = createPieceLimit('lists of changes');
  return [
    {
      path: 'sync',
      operationId: 'listOrdChanges',
      summary: 'All organisations that changed on or after a date, as links to their records.',
      interaction: 'search-type',
      parameters,
      headers: ['X-Total-Count'],
      answer: ({ request, service, interaction, form: { format, contentType } }) => {
        const { values } = parseOrdQuery(request.query, parameters);
        const criteria = values.flatMap(({ criterion }) => criterion ?? []);
        if (criteria.length === 0) throw NO_PARAMETERS;
        const open = (): OpenDownload => {
          const rendered = render(currentOf(editions));
          const { pieces, ...rest } = changes(rendered, { criteria }, baseUrl, format);
          return { ...rest, pieces: (isGzip, addressOf) => limit(pieces(isGzip), addressOf) };
        };
        return answerDownload(request, service, { contentType, open }, interaction.code);
      },
    },
  ];
};

/** The list is not divided into pages, and so may have a link to every organisation. */
function changes(
  { edition: { index }, fingerprint, publishedDate }: OrdEdition,
  query: DirectoryQuery,
  baseUrl: string,
  format: Format,
): OpenDownload {
  const { total } = index.search(query, 0, 0);
  const identity = hash('sha1', JSON.stringify([fingerprint, 'sync', query]));
  function* pieces(): Generator<Uint8Array, void, undefined> {
    const [start, end] = FRAMES[format];
    const { rows } = index.search(query, 0, total);
    let text = start;
    for (const [i, row] of rows.entries()) {
      text += linkElement(organisationLink(baseUrl, index.codeOf(row), format), i === 0, format);
      if ((i + 1) % LINKS_PER_PIECE !== 0) continue;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text + end);
  }
  return {
    etag: `W/"${identity.slice(0, 20)}-${format}"`,
    lastModified: publishedDate,
    headers: ['X-Total-Count', String(total)],
    pieces: (isGzip) => (isGzip ? gzipPieces(pieces()) : pieces()),
  };
}

const FRAMES: Readonly<Record<Format, readonly [start: string, end: string]>> = {
  json: ['{"Organisations":[', ']}'],
  xml: [`${XML_START}<Organisations>`, '</Organisations>'],
};

/** About 64 KB. */
const LINKS_PER_PIECE = 1000;

function linkElement(link: string, isFirst: boolean, format: Format): string {
  if (format === 'xml') {
    return `<Organisation><OrgLink>${escapeXmlText(link)}</OrgLink></Organisation>`;
  }
  return `${isFirst ? '' : ','}{"OrgLink":${JSON.stringify(link)}}`;
}
