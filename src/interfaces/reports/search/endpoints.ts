/** The searches that answer in JSON: pages of organisations, and one with its relationships. */
import { hash } from 'node:crypto';
import { type Edition, LINKS_UNKNOWN_TEXT } from '../../../directory/edition/edition.ts';
import { findRow } from '../../../directory/edition/source-record.ts';
import { sortDifferent } from '../../../directory/index/sets/row-set.ts';
import { headerOf } from '../../../fhir/http/headers.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { FhirRequest } from '../../../fhir/request/request.ts';
import type { OpenDownload } from '../../../fhir/service/interaction.ts';
import { ANSWER_HEADERS } from '../../../fhir/statement/open-api-answers.ts';
import { currentOf, longAnswersOf } from '../../answer/editions.ts';
import { textPieces } from '../../answer/long-answers.ts';
import { EXAMPLE_CODE } from '../../faces/face.ts';
import { type PlainEndpoint, type PlainResult, plainEndpoint } from '../../json/endpoint.ts';
import { JSON_MEDIA_TYPE, readJsonBody } from '../../json/json-body.ts';
import { type JsonSchema, jsonContent } from '../../json/json-schema.ts';
import { JSON_FORM } from '../../json/json-service.ts';
import { TEXT_KIND } from '../../json/kinds.ts';
import { bodySchemaOf, exampleBodyOf } from '../../json/operations.ts';
import type { ServedReports } from '../csv/get-report.ts';
import {
  GENERAL_SEARCH,
  type OrganisationSearch,
  PRACTITIONER_SEARCH,
  parseSearch,
  REPORT_SEARCH,
  type SearchTable,
} from './body.ts';
import { organisationText } from './organisation-members.ts';
import { practitionerResult } from './practitioner-search.ts';
import { ORGANISATIONS, PRACTITIONERS, SINGLE } from './schemas.ts';
import { singleTexts } from './single.ts';
import { createSearchView, type SearchView } from './view.ts';

export function searchEndpoints(served: ServedReports): readonly PlainEndpoint[] {
  return [
    ...ORGANISATION_SEARCHES.map((each) => organisationEndpoint(each, served)),
    searchEndpoint(PRACTITIONER_GENERAL_SEARCH, (wanted) => practitionerResult(served, wanted)),
    singleEndpoint(served),
  ];
}

/** A search whose body has the members of a table. */
interface DescribedSearch {
  readonly name: string;
  readonly summary: string;
  readonly members: SearchTable;
  /** The names of the members whose examples make a request. */
  readonly shown: readonly string[];
  /** The answer, for the OpenAPI description. */
  readonly found: JsonSchema;
  readonly errors?: Readonly<Record<number, string>>;
}

const ORGANISATION_SEARCHES: readonly DescribedSearch[] = [
  {
    name: 'organisationReportSearch',
    summary: 'Search: a page of organisations, by any of their properties.',
    members: REPORT_SEARCH,
    shown: ['searchQueryName', 'searchQueryIsActive', 'offset', 'batchSize'],
    found: ORGANISATIONS,
  },
  {
    name: 'organisationGeneralSearch',
    summary: 'Search: a page of organisations, by code, name or postcode.',
    members: GENERAL_SEARCH,
    shown: ['searchQueryGeneral', 'offset', 'batchSize'],
    found: ORGANISATIONS,
  },
];

const PRACTITIONER_GENERAL_SEARCH: DescribedSearch = {
  name: 'practitionerGeneralSearch',
  summary: 'Search: a page of practitioners, by code, number or name.',
  members: PRACTITIONER_SEARCH,
  shown: ['searchQueryGeneral', 'offset', 'batchSize'],
  found: PRACTITIONERS,
  errors: { 404: 'The directory has no practitioners.' },
};

function organisationEndpoint(
  search: DescribedSearch,
  { editions, today }: ServedReports,
): PlainEndpoint {
  const longAnswers = longAnswersOf(editions);
  return searchEndpoint(search, (wanted) => {
    const edition = currentOf(editions);
    const day = today();
    let found: Matches | undefined;
    // A kept answer needs no search.
    const find = (): Matches => {
      found ??= findMatches(edition, wanted);
      return found;
    };
    return {
      pieces: longAnswers.pieces({
        kind: SEARCH_RESULTS,
        isShort: () => find().rows.length <= SMALL_MAX,
        key: { owner: edition, name: JSON.stringify([search.name, day, wanted]) },
        make: () =>
          textPieces(matchTexts(createSearchView(edition, day), find(), wanted.isCounted)),
      }),
    };
  });
}

