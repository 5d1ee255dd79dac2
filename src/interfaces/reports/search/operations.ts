/** The operations of searches in the OpenAPI description. */

import type { PlainOperation } from '../../../fhir/service/interaction.ts';
import { ANSWER_HEADERS, NOT_MODIFIED } from '../../../fhir/statement/open-api-answers.ts';
import { EXAMPLE_CODE } from '../../faces/face.ts';
import { arrayOf, jsonContent, objectOf, parameterOf, TEXT } from '../../json/json-schema.ts';
import { errorAnswers } from '../../json/json-service.ts';
import { GENERAL_SEARCH, PRACTITIONER_SEARCH, REPORT_SEARCH, type SearchMember } from './body.ts';
import { objectSchema } from './member.ts';
import { ORGANISATION_MEMBERS } from './organisation-members.ts';
import { PRACTITIONER_MEMBERS } from './practitioner-members.ts';
import { INCOMING_MEMBERS, NEIGHBOUR_MEMBERS } from './single.ts';

/** The parameter of the search for one organisation. */
export const CODE_PARAMETER = 'code';

const { ETag, 'X-Request-Id': requestId } = ANSWER_HEADERS;

const ORGANISATION = objectSchema(ORGANISATION_MEMBERS);
const ORGANISATIONS = objectOf({
  orgArray: arrayOf(ORGANISATION),
  orgCodeSystemUpdatedAt: { type: 'string', format: 'date-time' },
  numberOfRecords: { type: 'integer' },
});

const NEIGHBOUR = { oneOf: [objectSchema(NEIGHBOUR_MEMBERS), { type: 'null' }] };
const NOTHING = { type: 'array', items: {}, maxItems: 0 };
const PRACTITIONER_LIST = arrayOf(objectSchema(PRACTITIONER_MEMBERS));
const PRACTITIONERS = objectOf({
  pracArray: PRACTITIONER_LIST,
  pracCodeSystemUpdatedAt: { type: 'string', format: 'date-time' },
  numberOfRecords: { type: 'integer' },
});
const INCOMING = arrayOf(objectSchema(INCOMING_MEMBERS));
const SINGLE = objectOf({
  main: ORGANISATION,
  relationships: { type: 'object', additionalProperties: INCOMING },
  predecessor: NEIGHBOUR,
  successor: NEIGHBOUR,
  igManagement: NOTHING,
  practitioners: PRACTITIONER_LIST,
});

export const SEARCH_OPERATIONS = {
  organisationReportSearch: searchOperation(
    'organisationReportSearch',
    'Search: a page of organisations, by any of their properties.',
    REPORT_SEARCH,
    { searchQueryName: 'leeds', searchQueryIsActive: 'Active', offset: 0, batchSize: 5 },
  ),
  organisationGeneralSearch: searchOperation(
    'organisationGeneralSearch',
    'Search: a page of organisations, by code, name or postcode.',
    GENERAL_SEARCH,
    { searchQueryGeneral: 'leeds', offset: 0, batchSize: 5 },
  ),
  practitionerGeneralSearch: searchOperation(
    'practitionerGeneralSearch',
    'Search: a page of practitioners, by code, number or name.',
    PRACTITIONER_SEARCH,
    { searchQueryGeneral: 'G1234567', offset: 0, batchSize: 5 },
    PRACTITIONERS,
  ),
  singleOrganisationSearchByCode: {
    operationId: 'singleOrganisationSearchByCode',
    summary: 'An organisation, with the organisations that have a relationship to it.',
    parameters: [
      parameterOf(CODE_PARAMETER, 'The code of the organisation.', {
        required: true,
        example: EXAMPLE_CODE,
      }),
    ],
    responses: {
      200: {
        description: 'The organisation.',
        headers: { ETag, 'X-Request-Id': requestId },
        content: jsonContent(SINGLE),
      },
      ...NOT_MODIFIED,
      ...errorAnswers({
        404: 'There is no such organisation, or the edition does not know relationships.',
      }),
    },
  },
} satisfies Record<string, PlainOperation>;

function searchOperation(
  operationId: string,
  summary: string,
  members: readonly SearchMember[],
  example: object,
  found: object = ORGANISATIONS,
) {
  const properties = members.map(({ name, documentation, schema = TEXT }) => [
    name,
    { ...schema, description: documentation },
  ]);
  const required = members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = { ...objectOf(Object.fromEntries(properties)), required };
  return {
    operationId,
    summary,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      200: {
        description: 'What was found, in the order of the codes.',
        headers: { 'X-Request-Id': requestId },
        content: jsonContent(found),
      },
      ...errorAnswers({
        400: 'The body is not valid.',
        404: 'The directory has no practitioners.',
        413: 'The body is too large.',
        415: 'The body is not application/json.',
      }),
    },
  } as const;
}
