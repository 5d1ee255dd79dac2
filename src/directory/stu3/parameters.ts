/** The directory's search parameters: from a request's query to a search, or all that is wrong. */
import { FhirError, type Issue } from '../../fhir/fhir-error.ts';
import { formatPair, type Pair, parseQueryString } from '../../fhir/query-string.ts';
import { type Alternative, parseAlternatives } from '../../fhir/search/alternatives.ts';
import type { Parsed } from '../../fhir/search/parsed.ts';
import type { SearchParameter, SearchRequest } from '../../fhir/service.ts';
import type { Criterion, Query } from '../query.ts';
import type { Search } from '../search.ts';
import type { ParameterContext } from './parameters/context.ts';
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

/** The most comma-separated values in one search. */
export const ALTERNATIVES_MAX = 200;

/** Throws every failure of the request at once, in its order. */
export function parseSearch(request: SearchRequest, context: ParameterContext): Search {
  const pairs = splitPairs(request.query);
  const draft: Draft = {
    criteria: [],
    primary: undefined,
    count: Math.min(DEFAULT_COUNT, context.settings.countMax),
    page: 1,
    edition: undefined,
    isCountOnly: false,
  };
  const issues: Issue[] = [];
  const used: Search['pairs'][number][] = [];
  const met = new Set<string>();
  const refusedNames = new Set<string>();
  const refuseOnce = (name: string, issue: Issue) => {
    if (!refusedNames.has(name)) issues.push(issue);
    refusedNames.add(name);
  };
  let primaryRoleAt: number | undefined;

  for (const { pair, alternatives } of pairs) {
    const { name, modifier } = splitName(pair.name);
    const parameter = PARAMETERS.get(name);
    if (parameter === undefined && request.isLenient) continue;
    used.push({ name: pair.name, text: formatPair(pair) });
    if (pair.isMalformed) {
      issues.push(malformed(pair));
    } else if (parameter === undefined || !hasModifier(parameter, modifier)) {
      refuseOnce(pair.name, unknown(pair.name));
    } else {
      const isRepeated = met.has(name);
      met.add(name);
      if (name === PRIMARY_ROLE) primaryRoleAt ??= issues.length;
      if (parameter.repeated !== undefined && isRepeated) {
        refuseOnce(name, {
          kind: 'invalid-parameter',
          diagnostics: parameter.repeated,
          location: `http.${name}`,
        });
      } else {
        const value = { text: pair.value, alternatives, modifier: modifier ?? '' };
        for (const issue of parameter.understand(value, draft, context, request)) {
          issues.push({ ...issue, location: `http.${pair.name}` });
        }
      }
    }
  }

  if (primaryRoleAt !== undefined && !met.has(ROLE)) {
    issues.splice(primaryRoleAt, 0, PRIMARY_ROLE_ALONE);
  }
  const [first, ...others] = issues;
  if (first !== undefined) throw new FhirError([first, ...others]);
  return { ...finishDraft(draft), pairs: used, hasIgnored: used.length < pairs.length };
}

const ROLE = 'ods-org-role';
const PRIMARY_ROLE = 'ods-org-primaryRole';

/** What has been understood of a request so far. */
interface Draft {
  readonly criteria: Criterion[];
  primary: boolean | undefined;
  count: number;
  page: number;
  edition: number | undefined;
  isCountOnly: boolean;
}

interface Value {
  readonly text: string;
  readonly alternatives: readonly Alternative[];
  readonly modifier: string;
}

/** One row of the table: what is declared, and how a value of it is taken. */
interface Parameter extends SearchParameter {
  /** The diagnostics of a second one, where there may be only one. */
  readonly repeated?: string;
  /** Adds to the draft, or answers what is wrong. */
  readonly understand: (
    value: Value,
    draft: Draft,
    context: ParameterContext,
    request: SearchRequest,
  ) => readonly Issue[];
}

type ParseCriterion = (
  alternatives: readonly Alternative[],
  modifier: string,
  context: ParameterContext,
) => Parsed<Criterion>;

const MATCHING = ['contains', 'exact'];

const TABLE: readonly Parameter[] = [
  criterion('_id', 'token', [], parseCode, 'The organisation code, exactly.'),
  criterion(
    '_lastUpdated',
    'date',
    [],
    parseLastUpdated,
    'Changed after a day, month or year: gt and the date.',
  ),
  criterion(
    'identifier',
    'token',
    [],
    parseIdentifier,
    'The organisation code, whatever its case.',
  ),
  criterion('name', 'string', MATCHING, parseName, 'The beginning of the name.'),
  criterion('active', 'token', [], parseActive, 'true: in active use; false: not in active use.'),
  criterion(
    'address-postalcode',
    'string',
    MATCHING,
    parseAddressPostalcode,
    'The beginning of the postcode.',
  ),
  criterion(
    'address-city',
    'string',
    MATCHING,
    parseAddressCity,
    'The beginning of the town or city.',
  ),
  criterion(ROLE, 'token', [], parseRole, 'The code of a role, with or without RO and its system.'),
  {
    ...control(
      PRIMARY_ROLE,
      'token',
      'With ods-org-role: true where the role is the primary one, false where it is not.',
      parsePrimaryRole,
      (draft, primary) => {
        draft.primary = primary;
      },
    ),
    isCriterion: true,
    repeated: 'Only one ods-org-primaryRole parameter should be supplied',
  },
  control(
    '_count',
    'number',
    'Matches on a page; 0 for the total alone.',
    (text, { settings }) => parseCount(text, settings.countMax),
    (draft, count) => {
      draft.count = count;
    },
  ),
  control('_page', 'number', 'The number of the page, from 1.', parsePage, (draft, page) => {
    draft.page = page;
  }),
  control(
    '_edition',
    'number',
    'The edition that the links of a search belong to.',
    parseEdition,
    (draft, edition) => {
      draft.edition = edition;
    },
  ),
  control(
    '_summary',
    'token',
    'count: the total alone; false: the matches too.',
    parseSummary,
    (draft, isCountOnly) => {
      draft.isCountOnly = isCountOnly;
    },
  ),
  formWish('_format', 'json or xml, or a media type of either.'),
  formWish('_pretty', 'true: indented.'),
];

