/** The search for practitioners. */
import { IMPORT_PRACTITIONERS } from '../../../directory/ask/find-practitioners.ts';
import type { Edition } from '../../../directory/edition/edition.ts';
import type { Practitioners } from '../../../directory/practitioners/practitioners.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { currentOf, longAnswersOf } from '../../answer/editions.ts';
import { textPieces } from '../../answer/long-answers.ts';
import type { PlainResult } from '../../json/endpoint.ts';
import type { ServedReports } from '../csv/get-report.ts';
import type { OrganisationSearch } from './body.ts';
import { practitionerText } from './practitioner-members.ts';

export function practitionerResult(
  { editions, today, sharesPractitioners }: ServedReports,
  wanted: OrganisationSearch,
): PlainResult {
  const { text, offset, batchSize, isCounted } = wanted;
  const edition = currentOf(editions);
  const practitioners = requirePractitioners(edition);
  const rows = practitioners.search(text);
  const page = rows.slice(offset, offset + batchSize);
  const count = isCounted ? rows.length : undefined;
  const day = today();
  const pieces = longAnswersOf(editions).pieces({
    kind: 'large results of searches',
    isShort: () => page.length <= SMALL_MAX,
    // Other practitioners come with another edition.
    key: { owner: edition, name: JSON.stringify(['practitionerGeneralSearch', day, wanted]) },
    make: () => textPieces(foundTexts(practitioners, page, day, count)),
  });
  return { pieces, isForOwnOrigin: !sharesPractitioners };
}

/** Answers with more people take many turns of the event loop. */
const SMALL_MAX = 1000;

/** Throws a FhirError with the remedy if none were imported. */
function requirePractitioners({ practitioners }: Edition): Practitioners {
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
