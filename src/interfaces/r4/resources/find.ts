/** Finds organisations in both sections of an edition, by criteria of R4. */

import type { Edition } from '../../../directory/edition/edition.ts';
import type {
  DirectoryCriterion,
  DirectoryQuery,
} from '../../../directory/index/organization-index.ts';
import type { Page } from '../../../directory/index/search-index.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { fold } from '../../../fhir/search/string.ts';
import type { TokenCriterion, TokenValue } from '../../../fhir/search/token.ts';
import { offsetOf, type PageOptions } from '../../faces/search.ts';
import { searchSections } from '../../faces/search-sections.ts';
import type { OrderOptions } from './result-parameters.ts';
import { R4_SYSTEMS } from './systems.ts';

/** The rows are numbered over both sections. */
export function findOrganizations(
  edition: Edition,
  criteria: readonly SectionCriterion[],
  options: PageOptions & OrderOptions,
): Page {
  const { count, sort } = options;
  const queries = {
    full: sectionQuery(criteria, 'Full'),
    references: sectionQuery(criteria, 'RefOnly'),
  };
  return searchSections(edition, queries, offsetOf(options), count, sort);
}

/** The section of a record, or its record class. */
type RecordTypeCriterion = TokenCriterion<'recordType'>;

export type SectionCriterion = DirectoryCriterion | RecordTypeCriterion;

/** Whether the index of each section has the field of the criterion. */
export function isColumnCriterion(criterion: SectionCriterion): criterion is DirectoryCriterion {
  return !isRecordType(criterion);
}

/** The query of a section; undefined if none of its records can match. */
function sectionQuery(
  criteria: readonly SectionCriterion[],
  recordUse: 'Full' | 'RefOnly',
): DirectoryQuery | undefined {
  const ofSection = criteria.filter(isColumnCriterion);
  for (const { values } of criteria.filter(isRecordType)) {
    const isOfUse = ({ system, code }: TokenValue) =>
      code === recordUse || system === R4_SYSTEMS.recordUse;
    if (values.some(isOfUse)) continue;
    const classValues = values.flatMap(({ system, code = '' }) => {
      if (system === R4_SYSTEMS.recordClass) return [{}];
      return code.startsWith('RC') ? [{ code: code.slice('RC'.length) }] : [];
    });
    if (classValues.length === 0) return undefined;
    ofSection.push({ type: 'token', field: 'recordClass', values: classValues });
  }
  return { criteria: ofSection };
}

function isRecordType(criterion: SectionCriterion): criterion is RecordTypeCriterion {
  return criterion.type === 'token' && criterion.field === 'recordType';
}

/**
 * Throws a FhirError if the search has too many texts of one or two characters for `:contains`. Nearly
 * every organisation contains them, so each costs time.
 */
export function refuseManyShortTexts(criteria: readonly SectionCriterion[]): void {
  const texts = criteria.flatMap((criterion) =>
    criterion.type === 'string' && criterion.match === 'contains' ? criterion.values : [],
  );
  const short = texts.filter((text) => fold(text).length < LONG_LENGTH);
  if (short.length > SHORT_TEXTS_MAX) throw TOO_MANY_SHORT_TEXTS;
}

const LONG_LENGTH = 3;

/** In 350,000 organisations, a search for one letter takes up to 4 ms. */
const SHORT_TEXTS_MAX = 10;

const TOO_MANY_SHORT_TEXTS = FhirError.of(
  'too-costly',
  `A search can have at most ${SHORT_TEXTS_MAX} texts of fewer than ${LONG_LENGTH} characters with ` +
    ':contains. Send fewer or longer texts.',
);