const PARAMETERS: ReadonlyMap<string, Parameter> = new Map(TABLE.map((row) => [row.name, row]));

/** The declared parameters: what the capability statement and the documentation list. */
export const SEARCH_PARAMETERS: readonly SearchParameter[] = TABLE;

function criterion(
  name: string,
  type: SearchParameter['type'],
  modifiers: readonly string[],
  parse: ParseCriterion,
  documentation: string,
): Parameter {
  return {
    name,
    type,
    modifiers,
    documentation,
    isCriterion: true,
    isRepeatable: true,
    understand: ({ alternatives, modifier }, draft, context) => {
      const parsed = parse(alternatives, modifier, context);
      if ('issues' in parsed) return parsed.issues;
      draft.criteria.push(parsed.value);
      return [];
    },
  };
}

function control<T>(
  name: string,
  type: SearchParameter['type'],
  documentation: string,
  parse: (text: string, context: ParameterContext) => Parsed<T>,
  set: (draft: Draft, value: T) => void,
): Parameter {
  return {
    name,
    type,
    modifiers: [],
    documentation,
    isCriterion: false,
    isRepeatable: false,
    repeated: `Repeated ${name} argument.`,
    understand: ({ text }, draft, context) => {
      const parsed = parse(text, context);
      if ('issues' in parsed) return parsed.issues;
      set(draft, parsed.value);
      return [];
    },
  };
}

/** Read when the form was negotiated; what was wrong then is listed here, in its place. */
function formWish(name: string, documentation: string): Parameter {
  return {
    name,
    type: 'token',
    modifiers: [],
    documentation,
    isCriterion: false,
    isRepeatable: false,
    repeated: `Repeated ${name} argument.`,
    understand: (_value, _draft, _context, { formIssue }) =>
      formIssue?.location === `http.${name}` ? [formIssue] : [],
  };
}

function finishDraft({ criteria, primary, count, page, edition, isCountOnly }: Draft) {
  const query: Query = {
    criteria: criteria.map((one) =>
      one.kind === 'role' && primary !== undefined ? { ...one, primary } : one,
    ),
  };
  const wantsTotal = isCountOnly || count === 0;
  return { query, count: wantsTotal ? 0 : count, page, edition, isCountOnly: wantsTotal };
}

/**
 * Parameters that the server's own links add. They do not count towards the limit, so that every
 * link of an accepted search works.
 */
const LINK_PARAMETERS = ['_count', '_page', '_edition'];

/** The pairs with the alternatives of each. Throws where there are too many of either. */
function splitPairs(query: string): { pair: Pair; alternatives: readonly Alternative[] }[] {
  const pairs = parseQueryString(query, LINK_PARAMETERS);
  const split = pairs.map((pair) => ({ pair, alternatives: parseAlternatives(pair.value) }));
  const values = split
    .filter(({ pair }) => !LINK_PARAMETERS.includes(pair.name))
    .reduce((sum, { alternatives }) => sum + alternatives.length, 0);
  if (values <= ALTERNATIVES_MAX) return split;
  throw new FhirError([
    {
      kind: 'invalid-parameter',
      diagnostics: `${values} values were supplied; at most ${ALTERNATIVES_MAX} are allowed.`,
    },
  ]);
}

function splitName(name: string): { name: string; modifier: string | undefined } {
  const colon = name.indexOf(':');
  if (colon < 0) return { name, modifier: undefined };
  return { name: name.slice(0, colon), modifier: name.slice(colon + 1) };
}

function hasModifier(parameter: Parameter, modifier: string | undefined): boolean {
  return modifier === undefined || parameter.modifiers.includes(modifier);
}

function unknown(name: string): Issue {
  return {
    kind: 'invalid-parameter',
    diagnostics: `Unknown argument found - ${name}`,
    location: `http.${name}`,
  };
}

function malformed({ name, value }: Pair): Issue {
  return {
    kind: 'invalid-value',
    diagnostics:
      `The query parameter "${name}=${value}" is not percent-encoded UTF-8. ` +
      'Write a percent sign as %25 and other characters as UTF-8 escapes.',
  };
}

const PRIMARY_ROLE_ALONE: Issue = {
  kind: 'invalid-parameter',
  diagnostics:
    'ods-org-role is a mandatory argument in all queries containing a ods-org-primaryRole term.',
  location: 'http.ods-org-primaryRole',
};
