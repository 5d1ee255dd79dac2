/** The directory's search parameters: from a request's pairs to a query, or all that is wrong. */
import { FhirError, type Issue } from '../fhir/fhir-error.ts';
import { type Pair, parseQueryString } from '../fhir/query-string.ts';
import type { SearchParameter, SearchRequest } from '../fhir/service.ts';
import { type Alternative, parseAlternatives } from './parameters/alternatives.ts';
import { parseLastUpdated } from './parameters/last-updated.ts';
import {
  DEFAULT_COUNT,
  parseCount,
  parseEdition,
  parsePage,
  parseSummary,
} from './parameters/paging.ts';
import { parseAddressCity, parseAddressPostalcode, parseName } from './parameters/text.ts';
import {
  parseActive,
  parseCode,
  parseIdentifier,
  parsePrimaryRole,
  parseRole,
} from './parameters/token.ts';
import type { Criterion, Query } from './query.ts';
import type { DirectorySettings } from './settings.ts';

/** A search as understood. */
export interface Search {
  readonly query: Query;
  /** Matches on a page; 0 where only the total is wanted. */
  readonly count: number;
  /** From 1. */
  readonly page: number;
  readonly edition: number | undefined;
  readonly isCountOnly: boolean;
  /** What was used of the request, in its order: what links repeat. */
  readonly pairs: readonly Pair[];
  /** Whether a lenient search left something out. */
  readonly hasIgnored: boolean;
}

/** What the parsers of values need to know. */
export interface ParameterContext {
  readonly settings: DirectorySettings;
  /** The systems that a role may be written with. */
  readonly roleSystems: ReadonlySet<string>;
}

/** At most so many parameters, and values between commas, in one search. */
export const PARAMETERS_MAX = 50;
export const ALTERNATIVES_MAX = 200;

/** Throws every failure of the request at once, in its order. */
export function parseSearch(request: SearchRequest, context: ParameterContext): Search {
  const issues: Issue[] = [];
  const reading = new Reading(context, issues);
  const used: Pair[] = [];
  let hasIgnored = false;
  const pairs = parseQueryString(request.query);
  const overLimit = limitIssue(pairs);
  if (overLimit !== undefined) throw new FhirError([overLimit]);

  for (const pair of pairs) {
    const outcome = reading.take(pair, request);
    if (outcome === 'ignored') hasIgnored = true;
    else used.push(pair);
  }
  reading.finish();
  const [first, ...others] = issues;
  if (first !== undefined) throw new FhirError([first, ...others]);
  return { ...reading.search(), pairs: used, hasIgnored };
}

/** The declared parameters: what the capability statement and the documentation list. */
export const SEARCH_PARAMETERS: readonly SearchParameter[] = [
  criterion('_id', 'token', [], 'The organisation code, exactly.'),
  criterion('_lastUpdated', 'date', [], 'Changed after a day, month or year: gt and the date.'),
  criterion('identifier', 'token', [], 'The organisation code, whatever its case.'),
  criterion('name', 'string', ['contains', 'exact'], 'The beginning of the name.'),
  criterion('active', 'token', [], 'true: in active use; false: not in active use.'),
  criterion(
    'address-postalcode',
    'string',
    ['contains', 'exact'],
    'The beginning of the postcode.',
  ),
  criterion('address-city', 'string', ['contains', 'exact'], 'The beginning of the town or city.'),
  criterion('ods-org-role', 'token', [], 'The code of a role, with or without RO and its system.'),
  criterion(
    'ods-org-primaryRole',
    'token',
    [],
    'With ods-org-role: true where the role is the primary one, false where it is not.',
  ),
  control('_count', 'number', 'Matches on a page; 0 for the total alone.'),
  control('_page', 'number', 'The number of the page, from 1.'),
  control('_edition', 'number', 'The edition that the links of a search belong to.'),
  control('_summary', 'token', 'count: the total alone.'),
  control('_format', 'token', 'json or xml, or a media type of either.'),
  control('_pretty', 'token', 'true: indented.'),
];

/** A parser answers the criterion of its alternatives, or says what is wrong with each. */
type ParseCriterion = (
  alternatives: readonly Alternative[],
  modifier: string,
  context: ParameterContext,
) => Criterion | readonly Issue[];

const CRITERIA: ReadonlyMap<string, ParseCriterion> = new Map([
  ['_id', parseCode],
  ['_lastUpdated', parseLastUpdated],
  ['identifier', parseIdentifier],
  ['name', parseName],
  ['active', parseActive],
  ['address-postalcode', parseAddressPostalcode],
  ['address-city', parseAddressCity],
  ['ods-org-role', parseRole],
]);

const SINGLE = new Set(['_count', '_page', '_edition', '_summary', '_format', '_pretty']);

/** What has been understood of a request so far. */
class Reading {
  readonly #context: ParameterContext;
  readonly #issues: Issue[];
  readonly #criteria: Criterion[] = [];
  readonly #seen = new Set<string>();
  readonly #refused = new Set<string>();
  #primary: boolean | undefined;
  #count: number;
  #page = 1;
  #edition: number | undefined;
  #isCountOnly = false;

  constructor(context: ParameterContext, issues: Issue[]) {
    this.#context = context;
    this.#issues = issues;
    this.#count = Math.min(DEFAULT_COUNT, context.settings.countMax);
  }

