/** The parameters of R4 searches that select the page and its form. */
import type { ResultParameter } from '../../fhir/search/parameter.ts';
import { refused } from '../../fhir/search/parsed.ts';
import {
  FORMAT_PARAMETERS,
  parseWholeNumber,
  resultParameter,
} from '../../fhir/search/result-parameters.ts';
import { SUBSET_PARAMETERS, type SubsetOptions } from '../../fhir/search/subset.ts';
import { EDITION_PARAMETER, pageDefaultsOf } from '../page-parameters.ts';
import { type PageOptions, ROW_OFFSETS } from '../search.ts';
import type { DirectorySettings } from '../settings.ts';

interface PageContext {
  readonly settings: DirectorySettings;
}

export type R4PageOptions = PageOptions & SubsetOptions;

export const R4_PAGE_PARAMETERS: readonly ResultParameter<R4PageOptions, PageContext>[] = [
  resultParameter(
    {
      name: '_count',
      type: 'number',
      documentation:
        'The most matches on a page; 0 for only the total. The server may allow fewer.',
    },
    (text, { settings }: PageContext) => {
      const count = parseWholeNumber(text);
      if (count === undefined) return notWhole('_count', text);
      return { value: { count: Math.min(count, settings.countMax) } };
    },
  ),
  resultParameter(
    { name: '_offset', type: 'number', documentation: 'The number of matches before the page.' },
    (text) => {
      const start = parseWholeNumber(text);
      return start === undefined ? notWhole('_offset', text) : { value: { start } };
    },
  ),
  EDITION_PARAMETER,
  ...SUBSET_PARAMETERS,
  ...FORMAT_PARAMETERS,
];

/** The parameters that the links of a Bundle replace. */
export const R4_LINK_PARAMETERS: readonly string[] = ['_count', '_offset', '_edition'];

export function r4PageDefaults(context: PageContext): R4PageOptions {
  return { ...pageDefaultsOf(context, ROW_OFFSETS), summary: 'false', elements: undefined };
}

function notWhole(name: string, text: string) {
  return refused('invalid-value', `${name} must be a whole number, 0 or more. Got "${text}".`);
}
