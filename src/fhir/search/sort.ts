/**
 * The parameter `_sort` of DSTU2: one parameter name in each, with the direction as the modifier.
 * https://hl7.org/fhir/DSTU2/search.html#sort
 */
import type { ResultParameter } from './parameter.ts';
import { refused } from './parsed.ts';

export interface SortKey {
  readonly field: string;
  readonly isDescending: boolean;
}

export interface SortOptions {
  /** The first key counts most. */
  readonly sort: readonly SortKey[];
}

/** `fields`: the parameters that a search can be sorted by. */
export function sortParameter(fields: readonly string[]): ResultParameter<SortOptions> {
  return {
    kind: 'result',
    name: '_sort',
    type: 'string',
    modifiers: ['asc', 'desc'],
    documentation:
      'The parameter to sort by. Repeat it to sort matches with equal values. Matches without a value come last.',
    isCriterion: false,
    isRepeatable: true,
    parse: (field, _context, { modifier, options: { sort = [] } }) => {
      if (fields.includes(field)) {
        return { value: { sort: [...sort, { field, isDescending: modifier === 'desc' }] } };
      }
      return refused(
        'invalid-value',
        `_sort cannot be "${field}". Send one of ${fields.join(', ')}; for the direction, write _sort:asc or _sort:desc.`,
      );
    },
  };
}
