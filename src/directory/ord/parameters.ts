/** The parameters of ORD, in one table for each path. Known messages are those of the national service. */
import { dateEntries } from '../../fhir/search/date.ts';
import { ALTERNATIVES_MAX } from '../../fhir/search/parse-search-query.ts';
import { parseWholeNumber } from '../../fhir/search/result-parameters.ts';
import type { hasRelationship } from '../index/columns/related-column.ts';
import type { DirectoryCriterion } from '../query.ts';
import { compactPostalCode } from '../record/postal-code.ts';
import { invalidParameter } from './error.ts';
import { FORMAT_PARAMETER, type OrdParameter } from './query.ts';

/** What a parameter of a search sets. */
export interface SearchValues {
  readonly criterion?: DirectoryCriterion;
  /** What a relationship of the organisation must have. All of them belong to one relationship. */
  readonly relationship?: WantedRelationship;
  /** The most rows of an answer. */
  readonly limit?: number;
  /** The number of rows to skip. */
  readonly offset?: number;
  /** The number of the edition that the links of a search belong to. */
  readonly edition?: number;
}

type WantedRelationship = Parameters<typeof hasRelationship>[0];

type CriterionParameter = OrdParameter<Pick<SearchValues, 'criterion'>>;

/** `today` is the current date in England, `YYYY-MM-DD`. */
function lastChangeDate(today: () => string): CriterionParameter {
  return {
    name: 'LastChangeDate',
    documentation: 'Changed on or after a date: `YYYY-MM-DD`, not in the future.',
    isCriterion: true,
    parse: (text) => {
      const [day] = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dateEntries(text) : [];
      if (day === undefined) throw invalidParameter('Invalid date format.');
      if (text > today()) throw invalidParameter('Supplied LastChangeDate is in the future.');
      return {
        criterion: { type: 'date', field: 'lastUpdated', values: [{ prefix: 'ge', ...day }] },
      };
    },
  };
}

