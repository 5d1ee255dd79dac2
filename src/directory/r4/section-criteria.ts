/** Criteria of R4 that depend on the section of a record, or on the edition in which it changed last. */
import { type DateCriterion, matchesDate } from '../../fhir/search/date.ts';
import type { TokenCriterion } from '../../fhir/search/token.ts';
import type { Edition } from '../edition.ts';
import { perEdition } from '../per-edition.ts';
import type { DirectoryCriterion, DirectoryQuery } from '../query.ts';

/** The section of a record, or its record class. */
type RecordTypeCriterion = TokenCriterion<'recordType'>;
/** The time of the edition in which a record changed last. */
type ChangeCriterion = DateCriterion<'changed'>;

export type SectionCriterion = DirectoryCriterion | RecordTypeCriterion | ChangeCriterion;

/** Whether the index of each section has the field of the criterion. */
export function isColumnCriterion(criterion: SectionCriterion): criterion is DirectoryCriterion {
  return criterion.type === 'not' || !(isRecordType(criterion) || isChange(criterion));
}

/** The query of a section; undefined if none of its records can match. */
export function sectionQuery(
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

/**
 * Whether the record of a row changed last at a wanted time, for rows of both sections: a test of a
 * row, or the same for all rows.
 */
export function changeTest(
  edition: Edition,
  criteria: readonly SectionCriterion[],
): ((row: number) => boolean) | boolean {
  const changes = criteria.filter(isChange);
  if (changes.length === 0) return true;
  const times = changeTimes(edition);
  const wanted = new Set(
    [...times].flatMap(([number, start]) => {
      const instant = { start, end: start + 1 };
      const isWanted = changes.every(({ values }) =>
        values.some((value) => matchesDate(instant, value)),
      );
      return isWanted ? [number] : [];
    }),
  );
  if (wanted.size === 0 || wanted.size === times.size) return wanted.size > 0;
  return (row) => wanted.has(edition.changedIn(row).number);
}

/** The publication, in milliseconds since 1970 UTC, of each edition in which a record changed last. */
const changeTimes = perEdition((edition): ReadonlyMap<number, number> => {
  const times = new Map<number, number>();
  for (let row = 0; row < edition.relations.rowCount; row++) {
    const { number, publishedAt } = edition.changedIn(row);
    if (!times.has(number)) times.set(number, Date.parse(publishedAt));
  }
  return times;
});

function isRecordType(criterion: SectionCriterion): criterion is RecordTypeCriterion {
  return criterion.type === 'token' && criterion.field === 'recordType';
}

function isChange(criterion: SectionCriterion): criterion is ChangeCriterion {
  return criterion.type === 'date' && criterion.field === 'changed';
}
