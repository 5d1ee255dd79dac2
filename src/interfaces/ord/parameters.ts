/**
 * The parameters of ORD, in one table for each path, and the parser of a query. Known messages are
 * those of the national service.
 */

import { NEAR_DOCUMENTATION, type PostcodesOf, requireNear } from '../../directory/ask/near.ts';
import { pastedCode } from '../../directory/edition/source-record.ts';
import { hasRelationship } from '../../directory/index/columns/related-column.ts';
import {
  type DirectoryCriterion,
  postalCodeBeginning,
  tokenCriterion,
} from '../../directory/index/organization-index.ts';
import { dayPeriod } from '../../directory/record/day.ts';
import { type Pair, parseQueryString } from '../../fhir/http/query-string.ts';
import { ALTERNATIVES_MAX } from '../../fhir/search/parse-search-query.ts';
import { parseWholeNumber } from '../../fhir/search/result-parameters.ts';
import { type DescribedParameter, refuse } from '../json/json-parameters.ts';
import { unknownArgument } from './form.ts';

/** A parameter of a path of ORD. */
export interface OrdParameter extends DescribedParameter {
  /** Throws a FhirError if the text is not valid. */
  parse(text: string): OrdValue;
}

/** What a parameter sets. */
interface OrdValue extends Partial<PageValues> {
  readonly criterion?: DirectoryCriterion;
  /** What a relationship of the organisation must have. All of them belong to one relationship. */
  readonly relationship?: Parameters<typeof hasRelationship>[0];
}

interface PageValues {
  /** The most rows of an answer. */
  readonly limit: number;
  /** The number of rows to skip. */
  readonly offset: number;
  /** The number of the edition that the links of a search belong to. */
  readonly edition: number | undefined;
}

export interface OrdQuery extends PageValues {
  readonly criteria: readonly DirectoryCriterion[];
  /** Whether the search is about relationships. */
  readonly needsLinks: boolean;
  /** The pairs of the parameters that select organisations, in the order of the request. */
  readonly pairs: readonly Pair[];
}

/** Each parameter once, and no unknown ones. Throws a FhirError with the first problem. */
export function parseOrdQuery(query: string, parameters: readonly OrdParameter[]): OrdQuery {
  const criteria: DirectoryCriterion[] = [];
  const pairs: Pair[] = [];
  const met = new Set<string>();
  let wanted: OrdValue['relationship'];
  let page: PageValues = { limit: LIMIT_DEFAULT, offset: 0, edition: undefined };
  for (const pair of parseQueryString(query)) {
    const { name, value, isMalformed } = pair;
    const parameter = parameters.find((known) => known.name === name);
    if (parameter === undefined) throw unknownArgument(name, parameters);
    if (met.has(name)) throw refuse(`Repeated ${name} argument.`);
    if (isMalformed) throw refuse(`${name} is not percent-encoded UTF-8.`);
    met.add(name);
    const { criterion, relationship, ...rest } = parameter.parse(value);
    if (criterion !== undefined) criteria.push(criterion);
    if (relationship !== undefined) wanted = { ...wanted, ...relationship };
    if (criterion !== undefined || relationship !== undefined) pairs.push(pair);
    page = { ...page, ...rest };
  }
  if (wanted !== undefined) criteria.push(hasRelationship(wanted));
  return { ...page, criteria, needsLinks: wanted !== undefined, pairs };
}

/** A query that must select organisations. */
export function parseOrdSearch(query: string, parameters: readonly OrdParameter[]): OrdQuery {
  const parsed = parseOrdQuery(query, parameters);
  if (parsed.pairs.length > 0) return parsed;
  throw refuse('Supplied query must include some query parameters');
}

/** `today` is the current date in England, `YYYY-MM-DD`. */
function lastChangeDate(today: () => string): OrdParameter {
  return {
    name: 'LastChangeDate',
    documentation: 'Changed on or after a date: `YYYY-MM-DD`, not in the future.',
    parse: (text) => {
      const day = dayPeriod(text);
      if (day === undefined) throw refuse('Invalid date format.');
      if (text > today()) throw refuse('Supplied LastChangeDate is in the future.');
      return {
        criterion: { type: 'date', field: 'lastUpdated', values: [{ prefix: 'ge', ...day }] },
      };
    },
  };
}

