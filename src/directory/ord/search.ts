/** Searches of ORD: `organisations?…`, a page of summary rows. */
import { hash } from 'node:crypto';
import type { Format } from '../../fhir/http/negotiate.ts';
import { formatPair, type Pair } from '../../fhir/http/query-string.ts';
import { answer } from '../../fhir/service/answer.ts';
import type { Representation } from '../../fhir/service/representation.ts';
import { ByteWriter } from '../answer/byte-writer.ts';
import { currentOf, numberedOf } from '../edition/editions.ts';
import { requireRelations } from '../edition/require-relations.ts';
import { hasRelationship } from '../index/columns/related-column.ts';
import type { Page } from '../index/search-index.ts';
import type { DirectoryQuery } from '../query.ts';
import { XML_START } from './form.ts';
import { LIMIT_DEFAULT, NO_PARAMETERS, type SearchValues, searchParameters } from './parameters.ts';
import { parseOrdQuery } from './query.ts';
import type { CreateOrdRoutes } from './route.ts';
import type { OrdEdition, ServedOrd } from './served-ord.ts';

export const searchRoutes: CreateOrdRoutes = (served) => {
  const parameters = searchParameters(served.today);
  const writer = new ByteWriter();
  const search = (query: string, format: Format): Representation => {
    const newest = currentOf(served.editions);
    const { kept } = served.render(newest);
    const key = `${format}?${query}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const parsed = parseSearch(query, parameters);
    const edition =
      parsed.edition === undefined ? newest : numberedOf(served.editions, parsed.edition, 'Offset');
    if (parsed.needsRelations) requireRelations(edition);
    const found = representationOf(served, served.render(edition), parsed, format, writer);
    // Not kept for an older edition, because the answer must not outlive its grace period.
    return edition === newest ? kept.note(key, found) : found;
  };
  return [
    {
      path: 'organisations',
      operationId: 'searchOrdOrganisations',
      summary: 'Search: a page of organisations.',
      interaction: 'search-type',
      parameters,
      headers: ['X-Total-Count', 'Returned-Records', 'Next-Page', 'Previous-Page'],
      answer: (context) =>
        answer(context, context.form, search(context.request.query, context.form.format)),
    },
  ];
};

interface OrdSearch extends PageValues {
  readonly limit: number;
  readonly offset: number;
  readonly query: DirectoryQuery;
  /** Whether the search is about relationships. */
  readonly needsRelations: boolean;
  readonly pairs: readonly Pair[];
}

function parseSearch(query: string, parameters: ReturnType<typeof searchParameters>): OrdSearch {
  const { values, criteria: pairs } = parseOrdQuery(query, parameters);
  if (pairs.length === 0) throw NO_PARAMETERS;
  const criteria = values.flatMap(({ criterion }) => criterion ?? []);
  const wanted = values.flatMap(({ relationship }) => relationship ?? []);
  const needsRelations = wanted.length > 0;
  if (needsRelations) criteria.push(hasRelationship(Object.assign({}, ...wanted)));
  const page: PageValues = Object.assign({}, ...values);
  return { limit: LIMIT_DEFAULT, offset: 0, ...page, query: { criteria }, needsRelations, pairs };
}

type PageValues = Pick<SearchValues, 'limit' | 'offset' | 'edition'>;

function representationOf(
  { baseUrl }: ServedOrd,
  { edition, fingerprint, publishedDate, summaries }: OrdEdition,
  search: OrdSearch,
  format: Format,
  writer: ByteWriter,
): Representation {
  const page = edition.index.search(search.query, search.offset, search.limit, BY_NAME);
  const links = pageLinks(`${baseUrl}/organisations`, search, page, edition.number, format);
  const identity = hash(
    'sha1',
    JSON.stringify([fingerprint, search.query, search.offset, search.limit]),
  );
  return {
    etag: `W/"${identity.slice(0, 20)}-${format}"`,
    lastModified: publishedDate,
    headers: [
      ...['X-Total-Count', String(page.total)],
      ...['Returned-Records', String(page.rows.length)],
      ...links,
    ],
    body: () => {
      const [start, between, end] = FRAMES[format];
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

const FRAMES: Readonly<Record<Format, readonly [start: string, between: string, end: string]>> = {
  json: ['{"Organisations":[', ',', ']}'],
  xml: [`${XML_START}<Organisations>`, '', '</Organisations>'],
};

/** The headers with the addresses of the pages before and after this one, of the same edition. */
function pageLinks(
  url: string,
  { limit, offset, pairs }: OrdSearch,
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
