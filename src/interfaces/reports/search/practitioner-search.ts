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
  const edition = currentOf(editions);
  const practitioners = requirePractitioners(edition);
  const day = today();
  let found: Found | undefined;
  // A kept answer needs no search.
  const find = (): Found => {
    found ??= findPage(practitioners, wanted);
    return found;
  };
  const pieces = longAnswersOf(editions).pieces({
    kind: 'large results of searches',
    isShort: () => find().rows.length <= SMALL_MAX,
    // Other practitioners come with another edition.
    key: { owner: edition, name: JSON.stringify(['practitionerGeneralSearch', day, wanted]) },
    make: () => textPieces(foundTexts(practitioners, find(), day)),
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

interface Found {
  /** Of the page. */
  readonly rows: readonly number[];
  /** The number of all matches, if the client asks for it. */
  readonly count: number | undefined;
}

function findPage(
  practitioners: Practitioners,
  { text, offset, batchSize, isCounted }: OrganisationSearch,
): Found {
  const rows = practitioners.search(text);
  return {
    rows: rows.slice(offset, offset + batchSize),
    count: isCounted ? rows.length : undefined,
  };
}

function* foundTexts(
  practitioners: Practitioners,
  { rows, count }: Found,
  day: string,
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
