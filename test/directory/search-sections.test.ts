/** A search of both sections has the same pages as a plain sort of all records. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DirectorySortKey,
  openOrganizationIndex,
} from '../../src/directory/index/organization-index.ts';
import { lastUpdatedMs, type OrganizationRecord } from '../../src/directory/record/record.ts';
import { fold } from '../../src/fhir/search/string.ts';
import { searchSections } from '../../src/interfaces/faces/search-sections.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { naiveSearch } from './index/naive-search.ts';
import { arraysOf, criterion, recordParts, sortedRecords, spread } from './index/random-records.ts';

const searches = fc.record({
  query: fc.record({ criteria: fc.array(criterion, { maxLength: 1 }) }),
  sort: fc.array(
    fc.record({
      field: fc.constantFrom('name' as const, 'lastUpdated' as const, 'row' as const),
      isDescending: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80 })),
  limit: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.constant(1000)),
});

test('full and reference-only records are found one after the other, or sorted together', () => {
  fc.assert(
    fc.property(
      fc.array(recordParts, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 2, max: 9 }),
      fc.array(searches, { minLength: 4, maxLength: 12 }),
      (parts, count, share, asked) => {
        const all = sortedRecords(spread(parts, count));
        const full = all.filter((_, i) => i % share !== 0);
        const references = all.filter((_, i) => i % share === 0);
        const index = openOrganizationIndex(arraysOf(full));
        const sections = {
          index,
          references: { index: openOrganizationIndex(arraysOf(references)) },
        };
        const records = [...full, ...references];
        for (const { query, sort, offset, limit } of asked) {
          const rows = [
            ...naiveSearch(full, query, 0, count).rows,
            ...naiveSearch(references, query, 0, count).rows.map((row) => row + full.length),
          ];
          const sorted = sort.length === 0 ? rows : rows.toSorted(comparator(records, sort));
          assert.deepEqual(
            searchSections(sections, { full: query, references: query }, offset, limit, sort),
            { total: rows.length, rows: sorted.slice(offset, offset + limit) },
            JSON.stringify({ query, sort, offset, limit }),
          );
        }
        assert.equal(
          searchSections(sections, { full: undefined, references: { criteria: [] } }, 0, 5).total,
          references.length,
        );
      },
    ),
    { numRuns: repetitions(35, 100) },
  );
});

function comparator(records: readonly OrganizationRecord[], sort: readonly DirectorySortKey[]) {
  const sortedBy = (
    { code, name, lastUpdated }: OrganizationRecord,
    field: DirectorySortKey['field'],
  ) => {
    if (field === 'row') return code;
    if (field === 'lastUpdated') return lastUpdatedMs({ lastUpdated });
    return name === undefined ? undefined : fold(name);
  };
  return (one: number, other: number): number => {
    for (const { field, isDescending } of sort) {
      const [first, second] = [one, other].map((row) => sortedBy(records[row]!, field));
      if (first === second) continue;
      if (first === undefined) return 1;
      if (second === undefined) return -1;
      return first < second === isDescending ? 1 : -1;
    }
    return records[one]!.code < records[other]!.code ? -1 : 1;
  };
}
