/** The search for practitioners. */
import { IMPORT_PRACTITIONERS } from '../../../directory/ask/find-practitioners.ts';
import type { Practitioners } from '../../../directory/practitioners/practitioners.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { answerPieces } from '../../../fhir/service/answer.ts';
import { withoutOtherOrigins } from '../../answer/answer-options.ts';
import type { createTextLimit } from '../../answer/downloads.ts';
import { currentOf, type Editions } from '../../answer/editions.ts';
import { JSON_FORM, type JsonRoute, readJsonBody } from '../../json/json-service.ts';
import type { ServedReports } from '../csv/get-report.ts';
import { PRACTITIONER_SEARCH, parseSearch } from './body.ts';
import { SEARCH_OPERATIONS } from './operations.ts';
import { practitionerText } from './practitioner-members.ts';

export function practitionerRoute(
  { editions, today, sharesPractitioners }: ServedReports,
  send: ReturnType<typeof createTextLimit>,
): JsonRoute {
  return {
    path: 'search/practitionerGeneralSearch',
    method: 'POST',
    interaction: 'search-type',
    operation: SEARCH_OPERATIONS.practitionerGeneralSearch,
    answer: async (context) => {
      const body = await readJsonBody(context.request, '{"searchQueryGeneral": "G1234567"}');
      const { text, offset, batchSize, isCounted } = parseSearch(body, PRACTITIONER_SEARCH);
      const practitioners = requirePractitioners(editions);
      const rows = practitioners.search(text);
      const page = rows.slice(offset, offset + batchSize);
      const count = isCounted ? rows.length : undefined;
      const texts = foundTexts(practitioners, page, today(), count);
      const answer = answerPieces(context, JSON_FORM, send(texts, page.length));
      return sharesPractitioners ? answer : withoutOtherOrigins(answer);
    },
  };
}

/** Throws a FhirError with the remedy if none were imported. */
function requirePractitioners(editions: Editions): Practitioners {
  const { practitioners } = currentOf(editions);
  if (practitioners !== undefined) return practitioners;
  throw FhirError.of('no-record', IMPORT_PRACTITIONERS);
}

function* foundTexts(
  practitioners: Practitioners,
  rows: readonly number[],
  day: string,
  count: number | undefined,
): Generator<string, void, undefined> {
  let start = '{"pracArray":[';
  for (const row of rows) {
    yield start + practitionerText(practitioners.at(row), day);
    start = ',';
  }
  const end = {
    pracCodeSystemUpdatedAt: practitioners.about.importedAt,
    ...(count !== undefined && { numberOfRecords: count }),
  };
  yield `${rows.length === 0 ? start : ''}],${JSON.stringify(end).slice(1)}`;
}
