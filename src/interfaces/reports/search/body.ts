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
import type { FhirError } from '../../../fhir/request/fhir-error.ts';
import { ALTERNATIVES_MAX } from '../../../fhir/search/parse-search-query.ts';
import { parseWholeNumber } from '../../../fhir/search/result-parameters.ts';
import { fold } from '../../../fhir/search/string.ts';
import { type DescribedParameter, refuse } from '../../json/json-parameters.ts';
import type { SentObject } from '../../json/json-service.ts';

export interface SearchMember extends DescribedParameter {
  readonly isRequired?: boolean;
  readonly parse: ParseMember;
}

/**
 * The value is neither null nor empty. Throws a FhirError that names the member if the value is not
 * valid.
 */
type ParseMember = (value: unknown, name: string) => SearchPart;

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
export function parseSearch(
  body: SentObject,
  members: readonly SearchMember[],
): OrganisationSearch {
  const criteria: DirectoryCriterion[] = [];
  let options: SearchOptions = {
    anyOf: [],
    offset: 0,
    batchSize: BATCH_DEFAULT,
    isCounted: false,
    text: '',
  };
  for (const { name, isRequired, parse } of members) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined || value === null || value === '') {
      if (isRequired) throw refuse(`The member ${name} is missing.`);
      continue;
    }
    const { criterion, ...rest } = parse(value, name);
    if (criterion !== undefined) criteria.push(criterion);
    options = { ...options, ...rest };
  }
  return { ...options, criteria };
}

/** A larger batch is refused, not cut: programs take a batch that is not full for the last one. */
const BATCH_MAX = 100_000;
const BATCH_DEFAULT = 100;

const PAGE_MEMBERS: readonly SearchMember[] = [
  {
    name: 'offset',
    documentation: 'The number of organisations to skip. Without it: 0.',
    schema: { type: 'integer', minimum: 0, default: 0 },
    parse: (value, name) => ({
      offset: wholeNumber(value, name, 0, Number.MAX_SAFE_INTEGER, '0 or more'),
    }),
  },
  {
    name: 'batchSize',
    documentation: 'The most organisations in the answer: 1 to 100,000. Without it: 100.',
    schema: { type: 'integer', minimum: 1, maximum: BATCH_MAX, default: BATCH_DEFAULT },
    parse: (value, name) => ({
      batchSize: wholeNumber(value, name, 1, BATCH_MAX, 'from 1 to 100,000'),
    }),
  },
  {
    name: 'getNumberOfRecords',
    documentation: '`true`: the answer also has `numberOfRecords`, the number of all matches.',
    schema: { type: 'boolean' },
    parse: (value, name) => {
      const text = String(value).toLowerCase();
      if (text === 'true' || text === 'false') return { isCounted: text === 'true' };
      throw invalid(name, 'must be true or false', value);
    },
  },
];

/** The members of `organisationReportSearch`. */
export const REPORT_SEARCH: readonly SearchMember[] = [
  textMember('searchQueryName', 'The name contains this text', 3, 100, containing('name')),
  {
    name: 'searchQueryCode',
    documentation: 'The code, in any case, or several separated by commas.',
    parse: (value, name) => ({ criterion: withCode(codesOf(value, name)) }),
  },
  textMember(
    'searchQueryAddress',
    'The postcode, the town or the country contains this text',
    2,
    100,
    containing('address'),
  ),
  textMember('searchQueryTown', 'The town contains this text', 2, 75, containing('city')),
  textMember(
    'searchQueryPostCode',
    'The postcode begins with this text, with or without its space',
    2,
    8,
    postalCodeBeginning,
  ),
  roleMember('searchQueryPrimaryRoleCodes', 'One of these primary roles', 'primaryRole'),
  roleMember('searchQueryNonPrimaryRoleCodes', 'One of these other roles', 'otherRole'),
  {
    name: 'searchQueryIsActive',
    documentation: '`Active`, `Inactive` or `All (Status)`, in any case. Without it: all.',
    schema: { type: 'string', enum: ['', 'Active', 'Inactive', 'All (Status)'] },
    parse: (value, name) => {
      const status = String(value).toLowerCase();
      if (status === 'all (status)') return {};
      if (status !== 'active' && status !== 'inactive') {
        throw invalid(name, 'must be Active, Inactive or All (Status)', value);
      }
      return { criterion: tokenCriterion('active', [String(status === 'active')]) };
    },
  },
  dateMember('lastChangeDateStart', 'later', 'ge'),
  dateMember('lastChangeDateEnd', 'earlier', 'le'),
  ...PAGE_MEMBERS,
];

