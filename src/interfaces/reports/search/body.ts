/**
 * The members of the JSON bodies of searches, in one table for each search, and their parser.
 * Programs send every member, those that they do not need as an empty text.
 */

import { trimPasted } from '../../../directory/edition/source-record.ts';
import {
  type DirectoryCriterion,
  postalCodeBeginning,
  type StringField,
  tokenCriterion,
} from '../../../directory/index/organization-index.ts';
import { dayPeriod } from '../../../directory/record/day.ts';
import { ALTERNATIVES_MAX } from '../../../fhir/search/parse-search-query.ts';
import { fold } from '../../../fhir/search/string.ts';
import { refuse } from '../../json/json-parameters.ts';
import { TEXT } from '../../json/json-schema.ts';
import {
  anyCase,
  DAY_KIND,
  FLAG_KIND,
  type Kind,
  listKind,
  mappedKind,
  numberKind,
  TEXT_KIND,
} from '../../json/kinds.ts';
import { type ParameterRow, tableOf } from '../../json/parameter-table.ts';
import { readMembers, type SentObject } from '../../json/read-parameters.ts';

/** A table whose values are parts of a search. */
export type SearchTable = Readonly<Record<string, ParameterRow<SearchPart>>>;

/** What the value of a member adds to a search. */
interface SearchPart extends Partial<SearchOptions> {
  readonly criterion?: DirectoryCriterion;
}

interface SearchOptions {
  /** If there are any, an organisation must meet one of them. */
  readonly anyOf: readonly DirectoryCriterion[];
  /** The number of organisations to skip. */
  readonly offset: number;
  /** The most organisations in the answer. */
  readonly batchSize: number;
  /** Whether the answer states how many match. */
  readonly isCounted: boolean;
  /** What practitioners are searched for. */
  readonly text: string;
}

export interface OrganisationSearch extends SearchOptions {
  /** An organisation must meet all of them. */
  readonly criteria: readonly DirectoryCriterion[];
}

/** Ignores members that the search does not have. Throws a FhirError with the first problem. */
export function parseSearch(body: SentObject, members: SearchTable): OrganisationSearch {
  const criteria: DirectoryCriterion[] = [];
  let options: SearchOptions = {
    anyOf: [],
    offset: 0,
    batchSize: BATCH_DEFAULT,
    isCounted: false,
    text: '',
  };
  for (const part of Object.values(readMembers(body, members))) {
    const { criterion, ...rest } = part ?? {};
    if (criterion !== undefined) criteria.push(criterion);
    options = { ...options, ...rest };
  }
  return { ...options, criteria };
}

/** A larger batch is refused, not cut: programs take a batch that is not full for the last one. */
const BATCH_MAX = 100_000;
const BATCH_DEFAULT = 100;

const PAGE_MEMBERS = tableOf({
  offset: {
    documentation: 'The number of organisations to skip. Without it: 0.',
    kind: mappedKind(numberKind({ min: 0, preset: 0 }, '0 or more'), (offset) => ({ offset })),
    example: '0',
  },
  batchSize: {
    documentation: 'The most organisations in the answer: 1 to 100,000. Without it: 100.',
    kind: mappedKind(
      numberKind({ min: 1, max: BATCH_MAX, preset: BATCH_DEFAULT }, 'from 1 to 100,000'),
      (batchSize) => ({ batchSize }),
    ),
    example: '5',
  },
  getNumberOfRecords: {
    documentation: '`true`: the answer also has `numberOfRecords`, the number of all matches.',
    kind: mappedKind(anyCase(FLAG_KIND), (isCounted) => ({ isCounted })),
    example: 'true',
  },
});

/** The members of `organisationReportSearch`. */
export const REPORT_SEARCH: SearchTable = {
  searchQueryName: {
    documentation: 'The name contains this text: 3 to 100 characters.',
    kind: textKind(3, 100, containing('name')),
    example: 'leeds',
  },
  searchQueryCode: {
    documentation: 'The code, in any case, or several separated by commas.',
    kind: codesKind('searchQueryCode', withCode),
    example: 'RR8,RTG',
  },
  searchQueryAddress: {
    documentation: 'The postcode, the town or the country contains this text: 2 to 100 characters.',
    kind: textKind(2, 100, containing('address')),
    example: 'leeds',
  },
  searchQueryTown: {
    documentation: 'The town contains this text: 2 to 75 characters.',
    kind: textKind(2, 75, containing('city')),
    example: 'leeds',
  },
  searchQueryPostCode: {
    documentation:
      'The postcode begins with this text, with or without its space: 2 to 8 characters.',
    kind: textKind(2, 8, postalCodeBeginning),
    example: 'LS1',
  },
  searchQueryPrimaryRoleCodes: {
    documentation: 'One of these primary roles, separated by commas: `RO177,RO98`.',
    kind: codesKind('searchQueryPrimaryRoleCodes', withRole('primaryRole')),
    example: 'RO177,RO98',
  },
  searchQueryNonPrimaryRoleCodes: {
    documentation: 'One of these other roles, separated by commas: `RO177,RO98`.',
    kind: codesKind('searchQueryNonPrimaryRoleCodes', withRole('otherRole')),
    example: 'RO76',
  },
  searchQueryIsActive: {
    documentation: '`Active`, `Inactive` or `All (Status)`, in any case. Without it: all.',
    kind: {
      schema: { type: 'string', enum: ['', 'Active', 'Inactive', 'All (Status)'] },
      rule: 'must be Active, Inactive or All (Status)',
      parse: (text) => STATUSES.get(text.toLowerCase()),
    },
    example: 'Active',
  },
  lastChangeDateStart: {
    documentation: 'Changed on this day or later: `YYYY-MM-DD`.',
    kind: changedKind('ge'),
    example: '2026-06-01',
  },
  lastChangeDateEnd: {
    documentation: 'Changed on this day or earlier: `YYYY-MM-DD`.',
    kind: changedKind('le'),
    example: '2026-10-01',
  },
  ...PAGE_MEMBERS,
};

