/** Parses the query of a search of any type: its criteria and options, or every problem in it. */

import {
  formatPair,
  malformedPairIssue,
  type Pair,
  parseQueryString,
} from '../http/query-string.ts';
import { FhirError, type Issue } from '../request/fhir-error.ts';
import type { IndexCriterion, Query, ResourceCriterion } from './criterion.ts';
import { withPlusOfZones } from './date.ts';
import {
  type ImpossibleParameters,
  type NameTexts,
  PLAIN_TEXTS,
  problemOfName,
} from './name-texts.ts';
import type {
  ParameterDefinition,
  QualifierParameter,
  SearchParameter,
  SearchRequest,
} from './parameter.ts';
import { type Alternative, countAlternatives, type Parsed, parseAlternatives } from './parsed.ts';
import type { ResultOptions } from './result-parameters.ts';

/** How a type of resource is searched. */
export interface SearchDefinition<
  C extends ResourceCriterion | IndexCriterion,
  Options extends ResultOptions,
  Context,
> {
  readonly parameters: readonly ParameterDefinition<C, Options, Context>[];
  /** The options of a search that sets none. */
  readonly defaultsOf: (context: Context) => Options;
  /**
   * Parameters that the server's own links add. They do not count towards the limits, so that
   * every link of an accepted search works.
   */
  readonly linkParameters: readonly string[];
  /** Replaces the diagnostics of names that are not valid. */
  readonly nameTexts?: NameTexts;
  readonly impossible?: ImpossibleParameters;
  /**
   * Whether a parameter without a value has no effect, as R4 advises:
   * https://hl7.org/fhir/R4/search.html#errors
   */
  readonly ignoresEmpty?: boolean | undefined;
}

/** A search as parsed, with the options that its parameters set. */
export type ParsedSearch<
  C extends ResourceCriterion | IndexCriterion,
  Options extends ResultOptions,
> = Options & {
  readonly query: Query<C>;
  /** The pairs that the search uses, in the order of the request and as links write them. */
  readonly pairs: readonly UsedPair[];
  /** Whether a lenient search ignored parameters. */
  readonly hasIgnored: boolean;
  /** The criteria that were ignored because they have no value, by name. Absent if there are none. */
  readonly emptyNames?: readonly string[];
};

export interface UsedPair {
  /** With its modifier. */
  readonly name: string;
  /** The pair as a URL has it: `name=value`. */
  readonly text: string;
}

/** The most comma-separated values in one search. */
export const ALTERNATIVES_MAX = 200;

/** Throws a FhirError with every problem of the request, in the order of its parameters. */
export function parseSearchQuery<
  C extends ResourceCriterion | IndexCriterion,
  Options extends ResultOptions,
  Context,
>(
  request: SearchRequest,
  definition: SearchDefinition<C, Options, Context>,
  context: Context,
): ParsedSearch<C, Options> {
  const {
    parameters,
    defaultsOf,
    linkParameters,
    nameTexts = PLAIN_TEXTS,
    ignoresEmpty = false,
  } = definition;
  const pairs = splitPairs(request.query, linkParameters);
  const draft: Draft<C, Options> = {
    criteria: [],
    qualifiers: [],
    options: {},
    issues: [],
    met: new Set(),
    refused: new Set(),
  };
  const used: UsedPair[] = [];
  const emptyNames = new Set<string>();
  let hasIgnored = false;
  for (const { pair, alternatives } of pairs) {
    const { name, modifier } = splitName(pair.name);
    const parameter = parameters.find((candidate) => isNameOf(candidate, name));
    if (parameter === undefined && request.isLenient) {
      hasIgnored = true;
      continue;
    }
    const isKnown = parameter !== undefined && hasModifier(parameter, modifier);
    if (ignoresEmpty && isKnown && pair.value === '') {
      if (parameter.isCriterion) emptyNames.add(pair.name);
      continue;
    }
    const value = parameter?.type === 'date' ? withPlusOfZones(pair.value) : pair.value;
    used.push({ name: pair.name, text: formatPair({ name: pair.name, value }) });
    if (pair.isMalformed) {
      draft.issues.push(malformedPairIssue(pair));
    } else if (!isKnown) {
      const { diagnostics, hint } = problemOfName({ sent: pair.name, name, parameter }, definition);
      refuseOnce(draft, pair.name, diagnostics, hint);
    } else {
      const given = { pair, alternatives, modifier: modifier ?? '', context, request, nameTexts };
      takeValue(draft, parameter, given);
    }
  }
  const criteria = qualifyCriteria(draft);
  if (draft.issues.length > 0) throw new FhirError(draft.issues);
  const options = normalizeCount({ ...defaultsOf(context), ...draft.options });
  return {
    ...options,
    query: { criteria },
    pairs: used,
    hasIgnored,
    ...(emptyNames.size > 0 && { emptyNames: [...emptyNames] }),
  };
}

/** The state of parsing a request. */
interface Draft<C extends ResourceCriterion | IndexCriterion, Options> {
  readonly criteria: { readonly name: string; readonly criterion: C }[];
  readonly qualifiers: MetQualifier<C>[];
  readonly options: Partial<Options>;
  readonly issues: Issue[];
  /** The names of all parameters that were taken, whether their values are valid or not. */
  readonly met: Set<string>;
  /** The unknown and repeated names, each of which has one issue. */
  readonly refused: Set<string>;
}

