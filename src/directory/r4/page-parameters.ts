/** The parameters of R4 searches that select the page and its form. */
import type { ResultParameter } from '../../fhir/search/parameter.ts';
import {
  cappedCountParameter,
  FORMAT_PARAMETERS,
  TOTAL_PARAMETER,
} from '../../fhir/search/result-parameters.ts';
import { SUBSET_PARAMETERS, type SubsetOptions } from '../../fhir/search/subset.ts';
import {
  EDITION_PARAMETER,
  OFFSET_PARAMETER,
  type PageOptions,
  pageDefaultsOf,
  ROW_OFFSETS,
} from '../answer/search.ts';
import type { DefinitionParameter } from '../definition-search.ts';
import type { DirectorySettings } from '../settings.ts';

interface PageContext {
  readonly settings: DirectorySettings;
}

export type R4PageOptions = PageOptions & SubsetOptions;

export const R4_PAGE_PARAMETERS: readonly ResultParameter<R4PageOptions, PageContext>[] = [
  cappedCountParameter(({ settings }: PageContext) => settings['r4.countMax']),
  OFFSET_PARAMETER,
  TOTAL_PARAMETER,
  EDITION_PARAMETER,
  ...SUBSET_PARAMETERS,
  ...FORMAT_PARAMETERS,
];

/** The parameters that every search of resources about the directory has in R4. */
export const R4_DEFINITION_PARAMETERS: readonly DefinitionParameter[] = [
  ...(['_id', '_lastUpdated', '_count', '_offset', '_total'] as const),
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