const NAME: CriterionParameter = {
  name: 'Name',
  documentation: 'The name contains this text, in any case: 3 to 100 characters.',
  isCriterion: true,
  parse: (text) => {
    if (text.trim().length < 3) {
      throw invalidParameter('Supplied Name needs a minimum of 3 Characters.');
    }
    if (text.length > 100) throw invalidParameter('Supplied Name too long, max 100 Characters.');
    if (!/^[A-Za-z0-9_@&.()'" /:,+;-]*$/.test(text)) {
      throw invalidParameter('Supplied Name has invalid Character/s.');
    }
    return { criterion: { type: 'string', field: 'name', match: 'contains', values: [text] } };
  },
};

const POST_CODE: CriterionParameter = {
  name: 'PostCode',
  documentation:
    'The postcode, or its outward code: `LS1` does not match LS10. Spaces do not matter.',
  isCriterion: true,
  parse: (text) => {
    if (text.length > 8 || SPLIT_INWARD.test(text) || !POSTCODE.test(compactPostalCode(text))) {
      throw invalidParameter(
        'Supplied PostCode is not a postcode or an outward code, such as LS1 4AP or LS1.',
      );
    }
    const code = compactPostalCode(text);
    return { criterion: { type: 'token', field: 'postalCode', values: [{ code }] } };
  },
};

/** A whole postcode or an outward code. */
const POSTCODE = /^(?:[A-Z]{1,2}[0-9][A-Z0-9]?|GIR)(?:[0-9][A-Z]{2})?$/;

/** `LS1 4` without its space would be another outward code. */
const SPLIT_INWARD = /[0-9][A-Z]? +[0-9]$/i;

const STATUS: CriterionParameter = {
  name: 'Status',
  documentation: '`Active` or `Inactive`, in any case.',
  isCriterion: true,
  parse: (text) => ({
    criterion: {
      type: 'token',
      field: 'active',
      values: [{ code: String(isActiveStatus(text, 'Status')) }],
    },
  }),
};

/** Throws if the text is neither `Active` nor `Inactive`. */
function isActiveStatus(text: string, name: string): boolean {
  const status = text.toLowerCase();
  if (status === 'active' || status === 'inactive') return status === 'active';
  throw invalidParameter(`Supplied ${name} must be Active or Inactive`);
}

const RECORD_CLASS: CriterionParameter = {
  name: 'OrgRecordClass',
  documentation: '`RC1` for organisations, `RC2` for sites.',
  isCriterion: true,
  parse: (text) => {
    const [, code] = /^RC([12])$/i.exec(text) ?? [];
    if (code === undefined) throw invalidParameter('Supplied OrgRecordClass must be RC1 or RC2');
    return { criterion: { type: 'token', field: 'recordClass', values: [{ code }] } };
  },
};

/** A parameter whose values are ids of codes, such as `RO197`. */
function codeParameter(
  name: string,
  field: 'primaryRole' | 'otherRole' | 'role',
  documentation: string,
  isList = false,
): CriterionParameter {
  return {
    name,
    documentation,
    isCriterion: true,
    parse: (text) => {
      const codes = isList ? codesOf(text, 'RO', name) : [codeOf(text, 'RO', name)];
      return { criterion: { type: 'token', field, values: codes.map((code) => ({ code })) } };
    },
  };
}

/** The codes of ids separated by commas. */
function codesOf(text: string, prefix: 'RO' | 'RE', name: string): readonly string[] {
  const ids = text.split(',');
  if (ids.length > ALTERNATIVES_MAX) {
    throw invalidParameter(`Supplied ${name} has more than ${ALTERNATIVES_MAX} values`);
  }
  return ids.map((id) => codeOf(id, prefix, name));
}

/** `RO197` → `197`. Other ids of the right form stay the same, and match nothing. */
function codeOf(id: string, prefix: 'RO' | 'RE', name: string): string {
  if (!/^[A-Za-z0-9]{3,10}$/.test(id)) {
    const example = prefix === 'RO' ? 'RO197' : 'RE4';
    throw invalidParameter(
      `Supplied ${name} must be 3 to 10 letters and digits, such as ${example}`,
    );
  }
  const upper = id.toUpperCase();
  return upper.startsWith(prefix) ? upper.slice(prefix.length) : id;
}

type RelationshipParameter = OrdParameter<Pick<SearchValues, 'relationship'>>;

const RELATIONSHIP_TYPES: RelationshipParameter = {
  name: 'RelTypeId',
  documentation: 'Has a relationship of one of these types, such as `RE4,RE6`.',
  isCriterion: true,
  parse: (text) => ({ relationship: { types: codesOf(text, 'RE', 'RelTypeId') } }),
};

const RELATIONSHIP_TARGET: RelationshipParameter = {
  name: 'TargetOrgId',
  documentation: 'Has a relationship to the organisation with this code.',
  isCriterion: true,
  parse: (text) => {
    if (!/^[A-Za-z0-9]{1,64}$/.test(text)) {
      throw invalidParameter('Supplied TargetOrgId must be the code of an organisation');
    }
    return { relationship: { targets: [text, text.toUpperCase()] } };
  },
};

const RELATIONSHIP_STATUS: RelationshipParameter = {
  name: 'RelStatus',
  documentation: 'Has a relationship that is `active` or `inactive`, in any case.',
  isCriterion: true,
  parse: (text) => ({ relationship: { isActive: isActiveStatus(text, 'RelStatus') } }),
};

const LIMIT_MAX = 1000;
export const LIMIT_DEFAULT = 20;

const LIMIT: OrdParameter<SearchValues> = {
  name: 'Limit',
  documentation: 'The most organisations in the answer: 1 to 1,000. Without it: 20.',
  schema: { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
  isCriterion: false,
  parse: (text) => {
    const limit = parseWholeNumber(text) ?? 0;
    if (limit < 1 || limit > LIMIT_MAX) {
      throw invalidParameter(`Supplied Limit must be between 1 and ${LIMIT_MAX}`);
    }
    return { limit };
  },
};

const OFFSET: OrdParameter<SearchValues> = {
  name: 'Offset',
  documentation: 'The number of organisations to skip: 1 or more. Leave it out to skip none.',
  schema: { type: 'integer', minimum: 1 },
  isCriterion: false,
  parse: (text) => {
    const offset = parseWholeNumber(text) ?? 0;
    // Spelled as the national service spells it.
    if (offset < 1) throw invalidParameter('Suppied Offset must be greater than 1');
    return { offset };
  },
};

const EDITION: OrdParameter<SearchValues> = {
  name: '_edition',
  documentation: 'The edition of the directory that the links of an answer belong to.',
  isCriterion: false,
  parse: (text) => {
    const edition = parseWholeNumber(text);
    if (edition === undefined)
      throw invalidParameter('Supplied _edition must be the number of an edition');
    return { edition };
  },
};

/** The error of a request that selects no organisations. */
export const NO_PARAMETERS = invalidParameter('Supplied query must include some query parameters');

/** The parameters of `organisations?…`. */
export function searchParameters(today: () => string): readonly OrdParameter<SearchValues>[] {
  return [
    NAME,
    POST_CODE,
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
export function syncParameters(today: () => string): readonly CriterionParameter[] {
  return [lastChangeDate(today), FORMAT_PARAMETER];
}
