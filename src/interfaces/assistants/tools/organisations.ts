/** The tools that find and read organisations. */

import { findNear } from '../../../directory/ask/find-near.ts';
import type { Edition } from '../../../directory/edition/edition.ts';
import { findRow } from '../../../directory/edition/source-record.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { shownText } from '../../../fhir/request/unknown-name.ts';
import { currentOf } from '../../answer/editions.ts';
import { arrayOf, TEXT } from '../../json/json-schema.ts';
import { JSON_FORM } from '../../json/json-service.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { DETAILS_SCHEMA, detailsOf } from './details.ts';
import {
  choiceInput,
  flagInput,
  numberInput,
  optionalInput,
  positiveInput,
  textInput,
} from './inputs.ts';
import { nextOf, PAGE_INPUTS, pageOf } from './pages.ts';
import { ROLE_INPUT, roleCodesNamed } from './roles.ts';
import {
  LISTED_ORGANIZATIONS,
  listedOrganizations,
  ROW_PROPERTIES,
  rowAt,
  STATUSES,
} from './rows.ts';
import { COUNT, resultOf } from './schemas.ts';
import { createTool, type Tool } from './tool.ts';

export const CODE_INPUT = textInput('The code of an organisation, such as RR8, in any case.');

export const FULL_INPUT = optionalInput(
  flagInput('true: whole FHIR resources (STU3), which are long, in place of compact rows.'),
);

export function organizationTools(directory: AssistantDirectory): readonly Tool[] {
  const { editions } = directory;
  return [
    createTool({
      name: 'search_organisations',
      title: 'Search organisations',
      description:
        'Finds organisations by a part of the name, role, town, postcode and status, in the order ' +
        'of their codes: compact rows, and the total. All that is given must hold. For a name that ' +
        'may be misspelt, use match_names.',
      inputs: {
        name: optionalInput(textInput('The name contains this text.', { min: 3, max: 100 })),
        role: optionalInput(ROLE_INPUT),
        town: optionalInput(textInput('The town begins with this text.', { min: 2, max: 75 })),
        postcode: optionalInput(
          textInput('The postcode begins with this text, such as LS1 4AP or LS1.', {
            min: 2,
            max: 8,
          }),
        ),
        status: optionalInput(choiceInput('Only organisations that are in use, or not.', STATUSES)),
        full: FULL_INPUT,
        ...PAGE_INPUTS,
      },
      output: resultOf({ total: COUNT, ...LISTED_ORGANIZATIONS, next: TEXT }, ['total']),
      answer: ({ full, limit, after, ...wanted }) => {
        const page = pageOf(editions, { limit, after });
        const { edition, offset } = page;
        const criteria = criteriaOf(directory, edition, wanted);
        const { total, rows } = edition.index.search({ criteria }, offset, page.limit);
        return {
          total,
          ...listedOrganizations(directory, edition, rows, full),
          ...nextOf(page, offset + rows.length < total),
        };
      },
    }),
    createTool({
      name: 'get_organisation',
      title: 'Read an organisation',
      description:
        'Reads the organisation with a code: its address, contacts, roles and dates; with full as ' +
        'a FHIR resource. It has no relationships: see hierarchy and members.',
      inputs: { code: CODE_INPUT, full: FULL_INPUT },
      output: DETAILS_SCHEMA,
      answer: ({ code, full }) => {
        const edition = currentOf(editions);
        const row = knownRow(edition, code);
        if (full !== true) return detailsOf(edition, row);
        return { resource: directory.face.render(edition).organizationAt(row) };
      },
    }),
    createTool({
      name: 'near',
      title: 'Organisations near a place',
      description:
        'Lists the active organisations nearest to a postcode or a position, with their distances ' +
        'in kilometres.',
      inputs: {
        place: textInput(
          'A whole postcode such as LS1 4AP, or a latitude, a comma and a longitude.',
        ),
        role: optionalInput(ROLE_INPUT),
        within: optionalInput(
          positiveInput('The greatest distance in kilometres.', KILOMETRES_MAX),
        ),
        limit: optionalInput(numberInput('The most organisations, 20 by default.', 1, NEAR_MAX)),
      },
      output: NEAREST_SCHEMA,
      answer: ({ place, ...options }) => nearestTo(currentOf(editions), place, options),
    }),
  ];
}

const KILOMETRES_MAX = 1000;
const NEAR_MAX = 100;

export const NEAREST_SCHEMA = resultOf(
  {
    total: COUNT,
    organisations: arrayOf(
      resultOf({ ...ROW_PROPERTIES, kilometres: { type: 'number', minimum: 0 } }, [
        'code',
        'status',
        'kilometres',
      ]),
    ),
  },
  ['total', 'organisations'],
);

/** Throws a RangeError or a FhirError. */
export function nearestTo(
  edition: Edition,
  place: string,
  options: NonNullable<Parameters<typeof findNear>[2]>,
): object {
  const { total, organizations } = findNear(edition, place, options);
  return {
    total,
    organisations: organizations.map(({ code, kilometres }) => ({
      ...rowAt(edition, edition.index.rowOf(code)!),
      kilometres,
    })),
  };
}

interface WantedOrganizations {
  readonly name: string | undefined;
  readonly role: string | undefined;
  readonly town: string | undefined;
  readonly postcode: string | undefined;
  readonly status: 'active' | 'inactive' | undefined;
}

/** As the search of the FHIR interface reads them. Throws a FhirError. */
function criteriaOf(
  { face: { face, settings, baseUrl } }: AssistantDirectory,
  edition: Edition,
  { name, role, town, postcode, status }: WantedOrganizations,
) {
  const query = new URLSearchParams();
  if (name !== undefined) query.append('name:contains', name);
  if (role !== undefined) query.append('ods-org-role', roleCodesNamed(edition, role).join(','));
  if (town !== undefined) query.append('address-city', town);
  if (postcode !== undefined) query.append('address-postalcode', postcode);
  if (status !== undefined) query.append('active', String(status === 'active'));
  const parse = face.createSearchParser(settings, baseUrl, () => edition.postcodes);
  const request = { query: query.toString(), isLenient: false, form: JSON_FORM };
  return parse({ ...request, formIssue: undefined }).query.criteria;
}

/** The row in both sections of the edition. Throws a FhirError that says how to find the code. */
export function knownRow(edition: Edition, code: string): number {
  const found = findRow(edition.links, code);
  if (found !== undefined) return found.row;
  throw FhirError.of(
    'no-record',
    `There is no organisation with the code "${shownText(code)}". Use match_names or ` +
      'search_organisations with its name, or resolve_codes for a code that may have been replaced.',
  );
}
