/** The parameters of the change feed: a position, criteria, and how long to wait. */
import { validForm } from '../http/negotiate.ts';
import { formatPair, malformedPairIssue, parseQueryString } from '../http/query-string.ts';
import { FhirError, type Issue } from '../request/fhir-error.ts';
import type { ResourceCriterion } from '../search/criterion.ts';
import { parseSearchQuery } from '../search/parse-search-query.ts';
import { conditionDefinition, type ResourceSearch } from '../search/resource-search.ts';
import type { RequestContext } from '../service/interaction.ts';
import type { ChangesRequest } from '../stored/repository.ts';
import {
  HISTORY_NAMES,
  type HistoryParameters,
  type OwnParameter,
  parseHistoryParameters,
} from './history-bundle.ts';

export interface FeedRequest extends HistoryParameters {
  readonly kind?: (typeof POSITIONS)[number];
  readonly position?: string;
  readonly criteria: readonly ResourceCriterion[];
  /** The most milliseconds to wait for a version; 0: the answer comes at once. */
  readonly waitMs: number;
}

/** `_after` follows, `_before` and `_previous` lead to the pages beside the first one. */
const POSITIONS = ['_after', '_before', '_previous'] as const;

/** The most seconds that a request waits: common proxies end a request that takes longer. */
const WAIT_MAX_S = 60;

/** The form of the positions that stores make. */
const POSITION = /^\d[\d.]{0,54}(-[\da-f]{8})?$/;

const OWN: readonly OwnParameter<string>[] = [
  ...POSITIONS.map((name) => ({
    name,
    parse: (text: string) => matched(text, POSITION),
    allowed: 'the position of a link',
  })),
  {
    name: '_wait',
    parse: (text) => (Number(text) <= WAIT_MAX_S ? matched(text, /^\d{1,2}$/) : undefined),
    allowed: `a whole number of seconds from 0 to ${WAIT_MAX_S}`,
  },
];

const NAMES: readonly string[] = [...HISTORY_NAMES, ...OWN.map(({ name }) => name)];

/**
 * Throws a FhirError with every problem. `parameters` are the criteria that all types of the feed
 * have. A parameter that the feed ignored would show too much.
 */
export function parseFeedRequest(
  { request: { query }, service, negotiated }: RequestContext,
  { parameters }: Pick<ResourceSearch, 'parameters'>,
): FeedRequest {
  const form = validForm(negotiated);
  const issues: Issue[] = [];
  const collect = <T>(parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof FhirError)) throw error;
      issues.push(...error.issues);
      return undefined;
    }
  };
  const pairs = parseQueryString(query);
  const textOf = (ofCriteria: boolean) =>
    pairs
      .filter(({ name }) => NAMES.includes(name) !== ofCriteria)
      .map(formatPair)
      .join('&');
  issues.push(...pairs.filter(({ isMalformed }) => isMalformed).map(malformedPairIssue));
  const parsed = collect(() => parseHistoryParameters(textOf(false), OWN));
  const search = collect(() =>
    parseSearchQuery(
      { query: textOf(true), isLenient: false, form, formIssue: undefined },
      { ...conditionDefinition({ parameters }), nameTexts: NAME_TEXTS },
      service,
    ),
  );
  const { own = new Map<string, string>(), ...asked } = parsed ?? {};
  const [kind, other] = POSITIONS.filter((name) => own.has(name));
  if (kind !== undefined && other !== undefined) {
    issues.push(problem(other, `${kind} and ${other} cannot be combined. Send one of them.`));
  }
  const [following = own.has('_wait') ? '_wait' : undefined] =
    search?.pairs.map(({ name }) => name) ?? [];
  if (following !== undefined && kind !== '_after') {
    const remedy = 'Add _after with the position of a link, or _after=0 for the start.';
    issues.push(problem(following, `${following} needs _after. ${remedy}`));
  }
  if (issues.length > 0 || parsed === undefined) throw new FhirError(issues);
  return {
    count: parsed.count,
    ...asked,
    ...(kind !== undefined && { kind, position: own.get(kind) ?? '' }),
    criteria: search?.query.criteria ?? [],
    waitMs: Number(own.get('_wait') ?? 0) * 1000,
  };
}

/** What the repository is asked, except for the limits of the service. */
export function changesRequestOf({
  count,
  sinceMs,
  kind,
  position,
  criteria,
}: FeedRequest): Omit<ChangesRequest, 'types' | 'lengthMax'> {
  return {
    count,
    ...(sinceMs !== undefined && { sinceMs }),
    order: kind === '_after' || kind === '_previous' ? 'oldest-first' : 'newest-first',
    ...(position !== undefined && { position }),
    ...(criteria.length > 0 && { criteria }),
  };
}

const NAME_TEXTS = {
  elsewhere: NAMES,
  repeated: (name: string) => `The parameter ${name} can be given only once.`,
};

function problem(name: string, diagnostics: string): Issue {
  return { kind: 'invalid-parameter', diagnostics, location: `http.${name}` };
}

function matched(text: string, pattern: RegExp): string | undefined {
  return pattern.test(text) ? text : undefined;
}