  take(pair: Pair, request: SearchRequest): 'used' | 'ignored' {
    const colon = pair.name.indexOf(':');
    const name = colon < 0 ? pair.name : pair.name.slice(0, colon);
    const modifier = colon < 0 ? '' : pair.name.slice(colon + 1);
    const parameter = SEARCH_PARAMETERS.find((candidate) => candidate.name === name);
    if (parameter === undefined && request.isLenient) return 'ignored';
    if (parameter === undefined || (colon >= 0 && !parameter.modifiers.includes(modifier))) {
      this.#refuseOnce(pair.name, {
        kind: 'invalid-parameter',
        diagnostics: `Unknown argument found - ${pair.name}`,
        location: `http.${pair.name}`,
      });
      return 'used';
    }
    const isRepeated = this.#seen.has(name);
    this.#seen.add(name);
    if (SINGLE.has(name)) {
      if (isRepeated) this.#refuseOnce(name, repeated(name));
      else this.#control(name, pair.value, request);
    } else if (name === 'ods-org-primaryRole') {
      if (isRepeated) this.#refuseOnce(name, REPEATED_PRIMARY_ROLE);
      else this.#primary = this.#valueOf(parsePrimaryRole(pair.value));
    } else {
      this.#criterion(pair, name, modifier);
    }
    return 'used';
  }

  /** Checks what only the whole request can tell. */
  finish(): void {
    if (this.#seen.has('ods-org-primaryRole') && !this.#seen.has('ods-org-role')) {
      this.#issues.push(PRIMARY_ROLE_ALONE);
    }
  }

  search(): Omit<Search, 'pairs' | 'hasIgnored'> {
    const primary = this.#primary;
    const criteria = this.#criteria.map((criterion) =>
      criterion.kind === 'role' && primary !== undefined ? { ...criterion, primary } : criterion,
    );
    const isCountOnly = this.#isCountOnly || this.#count === 0;
    return {
      query: { criteria },
      count: isCountOnly ? 0 : this.#count,
      page: this.#page,
      edition: this.#edition,
      isCountOnly,
    };
  }

  #criterion(pair: Pair, name: string, modifier: string): void {
    const parse = CRITERIA.get(name);
    if (parse === undefined) throw new Error(`no parser for the declared parameter ${name}`);
    const parsed = parse(parseAlternatives(pair.value), modifier, this.#context);
    if ('kind' in parsed) this.#criteria.push(parsed);
    else this.#issues.push(...parsed.map((issue) => ({ ...issue, location: `http.${pair.name}` })));
  }

  #control(name: string, value: string, { formIssue }: SearchRequest): void {
    switch (name) {
      case '_count':
        this.#count = this.#valueOf(parseCount(value, this.#context.settings.countMax)) ?? 0;
        break;
      case '_page':
        this.#page = this.#valueOf(parsePage(value)) ?? 1;
        break;
      case '_edition':
        this.#edition = this.#valueOf(parseEdition(value));
        break;
      case '_summary':
        this.#isCountOnly = this.#valueOf(parseSummary(value)) ?? false;
        break;
      default:
        // `_format` and `_pretty` were read when the form was negotiated.
        if (formIssue?.location === `http.${name}`) this.#issues.push(formIssue);
    }
  }

  #valueOf<T>(parsed: { readonly value: T } | { readonly issue: Issue }): T | undefined {
    if ('value' in parsed) return parsed.value;
    this.#issues.push(parsed.issue);
    return undefined;
  }

  #refuseOnce(name: string, issue: Issue): void {
    if (this.#refused.has(name)) return;
    this.#refused.add(name);
    this.#issues.push(issue);
  }
}

const REPEATED_PRIMARY_ROLE: Issue = {
  kind: 'invalid-parameter',
  diagnostics: 'Only one ods-org-primaryRole parameter should be supplied',
  location: 'http.ods-org-primaryRole',
};

const PRIMARY_ROLE_ALONE: Issue = {
  kind: 'invalid-parameter',
  diagnostics:
    'ods-org-role is a mandatory argument in all queries containing a ods-org-primaryRole term.',
  location: 'http.ods-org-primaryRole',
};

function repeated(name: string): Issue {
  return {
    kind: 'invalid-parameter',
    diagnostics: `Repeated ${name} argument.`,
    location: `http.${name}`,
  };
}

function limitIssue(pairs: readonly Pair[]): Issue | undefined {
  if (pairs.length > PARAMETERS_MAX) {
    return {
      kind: 'invalid-parameter',
      diagnostics: `${pairs.length} parameters were supplied; at most ${PARAMETERS_MAX} are allowed.`,
    };
  }
  let alternatives = 0;
  for (const { value } of pairs) alternatives += parseAlternatives(value).length;
  if (alternatives <= ALTERNATIVES_MAX) return undefined;
  return {
    kind: 'invalid-parameter',
    diagnostics: `${alternatives} values were supplied; at most ${ALTERNATIVES_MAX} are allowed.`,
  };
}

function criterion(
  name: string,
  type: SearchParameter['type'],
  modifiers: readonly string[],
  documentation: string,
): SearchParameter {
  return { name, type, modifiers, documentation, isCriterion: true };
}

function control(
  name: string,
  type: SearchParameter['type'],
  documentation: string,
): SearchParameter {
  return { name, type, modifiers: [], documentation, isCriterion: false };
}
