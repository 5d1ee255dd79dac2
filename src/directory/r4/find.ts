/** Searches the full records of an edition, then its reference-only ones. */
import { type DateCriterion, matchesDate } from '../../fhir/search/date.ts';
import type { TokenCriterion } from '../../fhir/search/token.ts';
import type { Edition } from '../edition.ts';
import type { OrganizationIndex } from '../index/organization-index.ts';
import type { DirectoryCriterion, DirectoryQuery, Page } from '../query.ts';
import { offsetOf, type PageOptions } from '../search.ts';
import { searchSections } from '../search-sections.ts';

/** The section of a record, or its record class. */
type RecordTypeCriterion = TokenCriterion<'recordType'>;
/** The time of the edition in which a record changed last. */
type ChangeCriterion = DateCriterion<'changed'>;

export type SectionCriterion = DirectoryCriterion | RecordTypeCriterion | ChangeCriterion;

/** Whether the index of each section has the field of the criterion. */
export function isColumnCriterion(criterion: SectionCriterion): criterion is DirectoryCriterion {
  return criterion.type === 'not' || !(isRecordType(criterion) || isChange(criterion));
}

export function findInSections(
  edition: Edition,
  criteria: readonly SectionCriterion[],
  page: PageOptions,
): Page {
  const { index, references } = edition;
  const { count } = page;
  const offset = offsetOf(page);
  const isChanged = changeTestOf(edition, criteria.filter(isChange));
  const queries = { full: queryOf(criteria, 'Full'), references: queryOf(criteria, 'RefOnly') };
  if (isChanged === undefined) return searchSections(edition, queries, offset, count);
  const full = findInSection(index, queries.full, isChanged, offset, count);
  if (references.index.count === 0) return full;
  const rest = findInSection(
    references.index,
    queries.references,
    (row) => isChanged(row + index.count),
    Math.max(0, offset - full.total),
    count - full.rows.length,
  );
  return {
    total: full.total + rest.total,
    rows: [...full.rows, ...rest.rows.map((row) => row + index.count)],
  };
}

/** `isWanted`: a condition besides those of the query. */
function findInSection(
  index: OrganizationIndex,
  query: DirectoryQuery | undefined,
  isWanted: (row: number) => boolean,
  offset: number,
  count: number,
): Page {
  if (query === undefined) return NOTHING;
  const rows = index.search(query, 0, index.count).rows.filter(isWanted);
  return { total: rows.length, rows: rows.slice(offset, offset + count) };
}

const NOTHING: Page = { total: 0, rows: [] };

/** Whether the record of a row changed last at a wanted time; undefined if every time is wanted. */
function changeTestOf(
  edition: Edition,
  criteria: readonly ChangeCriterion[],
): ((row: number) => boolean) | undefined {
  if (criteria.length === 0) return undefined;
  // Many records changed last in the same edition.
  const isWanted = new Map<number, boolean>();
  return (row) => {
    const { number, publishedAt } = edition.changedIn(row);
    let known = isWanted.get(number);
    if (known === undefined) {
      const start = Date.parse(publishedAt);
      const instant = { start, end: start + 1 };
      known = criteria.every(({ values }) => values.some((value) => matchesDate(instant, value)));
      isWanted.set(number, known);
    }
    return known;
  };
}

/** The query of a section; undefined if none of its records can match. */
function queryOf(
  criteria: readonly SectionCriterion[],
  recordUse: 'Full' | 'RefOnly',
): DirectoryQuery | undefined {
  const ofSection = criteria.filter(isColumnCriterion);
  for (const { values } of criteria.filter(isRecordType)) {
    const codes = values.map(({ code = '' }) => code);
    if (codes.includes(recordUse)) continue;
    const classes = codes.filter((code) => code.startsWith('RC'));
    if (classes.length === 0) return undefined;
    const classValues = classes.map((code) => ({ code: code.slice('RC'.length) }));
    ofSection.push({ type: 'token', field: 'recordClass', values: classValues });
  }
  return { criteria: ofSection };
}

function isRecordType(criterion: SectionCriterion): criterion is RecordTypeCriterion {
  return criterion.type === 'token' && criterion.field === 'recordType';
}

function isChange(criterion: SectionCriterion): criterion is ChangeCriterion {
  return criterion.type === 'date' && criterion.field === 'changed';
}
