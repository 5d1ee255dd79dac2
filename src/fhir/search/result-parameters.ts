/**
 * Parameters that shape the answer of a search of any type: its size and its format.
 * https://hl7.org/fhir/STU3/search.html#return
 */

import { unknownValue } from '../request/unknown-name.ts';
import type { ResultParameter, SearchParameter } from './parameter.ts';
import { type Parsed, refused } from './parsed.ts';

/** What every search has, whether its parameters set it or not. */
export interface ResultOptions {
  /** Matches on a page. 0 if the client requests only the total. */
  readonly count: number;
  readonly isCountOnly: boolean;
}

export function resultParameter<Options, Context = unknown>(
  declared: Pick<SearchParameter, 'name' | 'type' | 'documentation'> & Partial<SearchParameter>,
  parse: ResultParameter<Options, Context>['parse'],
): ResultParameter<Options, NoInfer<Context>> {
  const common = { modifiers: [], isCriterion: false, isRepeatable: false };
  return { kind: 'result', ...common, ...declared, parse };
}

export function countParameter<Context>(
  countMaxOf: (context: Context) => number,
  diagnosticsOf: (countMax: number) => string,
): ResultParameter<ResultOptions, NoInfer<Context>> {
  const documentation = 'The most matches on a page; 0 for only the total.';
  return resultParameter(
    { name: '_count', type: 'number', documentation },
    (text, context: Context) => {
      const count = parseWholeNumber(text);
      const countMax = countMaxOf(context);
      if (count !== undefined && count <= countMax) return { value: { count } };
      return refused('invalid-value', diagnosticsOf(countMax));
    },
  );
}

/** For servers that return fewer matches than asked for, as FHIR allows. */
export function cappedCountParameter<Context>(
  countMaxOf: (context: Context) => number,
): ResultParameter<ResultOptions, NoInfer<Context>> {
  const documentation =
    'The most matches on a page; 0 for only the total. The server may allow fewer.';
  return resultParameter(
    { name: '_count', type: 'number', documentation },
    (text, context: Context) => {
      const count = parseWholeNumber(text);
      if (count !== undefined) return { value: { count: Math.min(count, countMaxOf(context)) } };
      return refused('invalid-value', `_count must be a whole number, 0 or more. Got "${text}".`);
    },
  );
}

/** https://hl7.org/fhir/R4/search.html#total */
export const TOTAL_PARAMETER: ResultParameter<unknown> = resultParameter(
  {
    name: '_total',
    type: 'token',
    documentation: 'none, estimate or accurate. No effect: total is always exact.',
  },
  (text) =>
    TOTALS.includes(text)
      ? { value: {} }
      : refused('invalid-value', unknownValue('_total', text, TOTALS)),
);

const TOTALS = ['none', 'estimate', 'accurate'];

/** `false`, where a search accepts it, has no effect. */
export function summaryParameter(
  values: readonly ('count' | 'false')[],
): ResultParameter<ResultOptions> {
  const documentation = values.map((value) => SUMMARY_TEXTS[value]).join('; ');
  return resultParameter(
    { name: '_summary', type: 'token', documentation: `${documentation}.` },
    (text): Parsed<Partial<ResultOptions>> => {
      const value = values.find((one) => one === text);
      if (value !== undefined) return { value: { isCountOnly: value === 'count' } };
      // The words of the national service do not say which values exist.
      const hint = unknownValue('_summary', text, values);
      return refused('invalid-value', 'Invalid _summary parameter.', hint);
    },
  );
}

const SUMMARY_TEXTS = { count: 'count: only the total', false: 'false: the matches too' };

/**
 * The parameters that content negotiation has read before the search. The search only reports
 * their problem, in its place among the others.
 */
export const FORMAT_PARAMETERS: readonly ResultParameter<unknown>[] = [
  formatParameter('_format', 'json or xml, or a media type of either.'),
  formatParameter('_pretty', 'true: indented.'),
];

/** Content negotiation reads these for every interaction, not only for searches. */
export const FORMAT_NAMES: ReadonlySet<string> = new Set(FORMAT_PARAMETERS.map(({ name }) => name));

function formatParameter(name: string, documentation: string): ResultParameter<unknown> {
  return resultParameter(
    { name, type: 'token', documentation },
    (_text, _context, { request: { formIssue } }) =>
      formIssue?.location === `http.${name}` ? { issues: [formIssue] } : { value: {} },
  );
}

/** Numbers beyond JavaScript's whole numbers become the largest of these. */
export function parseWholeNumber(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