const STATUSES: ReadonlyMap<string, SearchPart> = new Map([
  ['active', { criterion: tokenCriterion('active', ['true']) }],
  ['inactive', { criterion: tokenCriterion('active', ['false']) }],
  ['all (status)', {}],
]);

/** The shortest text that the name is searched for. */
const NAME_LENGTH_MIN = 3;

/** The members of `organisationGeneralSearch`. */
export const GENERAL_SEARCH: SearchTable = {
  searchQueryGeneral: {
    documentation:
      'The code, in any case; a part of the name, from 3 characters on; or the beginning of the ' +
      'postcode. 2 to 100 characters.',
    isRequired: true,
    kind: mappedKind(lengthKind(2, 100), (text) => {
      const inName = text.length < NAME_LENGTH_MIN ? [] : [containing('name')(text)];
      return { anyOf: [withCode([trimPasted(text)]), postalCodeBeginning(text), ...inName] };
    }),
    example: 'leeds',
  },
  ...PAGE_MEMBERS,
};

/** The members of `practitionerGeneralSearch`. */
export const PRACTITIONER_SEARCH: SearchTable = {
  searchQueryGeneral: {
    documentation:
      'The code or another number, or words of the name, in any case. 2 to 100 characters.',
    isRequired: true,
    kind: mappedKind(lengthKind(2, 100), (text) => ({ text })),
    example: 'G1234567',
  },
  ...PAGE_MEMBERS,
};

function lengthKind(lengthMin: number, lengthMax: number): Kind<string> {
  return {
    schema: TEXT,
    rule: `must be a text of ${lengthMin} to ${lengthMax} characters`,
    parse: (sent) => {
      const text = sent.trim();
      const { length } = text;
      // A text of combining marks folds to an empty text, which would match every organisation.
      const isValid = length >= lengthMin && length <= lengthMax && fold(text).trim() !== '';
      return isValid ? text : undefined;
    },
  };
}

function textKind(
  lengthMin: number,
  lengthMax: number,
  criterionOf: (text: string) => DirectoryCriterion,
): Kind<SearchPart> {
  return mappedKind(lengthKind(lengthMin, lengthMax), (text) => ({ criterion: criterionOf(text) }));
}

function containing(field: StringField): (text: string) => DirectoryCriterion {
  return (text) => ({ type: 'string', field, match: 'contains', values: [text] });
}

function withCode(codes: readonly string[]): DirectoryCriterion {
  return { ...tokenCriterion('code', codes), ignoreCase: true };
}

/** `RO177`, `ro177` and `177` are the same role. */
function withRole(
  field: 'primaryRole' | 'otherRole',
): (codes: readonly string[]) => DirectoryCriterion {
  return (codes) =>
    tokenCriterion(
      field,
      codes.map((id) => id.replace(/^RO(?=\d)/i, '')),
    );
}

/** The codes in a text. A comma too many does not matter. */
function codesKind(
  name: string,
  criterionOf: (codes: readonly string[]) => DirectoryCriterion,
): Kind<SearchPart> {
  const rule = 'must be codes of letters and digits, separated by commas';
  const code = { ...TEXT_KIND, parse: (text: string) => CODE_TEXT.exec(text)?.[0] };
  return mappedKind(listKind(code, rule), (codes) => {
    if (codes.length <= ALTERNATIVES_MAX) return { criterion: criterionOf(codes) };
    throw refuse(`${name} has ${codes.length} codes. At most ${ALTERNATIVES_MAX} are allowed.`);
  });
}

const CODE_TEXT = /^[A-Za-z0-9]{1,64}$/;

/** Programs also send an empty text, so the schema is not that of a date. */
function changedKind(prefix: 'ge' | 'le'): Kind<SearchPart> {
  return {
    schema: TEXT,
    rule: DAY_KIND.rule,
    parse: (text) => {
      const day = dayPeriod(text);
      if (day === undefined) return undefined;
      return { criterion: { type: 'date', field: 'lastUpdated', values: [{ prefix, ...day }] } };
    },
  };
}