interface MetQualifier<C extends ResourceCriterion | IndexCriterion> {
  readonly parameter: QualifierParameter<C>;
  /** How many issues were found before it. */
  readonly issuesBefore: number;
  /** Absent if the value is not valid. */
  readonly qualify?: (criterion: C) => C;
}

interface GivenValue<Context> {
  readonly pair: Pair;
  readonly alternatives: readonly Alternative[];
  readonly modifier: string;
  readonly context: Context;
  readonly request: SearchRequest;
  readonly nameTexts: NameTexts;
}

function takeValue<C extends ResourceCriterion | IndexCriterion, Options, Context>(
  draft: Draft<C, Options>,
  parameter: ParameterDefinition<C, Options, Context>,
  { pair, alternatives, modifier, context, request, nameTexts }: GivenValue<Context>,
): void {
  const { kind, name } = parameter;
  const { issues, met } = draft;
  const isRepeated = met.has(name);
  met.add(name);
  const issuesBefore = issues.length;
  const take = <T>(parsed: Parsed<T>, use: (value: T) => void): void => {
    if (!('issues' in parsed)) use(parsed.value);
    else issues.push(...parsed.issues.map((one) => ({ ...one, location: `http.${pair.name}` })));
  };
  if (isRepeated && !parameter.isRepeatable) {
    const repeated = kind === 'qualifier' ? parameter.repeated : nameTexts.repeated(name);
    refuseOnce(draft, name, repeated);
  } else if (kind === 'criterion') {
    take(parameter.parse(alternatives, modifier, context), (criterion) => {
      draft.criteria.push({ name, criterion });
    });
  } else if (kind === 'result') {
    const given = { request, modifier, options: draft.options };
    take(parameter.parse(pair.value, context, given), (options) => {
      Object.assign(draft.options, options);
    });
  } else {
    let qualifier: MetQualifier<C> = { parameter, issuesBefore };
    take(parameter.parse(pair.value), (qualify) => {
      qualifier = { ...qualifier, qualify };
    });
    draft.qualifiers.push(qualifier);
  }
}

/** Applies each qualifier to the criteria of its parameter, or reports that there are none. */
function qualifyCriteria<C extends ResourceCriterion | IndexCriterion, Options>(
  draft: Draft<C, Options>,
): C[] {
  const { criteria, qualifiers, issues, met } = draft;
  for (const { parameter, issuesBefore } of qualifiers.toReversed()) {
    if (met.has(parameter.qualifies)) continue;
    issues.splice(issuesBefore, 0, {
      kind: 'invalid-parameter',
      diagnostics: parameter.alone,
      location: `http.${parameter.name}`,
    });
  }
  return criteria.map(({ name, criterion }) =>
    qualifiers
      .filter(({ parameter }) => parameter.qualifies === name)
      .reduce((qualified, { qualify }) => qualify?.(qualified) ?? qualified, criterion),
  );
}

/** A search for no matches is a search for the total. */
function normalizeCount<Options extends ResultOptions>(options: Options): Options {
  const isCountOnly = options.isCountOnly || options.count === 0;
  return isCountOnly ? { ...options, isCountOnly, count: 0 } : options;
}

/** The pairs with the alternatives of each. Throws a FhirError if there are too many of either. */
function splitPairs(
  query: string,
  linkParameters: readonly string[],
): { pair: Pair; alternatives: readonly Alternative[] }[] {
  const pairs = parseQueryString(query, linkParameters);
  let values = 0;
  let longest = 0;
  for (const { name, value } of pairs) {
    const count = countAlternatives(value);
    longest = Math.max(longest, count);
    if (!linkParameters.includes(name)) values += count;
  }
  if (Math.max(values, longest) <= ALTERNATIVES_MAX) {
    return pairs.map((pair) => ({ pair, alternatives: parseAlternatives(pair.value) }));
  }
  throw FhirError.of(
    'invalid-parameter',
    `${Math.max(values, longest)} values were supplied; at most ${ALTERNATIVES_MAX} are allowed.`,
  );
}

/** What follows the last colon is the modifier, unless it is a type within a chain of names. */
function splitName(name: string): { name: string; modifier: string | undefined } {
  const colon = name.lastIndexOf(':');
  if (colon < 0 || name.includes('.', colon)) return { name, modifier: undefined };
  return { name: name.slice(0, colon), modifier: name.slice(colon + 1) };
}

/** A chained name may spell out its types. */
function isNameOf({ name, chain = [] }: SearchParameter, written: string): boolean {
  if (name === written) return true;
  if (chain.length === 0) return false;
  const links = written.split('.');
  const untyped = links.map((link, at) => {
    const [part = '', type, ...more] = link.split(':');
    return type === undefined || (type === chain[at] && more.length === 0) ? part : link;
  });
  return untyped.join('.') === name;
}

function hasModifier(
  { modifiers, targets = [] }: SearchParameter,
  modifier: string | undefined,
): boolean {
  return modifier === undefined || modifiers.includes(modifier) || targets.includes(modifier);
}

/** A name that comes again has no second issue. */
function refuseOnce(
  { issues, refused }: Pick<Draft<never, never>, 'issues' | 'refused'>,
  name: string,
  diagnostics: string,
  hint?: string,
): void {
  if (!refused.has(name)) {
    const location = `http.${name}`;
    issues.push({ kind: 'invalid-parameter', diagnostics, ...(hint && { hint }), location });
  }
  refused.add(name);
}
