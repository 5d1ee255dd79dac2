/** The keys of `_sort`: a repeated one separates nothing, and costs nothing. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { r4SortParameter } from '../../../src/interfaces/r4/resources/result-parameters.ts';

const form = { format: 'json', isPretty: false, contentType: '' } as const;
const request = { query: '', isLenient: false, form, formIssue: undefined };
const GIVEN = { request, modifier: '', options: {} };

it('_sort takes each field once, in the order of its first mention', () => {
  const text = ['name', '-lastChangeDate', ...Array(198).fill('-name')].join();
  assert.deepEqual(r4SortParameter.parse(text, undefined, GIVEN), {
    value: {
      sort: [
        { field: 'name', isDescending: false },
        { field: 'lastUpdated', isDescending: true },
      ],
    },
  });
});
