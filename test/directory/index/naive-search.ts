/** The search without any index: compares the entries of every record. The index must agree. */

import { ORGANIZATION_COLUMNS } from '../../../src/directory/index/organization-columns.ts';
import type { DirectoryCriterion, DirectoryQuery, Page } from '../../../src/directory/query.ts';
import type { OrganizationRecord } from '../../../src/directory/record.ts';
import { matchesDate } from '../../../src/fhir/search/date.ts';
import { fold } from '../../../src/fhir/search/fold.ts';
import { matchesString } from '../../../src/fhir/search/string.ts';
import { matchesToken } from '../../../src/fhir/search/token.ts';

/** `records` are sorted by code; a record's row is its place among them. */
export function naiveSearch(
  records: readonly OrganizationRecord[],
  query: DirectoryQuery,
  offset: number,
  limit: number,
): Page {
  const tests = query.criteria.map(entryTest);
  const rows = records.flatMap((record, row) => (tests.every((test) => test(record)) ? [row] : []));
  return { total: rows.length, rows: rows.slice(offset, offset + limit) };
}

/** Whether one entry of a record matches one value of the criterion. */
function entryTest(criterion: DirectoryCriterion): (record: OrganizationRecord) => boolean {
  switch (criterion.type) {
    case 'string': {
      const { entriesOf } = ORGANIZATION_COLUMNS.string[criterion.field];
      const { match } = criterion;
      const values = criterion.values.map((value) => (match === 'exact' ? value : fold(value)));
      return (record) =>
        entriesOf(record).some((entry) =>
          values.some((value) => matchesString(entry, match, value)),
        );
    }
    case 'token': {
      const { entriesOf } = ORGANIZATION_COLUMNS.token[criterion.field];
      const { values, ignoreCase = false, isNegated = false } = criterion;
      return (record) =>
        entriesOf(record).some((entry) =>
          values.some((value) => matchesToken(entry, value, ignoreCase)),
        ) !== isNegated;
    }
    case 'date': {
      const { entriesOf } = ORGANIZATION_COLUMNS.date[criterion.field];
      return (record) =>
        entriesOf(record).some((entry) =>
          criterion.values.some((value) => matchesDate(entry, value)),
        );
    }
  }
}
