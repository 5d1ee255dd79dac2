/**
 * Searches of ORD: `organisations?…`, a page of summary rows, and `sync?LastChangeDate=…`, links to
 * the records of all organisations that changed.
 */
import { hash } from 'node:crypto';
import { nearOf } from '../../directory/ask/near.ts';
import { requireLinks } from '../../directory/edition/edition.ts';
import type { DirectoryQuery } from '../../directory/index/organization-index.ts';
import type { Page } from '../../directory/index/search-index.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import { formatPair } from '../../fhir/http/query-string.ts';
import type { OpenDownload } from '../../fhir/service/interaction.ts';
import type { Representation } from '../../fhir/service/representation.ts';
import { ByteWriter } from '../answer/byte-writer.ts';
import { currentOf, longAnswersOf, numberedOf } from '../answer/editions.ts';

import { type PlainEndpoint, plainEndpoint } from '../json/endpoint.ts';
import { ordAnswers } from './door.ts';
import { LIST_FRAMES, xmlOfTexts } from './form.ts';
import { searchTable, syncTable } from './parameters.ts';
import { type OrdQuery, ordQueryOf } from './query.ts';
import { type OrdEdition, organisationLink, type ServedOrd } from './served-ord.ts';

export function searchEndpoint(served: ServedOrd): PlainEndpoint {
  const { editions, render } = served;
  const writer = new ByteWriter();
  return plainEndpoint({
    path: 'organisations',
    method: 'GET',
    interaction: 'search-type',
    operationId: 'searchOrdOrganisations',
    summary: 'Search: a page of organisations.',
    parameters: searchTable(served.today, () => editions.current()?.postcodes),
    shown: ['Name', 'Status', 'Limit'],
    answers: ordAnswers(PAGE_HEADERS),
    kept: ({ query }, { format }) => {
      const representation = render(currentOf(editions)).kept.get(keyOf(format, query));
      return representation && { representation };
    },
    ask: ({ values, pairs, request, form: { format } }) => {
      const newest = currentOf(editions);
      const parsed = ordQueryOf(values, pairs);
      const edition = numberedOf(editions, parsed.edition, '_edition and Offset');
      if (parsed.needsLinks) requireLinks(edition);
      const found = representationOf(served, render(edition), parsed, format, writer);
      // Not kept for an older edition, because the answer must not outlive its grace period.
      if (edition !== newest) return { representation: found };
      const { kept } = render(newest);
      return { representation: kept.note(keyOf(format, request.query), found) };
    },
  });
}

/** The headers of a page. */
export const PAGE_HEADERS = ['X-Total-Count', 'Returned-Records', 'Next-Page', 'Previous-Page'];

function keyOf(format: Format, query: string): string {
  return `${format}?${query}`;
}

function representationOf(
  { baseUrl }: ServedOrd,
  { edition, fingerprint, publishedDate, summaries }: OrdEdition,
  search: OrdQuery,
  format: Format,
  writer: ByteWriter,
): Representation {
  const { criteria, offset, limit } = search;
  const sort = nearOf(criteria) === undefined ? BY_NAME : [];
  const page = edition.index.search({ criteria }, offset, limit, sort);
  const links = pageLinks(`${baseUrl}/organisations`, search, page, edition.number, format);
  const identity = hash('sha1', JSON.stringify([fingerprint, criteria, offset, limit]));
  return {
    etag: `W/"${identity.slice(0, 20)}-${format}"`,
    lastModified: publishedDate,
    headers: [
      'X-Total-Count',
      String(page.total),
      'Returned-Records',
      String(page.rows.length),
      ...links,
    ],
    body: () => {
      const [start, between, end] = LIST_FRAMES[format];
      writer.start();
      writer.text(start);
      for (const [i, row] of page.rows.entries()) {
        if (i > 0) writer.text(between);
        writer.template(summaries[format], row);
      }
      writer.text(end);
      return writer.finish();
    },
    release: (body) => writer.release(body),
  };
}

/** Organisations with the same name are in the order of their codes. */
const BY_NAME = [{ field: 'name', isDescending: false }] as const;

/** The headers with the addresses of the pages before and after this one, of the same edition. */
function pageLinks(
  url: string,
  { limit, offset, pairs }: OrdQuery,
  { total }: Page,
  edition: number,
  format: Format,
): readonly string[] {
  const criteria = pairs.map(formatPair).join('&');
  const suffix = format === 'xml' ? '&_format=xml' : '';
  const link = (from: number) => {
    // The first page has no Offset, because an Offset of 0 is not valid.
    const skipped = from > 0 ? `&Offset=${from}` : '';
    return `${url}?${criteria}${suffix}&_edition=${edition}&Limit=${limit}${skipped}`;
  };
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  return [
    ...(offset + limit < total ? ['Next-Page', link(offset + limit)] : []),
    ...(offset > 0 ? ['Previous-Page', link(Math.max(0, Math.min(offset - limit, last)))] : []),
  ];
}

export function syncEndpoint({ baseUrl, editions, render, today }: ServedOrd): PlainEndpoint {
  const longAnswers = longAnswersOf(editions);
  return plainEndpoint({
    path: 'sync',
    method: 'GET',
    interaction: 'search-type',
    operationId: 'listOrdChanges',
    summary: 'All organisations that changed on or after a date, as links to their records.',
    parameters: syncTable(today),
    shown: ['LastChangeDate'],
    answers: ordAnswers(['X-Total-Count']),
    ask: ({ values, pairs, form: { format, contentType } }) => {
      const { criteria } = ordQueryOf(values, pairs);
      const open = (): OpenDownload => {
        const edition = currentOf(editions);
        const { make, ...rest } = changes(render(edition), { criteria }, baseUrl, format);
        const key = { owner: edition, name: rest.etag };
        return { ...rest, pieces: longAnswers.pieces({ kind: 'lists of changes', make, key }) };
      };
      return { open, contentType };
    },
  });
}

/** The list is not divided into pages, and so may have a link to every organisation. */
function changes(
  { edition: { index }, fingerprint, publishedDate }: OrdEdition,
  query: DirectoryQuery,
  baseUrl: string,
  format: Format,
): Omit<OpenDownload, 'pieces'> & { make(): Iterable<Uint8Array> } {
  const { total } = index.search(query, 0, 0);
  const identity = hash('sha1', JSON.stringify([fingerprint, 'sync', query]));
  function* make(): Generator<Uint8Array, void, undefined> {
    const [start, between, end] = LIST_FRAMES[format];
    const { rows } = index.search(query, 0, total);
    let text = start;
    for (const [i, row] of rows.entries()) {
      const OrgLink = organisationLink(baseUrl, index.codeOf(row), format);
      if (i > 0) text += between;
      text +=
        format === 'xml' ? xmlOfTexts('Organisation', { OrgLink }) : JSON.stringify({ OrgLink });
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
    make,
  };
}

/** About 64 KB. */
const LINKS_PER_PIECE = 1000;
