/** Limits the texts of a search that nearly every organisation contains, because each costs time. */

import { fold } from '../../fhir/search/fold.ts';
import { FhirError } from '../../fhir/service/fhir-error.ts';
import type { SectionCriterion } from './section-criteria.ts';

/** Throws a FhirError if the search has too many texts of one or two characters for `:contains`. */
export function refuseManyShortTexts(criteria: readonly SectionCriterion[]): void {
  const texts = criteria.flatMap((criterion) =>
    criterion.type === 'string' && criterion.match === 'contains' ? criterion.values : [],
  );
  if (texts.filter(isShort).length > SHORT_TEXTS_MAX) throw TOO_MANY_SHORT_TEXTS;
}

function isShort(text: string): boolean {
  return fold(text).length < LONG_LENGTH;
}

const LONG_LENGTH = 3;

/** In 350,000 organisations, a search for one letter takes up to 4 ms. */
const SHORT_TEXTS_MAX = 10;

const TOO_MANY_SHORT_TEXTS = new FhirError([
  {
    kind: 'too-costly',
    diagnostics:
      `A search can have at most ${SHORT_TEXTS_MAX} texts of fewer than ${LONG_LENGTH} characters with ` +
      ':contains. Send fewer or longer texts.',
  },
]);
