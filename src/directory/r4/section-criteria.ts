/** Criteria of R4 that depend on the section of a record. */
import type { TokenCriterion, TokenValue } from '../../fhir/search/token.ts';
import type { DirectoryCriterion, DirectoryQuery } from '../query.ts';
import { R4_SYSTEMS } from './systems.ts';

/** The section of a record, or its record class. */
type RecordTypeCriterion = TokenCriterion<'recordType'>;

export type SectionCriterion = DirectoryCriterion | RecordTypeCriterion;

/** Whether the index of each section has the field of the criterion. */
export function isColumnCriterion(criterion: SectionCriterion): criterion is DirectoryCriterion {
  return !isRecordType(criterion);
}

/** The query of a section; undefined if none of its records can match. */
export function sectionQuery(
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
