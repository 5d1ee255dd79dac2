/** The search of organisations that several tools have: its inputs, criteria, and pages. */

import { rankedGroups, rankedPage } from '../../../directory/ask/order/ranked-rows.ts';
import type { Edition } from '../../../directory/edition/edition.ts';
import { findCode, findRow } from '../../../directory/edition/source-record.ts';
import type { DirectoryCriterion } from '../../../directory/index/organization-index.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { shownText } from '../../../fhir/request/unknown-name.ts';
import { type JsonSchema, TEXT } from '../../json/json-schema.ts';
import { JSON_FORM } from '../../json/json-service.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { choiceInput, flagInput, type InputValues, optionalInput, textInput } from './inputs.ts';
import { nextOf, type WantedPage } from './pages.ts';
import { ROLE_INPUT, roleCodesNamed } from './roles.ts';
import { LISTED_ORGANIZATIONS, listedOrganizations, STATUSES } from './rows.ts';
import { COUNT, resultOf } from './schemas.ts';

export const CODE_INPUT = textInput('The code of an organisation, such as RR8, in any case.');

export const SEARCH_INPUTS = {
  name: optionalInput(textInput('The name contains this text.', { min: 3, max: 100 })),
  role: optionalInput(ROLE_INPUT),
  town: optionalInput(textInput('The town begins with this text.', { min: 2, max: 75 })),
  postcode: optionalInput(
    textInput('The postcode begins with this text, such as LS1 4AP or LS1.', { min: 2, max: 8 }),
  ),
  status: optionalInput(choiceInput('Only organisations that are in use, or not.', STATUSES)),
};

type WantedOrganizations = InputValues<typeof SEARCH_INPUTS>;

export const FULL_INPUT = optionalInput(
  flagInput('true: whole FHIR resources (STU3), which are long, in place of compact rows.'),
);

/** As the search of the FHIR interface reads them. Throws a FhirError. */
export function searchCriteria(
  { face: { face, settings, baseUrl } }: AssistantDirectory,
  edition: Edition,
  { name, role, town, postcode, status }: WantedOrganizations,
): readonly DirectoryCriterion[] {
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

/** The answer of `pageFound`. */
export const FOUND_SCHEMA: JsonSchema = resultOf(
  { total: COUNT, ...LISTED_ORGANIZATIONS, next: TEXT },
  ['total'],
);

/** In the order that people expect. `text`: the name that they wrote. */
export function pageFound(
  directory: AssistantDirectory,
  page: WantedPage,
  criteria: readonly DirectoryCriterion[],
  isFull: boolean | undefined,
  text = '',
): object {
  const { edition, offset, limit } = page;
  const groups = rankedGroups(edition, criteria, { text });
  const { total, rows } = rankedPage(edition, groups, offset, limit);
  return {
    total,
    ...listedOrganizations(directory, edition, rows, isFull),
    ...nextOf(page, offset + rows.length < total),
  };
}

/** The row in both sections of the edition. Throws a FhirError that says how to find the code. */
export function knownRow(edition: Edition, code: string): number {
  const found = findRow(edition.links, code);
  if (found !== undefined) return found.row;
  throw unknownCode(code);
}

/** A code of which there is a record, or that others refer to. Throws a FhirError. */
export function knownCode({ links }: Edition, text: string): string {
  const code = findCode(links, text);
  if (code !== undefined) return code;
  throw unknownCode(text);
}

function unknownCode(code: string): FhirError {
  return FhirError.of(
    'no-record',
    `There is no organisation with the code "${shownText(code)}". Use match_names or ` +
      'search_organisations with its name, or resolve_codes for a code that may have been replaced.',
  );
}
