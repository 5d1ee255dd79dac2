/** The searches that answer in JSON: pages of organisations, and one with its relationships. */
import { hash } from 'node:crypto';
import { type Edition, LINKS_UNKNOWN_TEXT } from '../../../directory/edition/edition.ts';
import { findRow } from '../../../directory/edition/source-record.ts';
import { sortDifferent } from '../../../directory/index/sets/row-set.ts';
import { headerOf } from '../../../fhir/http/headers.ts';
import { parseQueryString } from '../../../fhir/http/query-string.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { FhirRequest } from '../../../fhir/request/request.ts';
import { answerDownload, answerPieces } from '../../../fhir/service/answer.ts';
import type { OpenDownload } from '../../../fhir/service/interaction.ts';
import { createTextLimit } from '../../answer/downloads.ts';
import { currentOf } from '../../answer/editions.ts';
import { refuse } from '../../json/json-parameters.ts';
import { JSON_FORM, type JsonRoute, readJsonBody } from '../../json/json-service.ts';
import type { ServedReports } from '../csv/get-report.ts';
import {
  GENERAL_SEARCH,
  type OrganisationSearch,
  parseSearch,
  REPORT_SEARCH,
  type SearchMember,
} from './body.ts';
import { CODE_PARAMETER, SEARCH_OPERATIONS } from './operations.ts';
import { organisationText } from './organisation-members.ts';
import { practitionerRoute } from './practitioner-search.ts';
import { singleTexts } from './single.ts';
import { createSearchView, type SearchView } from './view.ts';

export function createSearchRoutes(served: ServedReports): readonly JsonRoute[] {
  const { editions, today, program } = served;
  const send = createTextLimit('large results of searches', SMALL_MAX, LARGE_AT_ONCE);
  const search = (
    name: keyof typeof SEARCH_OPERATIONS,
    members: readonly SearchMember[],
  ): JsonRoute => ({
    path: `search/${name}`,
    method: 'POST',
    interaction: 'search-type',
    operation: SEARCH_OPERATIONS[name],
    answer: async (context) => {
      const wanted = parseSearch(
        await readJsonBody(context.request, '{"batchSize": 1000}'),
        members,
      );
      const view = createSearchView(currentOf(editions), today());
      const found = findMatches(view.edition, wanted);
      const texts = matchTexts(view, found, wanted.isCounted);
      return answerPieces(context, JSON_FORM, send(texts, found.rows.length));
    },
  });

  return [
    search('organisationReportSearch', REPORT_SEARCH),
    search('organisationGeneralSearch', GENERAL_SEARCH),
    practitionerRoute(served, send),
    {
      path: 'search/singleOrganisationSearchByCode',
      method: 'GET',
      interaction: 'read',
      operation: SEARCH_OPERATIONS.singleOrganisationSearchByCode,
      answer: ({ request, service, interaction }) => {
        const open = (): OpenDownload => {
          const edition = currentOf(editions);
          const { row, code } = findOrganisation(edition, request.query);
          const day = today();
          const { practitioners } = edition;
          const people = mayShowPeople(served, request) ? practitioners : undefined;
          const from = [edition.number, edition.publishedAt, program, people?.version];
          const identity = from.concat(day, code);
          const view = createSearchView(edition, day);
          const count = edition.links.incoming(code).length;
          return {
            etag: `W/"${hash('sha1', JSON.stringify(identity)).slice(0, 20)}"`,
            headers: practitioners === undefined ? [] : ['Vary', 'Origin'],
            pieces: send(singleTexts(view, row, people), count),
          };
        };
        const { contentType } = JSON_FORM;
        return answerDownload(request, service, { contentType, open }, interaction.code);
      },
    },
  ];
}

/** A page of another origin gets the organisation without the people who work there. */
function mayShowPeople({ sharesPractitioners }: ServedReports, request: FhirRequest): boolean {
  return sharesPractitioners || headerOf(request, 'origin') === undefined;
}

/** Answers with more objects take many turns of the event loop. */
const SMALL_MAX = 1000;

const LARGE_AT_ONCE = { inThread: 8, ofClient: 4 };

interface Matches {
  readonly total: number;
  /** Of the page, in the order of the codes. */
  readonly rows: ArrayLike<number> & Iterable<number>;
}

function findMatches({ index }: Edition, search: OrganisationSearch): Matches {
  const { criteria, anyOf, offset, batchSize } = search;
  if (anyOf.length === 0) return index.search({ criteria }, offset, batchSize);
  const found = anyOf.map(
    (one) => index.search({ criteria: [...criteria, one] }, 0, index.count).rows,
  );
  const rows = Uint32Array.from(found.flat());
  const total = sortDifferent(rows);
  return { total, rows: rows.subarray(0, total).subarray(offset, offset + batchSize) };
}

function* matchTexts(
  view: SearchView,
  { total, rows }: Matches,
  isCounted: boolean,
): Generator<string, void, undefined> {
  let start = '{"orgArray":[';
  for (const row of rows) {
    yield start + organisationText(view, row);
    start = ',';
  }
  const { publishedAt } = view.edition;
  const end = {
    orgCodeSystemUpdatedAt: publishedAt,
    ...(isCounted && { numberOfRecords: total }),
  };
  yield `${rows.length === 0 ? start : ''}],${JSON.stringify(end).slice(1)}`;
}

/** Throws a FhirError if there is no such organisation, or its relationships are not known. */
function findOrganisation(edition: Edition, query: string): { row: number; code: string } {
  const code = parseCode(query);
  const found = findRow(edition.links, code);
  if (found === undefined) {
    throw FhirError.of('no-record', `There is no organisation with the code "${code}".`);
  }
  if (!edition.hasLinks) throw FhirError.of('no-record', LINKS_UNKNOWN_TEXT);
  return found;
}

/** Other parameters do not matter. */
function parseCode(query: string): string {
  const given = parseQueryString(query).filter(({ name }) => name === CODE_PARAMETER);
  const [parameter] = given;
  if (parameter === undefined || parameter.value === '') {
    throw refuse('Missing code query parameter');
  }
  if (given.length > 1) throw refuse('The query parameter code is repeated.');
  if (parameter.isMalformed) throw refuse('code is not percent-encoded UTF-8.');
  return parameter.value;
}
