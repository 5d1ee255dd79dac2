/** Searches the full records of an edition, then its reference-only ones. */
import type { TokenCriterion } from '../../fhir/search/token.ts';
import type { Edition } from '../edition.ts';
import type { DirectoryCriterion, DirectoryQuery, Page } from '../query.ts';
import { offsetOf, type PageOptions } from '../search.ts';

/** The section of a record, or its record class. */
type RecordTypeCriterion = TokenCriterion<'recordType'>;

export type SectionCriterion = DirectoryCriterion | RecordTypeCriterion;

/** Whether the index of each section has the field of the criterion. */
export function isColumnCriterion(criterion: SectionCriterion): criterion is DirectoryCriterion {
  return criterion.type === 'not' || criterion.field !== 'recordType';
}

export function findInSections(
  { index, references }: Edition,
  criteria: readonly SectionCriterion[],
  page: PageOptions,
): Page {
  const { count } = page;
  const offset = offsetOf(page);
  const ofFull = queryOf(criteria, 'Full');
  const full = ofFull === undefined ? NOTHING : index.search(ofFull, offset, count);
  const ofReferences = queryOf(criteria, 'RefOnly');
  if (ofReferences === undefined || references.index.count === 0) return full;
  const rest = references.index.search(
    ofReferences,
    Math.max(0, offset - full.total),
    count - full.rows.length,
  );
  return {
    total: full.total + rest.total,
    rows: [...full.rows, ...rest.rows.map((row) => row + index.count)],
  };
}

const NOTHING: Page = { total: 0, rows: [] };

/** The query of a section; undefined if none of its records can match. */
function queryOf(
  criteria: readonly SectionCriterion[],
  recordUse: 'Full' | 'RefOnly',
): DirectoryQuery | undefined {
  const ofSection: DirectoryCriterion[] = [];
  for (const criterion of criteria) {
    if (isColumnCriterion(criterion)) {
      ofSection.push(criterion);
      continue;
    }
    const codes = criterion.values.map(({ code = '' }) => code);
    if (codes.includes(recordUse)) continue;
    const classes = codes.filter((code) => code.startsWith('RC'));
    if (classes.length === 0) return undefined;
    const values = classes.map((code) => ({ code: code.slice('RC'.length) }));
    ofSection.push({ type: 'token', field: 'recordClass', values });
  }
  return { criteria: ofSection };
}