const NAME: OrdParameter = {
  name: 'Name',
  documentation: 'The name contains this text, in any case: 3 to 100 characters.',
  parse: (text) => {
    if (text.trim().length < 3) {
      throw refuse('Supplied Name needs a minimum of 3 Characters.');
    }
    if (text.length > 100) throw refuse('Supplied Name too long, max 100 Characters.');
    if (!/^[A-Za-z0-9_@&.()'" /:,+;-]*$/.test(text)) {
      throw refuse('Supplied Name has invalid Character/s.');
    }
    return { criterion: { type: 'string', field: 'name', match: 'contains', values: [text] } };
  },
};

const POST_CODE: OrdParameter = {
  name: 'PostCode',
  documentation:
    'The postcode begins with this text, with or without its space: `LS1` also finds LS10. ' +
    '2 to 8 characters, and a letter and a digit among them.',
  parse: (text) => {
    const spaced = text.trimStart().replace(/ +/g, ' ');
    if (!POST_CODE_TEXT.test(spaced)) {
      throw refuse(WRONG_POST_CODE);
    }
    return { criterion: postalCodeBeginning(spaced) };
  },
};

const WRONG_POST_CODE =
  'Supplied PostCode must have 2 to 8 characters, and a letter and a digit among them, such as ' +
  'LS1 or LS1 4AP.';

const POST_CODE_TEXT = /^(?=.*[A-Z])(?=.*[0-9])[A-Z0-9 ]{2,8}$/i;

const STATUS: OrdParameter = {
  name: 'Status',
  documentation: '`Active` or `Inactive`, in any case.',
  parse: (text) => ({
    criterion: tokenCriterion('active', [String(isActiveStatus(text, 'Status'))]),
  }),
};

/** Throws if the text is neither `Active` nor `Inactive`. */
function isActiveStatus(text: string, name: string): boolean {
  const status = text.toLowerCase();
  if (status === 'active' || status === 'inactive') return status === 'active';
  throw refuse(`Supplied ${name} must be Active or Inactive`);
}

const RECORD_CLASS: OrdParameter = {
  name: 'OrgRecordClass',
  documentation: '`RC1` for organisations, `RC2` for sites.',
  parse: (text) => {
    const [, code] = /^RC([12])$/i.exec(text) ?? [];
    if (code === undefined) throw refuse('Supplied OrgRecordClass must be RC1 or RC2');
    return { criterion: tokenCriterion('recordClass', [code]) };
  },
};

/** A parameter whose values are ids of codes, such as `RO197`. */
function codeParameter(
  name: string,
  field: 'primaryRole' | 'otherRole' | 'role',
  documentation: string,
  isList = false,
): OrdParameter {
  return {
    name,
    documentation,
    parse: (text) => {
      const codes = isList ? codesOf(text, 'RO', name) : [codeOf(text, 'RO', name)];
      return { criterion: tokenCriterion(field, codes) };
    },
  };
}

/** The codes of ids separated by commas. */
function codesOf(text: string, prefix: 'RO' | 'RE', name: string): readonly string[] {
  const ids = text.split(',');
  if (ids.length > ALTERNATIVES_MAX) {
    throw refuse(`Supplied ${name} has more than ${ALTERNATIVES_MAX} values`);
  }
  return ids.map((id) => codeOf(id, prefix, name));
}

/** `RO197` → `197`, which is taken too. An id with another prefix matches nothing. */
function codeOf(text: string, prefix: 'RO' | 'RE', name: string): string {
  const id = pastedCode(text);
  if (!/^[A-Za-z0-9]{3,10}$/.test(id)) {
    const example = prefix === 'RO' ? 'RO197' : 'RE4';
    throw refuse(`Supplied ${name} must be 3 to 10 letters and digits, such as ${example}`);
  }
  const upper = id.toUpperCase();
  return upper.startsWith(prefix) ? upper.slice(prefix.length) : id;
}

const RELATIONSHIP_TYPES: OrdParameter = {
  name: 'RelTypeId',
  documentation: 'Has a relationship of one of these types, such as `RE4,RE6`.',
  parse: (text) => ({ relationship: { types: codesOf(text, 'RE', 'RelTypeId') } }),
};

const RELATIONSHIP_TARGET: OrdParameter = {
  name: 'TargetOrgId',
  documentation: 'Has a relationship to the organisation with this code.',
  parse: (text) => {
    const code = pastedCode(text);
    if (!/^[A-Za-z0-9]{1,64}$/.test(code)) {
      throw refuse('Supplied TargetOrgId must be the code of an organisation');
    }
    return { relationship: { targets: [code, code.toUpperCase()] } };
  },
};

const RELATIONSHIP_STATUS: OrdParameter = {
  name: 'RelStatus',
  documentation: 'Has a relationship that is `active` or `inactive`, in any case.',
  parse: (text) => ({ relationship: { isActive: isActiveStatus(text, 'RelStatus') } }),
};

const LIMIT_MAX = 1000;
const LIMIT_DEFAULT = 20;

const LIMIT: OrdParameter = {
  name: 'Limit',
  documentation: 'The most organisations in the answer: 1 to 1,000. Without it: 20.',
  schema: { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
  parse: (text) => {
    const limit = parseWholeNumber(text) ?? 0;
    if (limit < 1 || limit > LIMIT_MAX) {
      throw refuse(`Supplied Limit must be between 1 and ${LIMIT_MAX}`);
    }
    return { limit };
  },
};

const OFFSET: OrdParameter = {
  name: 'Offset',
  documentation: 'The number of organisations to skip: 1 or more. Leave it out to skip none.',
  schema: { type: 'integer', minimum: 1 },
  parse: (text) => {
    const offset = parseWholeNumber(text) ?? 0;
    // Spelled as the national service spells it.
    if (offset < 1) throw refuse('Suppied Offset must be greater than 1');
    return { offset };
  },
};

const EDITION: OrdParameter = {
  name: '_edition',
  documentation: 'The edition of the directory that the links of an answer belong to.',
  parse: (text) => {
    const edition = parseWholeNumber(text);
    if (edition === undefined) throw refuse('Supplied _edition must be the number of an edition');
    return { edition };
  },
};

/** Content negotiation reads its value. */
export const FORMAT_PARAMETER: OrdParameter = {
  name: '_format',
  documentation: 'json or xml, or a media type of either. It overrides Accept.',
  parse: () => ({}),
};

function nearParameter(postcodesOf: PostcodesOf): OrdParameter {
  return {
    name: 'Near',
    documentation: NEAR_DOCUMENTATION,
    parse: (text) => ({ criterion: requireNear(text, postcodesOf(), 'Near') }),
  };
}

/** The parameters of `organisations?…`. */
export function searchParameters(
  today: () => string,
  postcodesOf: PostcodesOf,
): readonly OrdParameter[] {
  return [
    NAME,
    POST_CODE,
    nearParameter(postcodesOf),
    lastChangeDate(today),
    STATUS,
    codeParameter('PrimaryRoleId', 'primaryRole', 'The primary role, such as `RO197`.'),
    codeParameter('NonPrimaryRoleId', 'otherRole', 'A role that is not the primary role.'),
    codeParameter('Roles', 'role', 'Any of these roles, separated by commas.', true),
    RECORD_CLASS,
    RELATIONSHIP_TYPES,
    RELATIONSHIP_TARGET,
    RELATIONSHIP_STATUS,
    LIMIT,
    OFFSET,
    EDITION,
    FORMAT_PARAMETER,
  ];
}

/** The parameters of `sync?…`. */
export function syncParameters(today: () => string): readonly OrdParameter[] {
  return [lastChangeDate(today), FORMAT_PARAMETER];
}