function searchEndpoint(
  { name, summary, members, shown, found, errors }: DescribedSearch,
  resultOf: (wanted: OrganisationSearch) => PlainResult,
): PlainEndpoint {
  return plainEndpoint({
    path: `search/${name}`,
    method: 'POST',
    interaction: 'search-type',
    operationId: name,
    summary,
    parameters: {},
    rules: { ignoresUnknown: true },
    bodies: {
      [JSON_MEDIA_TYPE]: {
        schema: bodySchemaOf(members),
        example: exampleBodyOf(members, shown),
        words: Object.keys(members),
        read: (request) => readJsonBody(request, '{"batchSize": 1000}'),
      },
    },
    answers: {
      description: 'The matches, in the order of their codes.',
      headers: { 'X-Request-Id': ANSWER_HEADERS['X-Request-Id'] },
      forms: jsonContent(found),
      errors: {
        ...errors,
        400: 'The body is not valid.',
        413: 'The body is too large.',
        415: 'The body is not application/json.',
      },
    },
    ask: ({ body }) => resultOf(parseSearch(body, members)),
  });
}

function singleEndpoint(served: ServedReports): PlainEndpoint {
  const { editions, today, program } = served;
  const longAnswers = longAnswersOf(editions);
  return plainEndpoint({
    path: 'search/singleOrganisationSearchByCode',
    method: 'GET',
    interaction: 'read',
    operationId: 'singleOrganisationSearchByCode',
    summary: 'An organisation, with the organisations that have a relationship to it.',
    parameters: {
      code: {
        documentation: 'The code of the organisation.',
        kind: TEXT_KIND,
        example: EXAMPLE_CODE,
        isRequired: true,
        // The text of the national service.
        texts: { missing: 'Missing code query parameter' },
      },
    },
    shown: ['code'],
    rules: { isForm: true, ignoresUnknown: true },
    answers: {
      description: 'The organisation.',
      headers: { ETag: ANSWER_HEADERS.ETag, 'X-Request-Id': ANSWER_HEADERS['X-Request-Id'] },
      isValidated: true,
      forms: jsonContent(SINGLE),
      errors: {
        404: 'There is no such organisation, or the edition does not know relationships.',
      },
    },
    ask: ({ values, request }) => {
      const open = (): OpenDownload => {
        const edition = currentOf(editions);
        const { row, code } = findOrganisation(edition, values.code);
        const day = today();
        const { practitioners } = edition;
        const people = mayShowPeople(served, request) ? practitioners : undefined;
        const identity = [edition.number, edition.publishedAt, program, people?.version, day, code];
        const etag = `W/"${hash('sha1', JSON.stringify(identity)).slice(0, 20)}"`;
        return {
          etag,
          headers: practitioners === undefined ? [] : ['Vary', 'Origin'],
          pieces: longAnswers.pieces({
            kind: SEARCH_RESULTS,
            isShort: () => edition.links.incoming(code).length <= SMALL_MAX,
            key: { owner: edition, name: etag },
            make: () => textPieces(singleTexts(createSearchView(edition, day), row, people)),
          }),
        };
      };
      return { open, contentType: JSON_FORM.contentType };
    },
  });
}

/** A page of another origin gets the organisation without the people who work there. */
function mayShowPeople({ sharesPractitioners }: ServedReports, request: FhirRequest): boolean {
  return sharesPractitioners || headerOf(request, 'origin') === undefined;
}

/** Answers with more objects take many turns of the event loop. */
const SMALL_MAX = 1000;

const SEARCH_RESULTS = 'large results of searches';

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
function findOrganisation(edition: Edition, code: string): { row: number; code: string } {
  const found = findRow(edition.links, code);
  if (found === undefined) {
    throw FhirError.of('no-record', `There is no organisation with the code "${code}".`);
  }
  if (!edition.hasLinks) throw FhirError.of('no-record', LINKS_UNKNOWN_TEXT);
  return found;
}