/** The shortest text that the name is searched for. */
const NAME_LENGTH_MIN = 3;

/** The members of `organisationGeneralSearch`. */
export const GENERAL_SEARCH: readonly SearchMember[] = [
  {
    name: 'searchQueryGeneral',
    documentation:
      'The code, in any case; a part of the name, from 3 characters on; or the beginning of the ' +
      'postcode. 2 to 100 characters.',
    isRequired: true,
    parse: (value, name) => {
      const text = textOf(value, name, 2, 100);
      const inName = text.length < NAME_LENGTH_MIN ? [] : [containing('name')(text)];
      return { anyOf: [withCode([trimPasted(text)]), postalCodeBeginning(text), ...inName] };
    },
  },
  ...PAGE_MEMBERS,
];

/** The members of `practitionerGeneralSearch`. */
export const PRACTITIONER_SEARCH: readonly SearchMember[] = [
  {
    name: 'searchQueryGeneral',
    documentation:
      'The code or another number, or words of the name, in any case. 2 to 100 characters.',
    isRequired: true,
    parse: (value, name) => ({ text: textOf(value, name, 2, 100) }),
  },
  ...PAGE_MEMBERS,
];

/** All names that clients write. */
export const SEARCH_NAMES: readonly string[] = [
  ...new Set([...REPORT_SEARCH, ...GENERAL_SEARCH].map(({ name }) => name)),
];

function textMember(
  name: string,
  meaning: string,
  lengthMin: number,
  lengthMax: number,
  criterionOf: (text: string) => DirectoryCriterion,
): SearchMember {
  return {
    name,
    documentation: `${meaning}: ${lengthMin} to ${lengthMax} characters.`,
    parse: (value) => ({ criterion: criterionOf(textOf(value, name, lengthMin, lengthMax)) }),
  };
}

function textOf(value: unknown, name: string, lengthMin: number, lengthMax: number): string {
  const text = typeof value === 'string' ? value.trim() : '';
  const { length } = text;
  // A text of combining marks folds to an empty text, which would match every organisation.
  if (length >= lengthMin && length <= lengthMax && fold(text).trim() !== '') return text;
  throw invalid(name, `must be a text of ${lengthMin} to ${lengthMax} characters`, value);
}

function containing(field: StringField): (text: string) => DirectoryCriterion {
  return (text) => ({ type: 'string', field, match: 'contains', values: [text] });
}

function withCode(codes: readonly string[]): DirectoryCriterion {
  return { ...tokenCriterion('code', codes), ignoreCase: true };
}

/** `RO177`, `ro177` and `177` are the same role. */
function roleMember(
  name: string,
  meaning: string,
  field: 'primaryRole' | 'otherRole',
): SearchMember {
  return {
    name,
    documentation: `${meaning}, separated by commas: \`RO177,RO98\`.`,
    parse: (value) => {
      const codes = codesOf(value, name).map((id) => id.replace(/^RO(?=\d)/i, ''));
      return { criterion: tokenCriterion(field, codes) };
    },
  };
}

/** The codes in a text. A comma too many does not matter. */
function codesOf(value: unknown, name: string): readonly string[] {
  const texts = typeof value === 'string' ? value.split(',') : [];
  const codes = texts.map(trimPasted).filter((text) => text !== '');
  if (codes.length === 0 || codes.some((code) => !/^[A-Za-z0-9]{1,64}$/.test(code))) {
    throw invalid(name, 'must be codes of letters and digits, separated by commas', value);
  }
  if (codes.length <= ALTERNATIVES_MAX) return codes;
  throw refuse(`${name} has ${codes.length} codes. At most ${ALTERNATIVES_MAX} are allowed.`);
}

function dateMember(name: string, direction: string, prefix: 'ge' | 'le'): SearchMember {
  return {
    name,
    documentation: `Changed on this day or ${direction}: \`YYYY-MM-DD\`.`,
    parse: (value) => {
      const day = typeof value === 'string' ? dayPeriod(value) : undefined;
      if (day === undefined) throw invalid(name, 'must be a date YYYY-MM-DD', value);
      return { criterion: { type: 'date', field: 'lastUpdated', values: [{ prefix, ...day }] } };
    },
  };
}

/** Programs also send numbers as texts. */
function wholeNumber(
  value: unknown,
  name: string,
  min: number,
  max: number,
  range: string,
): number {
  const number = typeof value === 'string' ? parseWholeNumber(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max)
    return number;
  throw invalid(name, `must be a whole number, ${range}`, value);
}

function invalid(name: string, rule: string, value: unknown): FhirError {
  return refuse(`${name} ${rule}. Got ${JSON.stringify(value)}.`);
}
