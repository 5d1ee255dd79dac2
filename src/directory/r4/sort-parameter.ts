/** The parameter `_sort` of R4: https://hl7.org/fhir/R4/search.html#sort */
import type { ResultParameter } from '../../fhir/search/parameter.ts';
import { refused } from '../../fhir/search/parsed.ts';
import { resultParameter } from '../../fhir/search/result-parameters.ts';
import { ROW_FIELD } from '../index/columns/columns.ts';
import type { DirectorySortKey } from '../query.ts';
import type { FindOptions } from './find.ts';

/** The fields of the index by the names of their parameters. */
const FIELDS = {
  name: 'name',
  _id: ROW_FIELD,
  lastChangeDate: 'lastUpdated',
} as const;

export const r4SortParameter: ResultParameter<Pick<FindOptions, 'sort'>> = resultParameter(
  {
    name: '_sort',
    type: 'string',
    documentation: 'The order: name, _id or lastChangeDate; with a minus sign: descending.',
  },
  (text) => {
    const sort: DirectorySortKey[] = [];
    for (const key of text.split(',')) {
      const name = key.replace(/^-/, '');
      if (!isField(name)) {
        return refused(
          'invalid-value',
          `_sort cannot be "${key}". Send one or more of ${Object.keys(FIELDS).join(', ')}, separated by ` +
            'commas. Put a minus sign before a name to sort in descending order.',
        );
      }
      sort.push({ field: FIELDS[name], isDescending: key.startsWith('-') });
    }
    return { value: { sort } };
  },
);

function isField(name: string): name is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, name);
}
