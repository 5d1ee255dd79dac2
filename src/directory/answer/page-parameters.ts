/** The parameters that select the page of a search and its form. */
import type { ResultParameter } from '../../fhir/search/parameter.ts';
import { refused } from '../../fhir/search/parsed.ts';
import {
  countParameter,
  FORMAT_PARAMETERS,
  parseWholeNumber,
  resultParameter,
  summaryParameter,
} from '../../fhir/search/result-parameters.ts';
import type { DirectorySettings } from '../settings.ts';
import { PAGE_NUMBERS, type PageOptions, type Paging } from './search.ts';

interface PageContext {
  readonly settings: DirectorySettings;
}

/** The parameter in the links of a search by which all its pages belong to one edition. */
export const EDITION_PARAMETER: ResultParameter<PageOptions> = resultParameter(
  {
    name: '_edition',
    type: 'number',
    documentation: 'The edition that the links of a search belong to.',
  },
  (text) => {
    const edition = parseWholeNumber(text);
    if (edition !== undefined) return { value: { edition } };
    return refused(
      'invalid-value',
      'Supplied _edition is invalid, it must be the number of an edition',
    );
  },
);

export const OFFSET_PARAMETER: ResultParameter<PageOptions> = resultParameter(
  { name: '_offset', type: 'number', documentation: 'The number of matches before the page.' },
  (text) => {
    const start = parseWholeNumber(text);
    if (start !== undefined) return { value: { start } };
    return refused('invalid-value', `_offset must be a whole number, 0 or more. Got "${text}".`);
  },
);

export const PAGE_PARAMETERS: readonly ResultParameter<PageOptions, PageContext>[] = [
  countParameter(
    ({ settings }: PageContext) => settings.countMax,
    (countMax) =>
      `Supplied limit is invalid, the parameter must take an integer between 0 and ${countMax}`,
  ),
  resultParameter(
    { name: '_page', type: 'number', documentation: 'The number of the page, from 1.' },
    (text) => {
      const start = parseWholeNumber(text);
      if (start !== undefined && start >= 1) return { value: { start } };
      return refused('invalid-value', 'page must be a number larger than 0');
    },
  ),
  EDITION_PARAMETER,
  summaryParameter(['count']),
  ...FORMAT_PARAMETERS,
];

/** The parameters that the links of a Bundle replace. */
export const PAGE_LINK_PARAMETERS: readonly string[] = ['_count', '_page', '_edition'];

/** The size of a page if the request does not set it. The largest page may be smaller. */
const DEFAULT_COUNT = 20;

export function pageDefaultsOf(countMax: number, paging: Paging = PAGE_NUMBERS): PageOptions {
  return {
    count: Math.min(DEFAULT_COUNT, countMax),
    paging,
    start: paging.first,
    edition: undefined,
    isCountOnly: false,
  };
}
