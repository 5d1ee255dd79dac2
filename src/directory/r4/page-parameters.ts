/** The parameters of R4 searches that select the page and its form. */
import type { ResultParameter } from '../../fhir/search/parameter.ts';
import { refused } from '../../fhir/search/parsed.ts';
import {
  cappedCountParameter,
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

/** https://hl7.org/fhir/R4/search.html#total */
export const TOTAL_PARAMETER: ResultParameter<unknown> = resultParameter(
  {
    name: '_total',
    type: 'token',
    documentation: 'none, estimate or accurate. No effect: total is always exact.',
  },
  (text) =>
    /^(none|estimate|accurate)$/.test(text)
      ? { value: {} }
      : refused('invalid-value', `_total cannot be "${text}". Send none, estimate or accurate.`),
);

export type R4PageOptions = PageOptions & SubsetOptions;

export const R4_PAGE_PARAMETERS: readonly ResultParameter<R4PageOptions, PageContext>[] = [
  cappedCountParameter(({ settings }: PageContext) => settings['r4.countMax']),
  resultParameter(
    { name: '_offset', type: 'number', documentation: 'The number of matches before the page.' },
    (text) => {
      const start = parseWholeNumber(text);
      if (start !== undefined) return { value: { start } };
      return refused('invalid-value', `_offset must be a whole number, 0 or more. Got "${text}".`);
    },
  ),
  TOTAL_PARAMETER,
  EDITION_PARAMETER,
  ...SUBSET_PARAMETERS,
  ...FORMAT_PARAMETERS,
];

/** The parameters that the links of a Bundle replace. */
export const R4_LINK_PARAMETERS: readonly string[] = ['_count', '_offset', '_edition'];

export function r4PageDefaults({ settings }: PageContext): R4PageOptions {
  return {
    ...pageDefaultsOf(settings['r4.countMax'], ROW_OFFSETS),
    summary: 'false',
    elements: undefined,
  };
}
