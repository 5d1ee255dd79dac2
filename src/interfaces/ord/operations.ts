/**
 * The operations of ORD in the OpenAPI description, derived from its routes.
 * https://spec.openapis.org/oas/v3.1.0.html#operation-object
 */

import type { PlainOperation } from '../../fhir/service/interaction.ts';
import { type RequestExamples, withExamples } from '../../fhir/service/open-api-examples.ts';
import { ANSWER_HEADERS, NOT_MODIFIED } from '../../fhir/statement/open-api-answers.ts';
import { EXAMPLE_CODE } from '../faces/face.ts';
import { objectOf, parameterOf, TEXT } from '../json/json-schema.ts';
import { ORD_CONTENT_TYPES } from './form.ts';
import type { OrdRoute } from './route.ts';

/** `isSecured`: clients need a token. */
export function ordOperation(
  { operationId, summary, path, parameters, headers }: OrdRoute,
  isSecured: boolean,
): PlainOperation {
  return {
    operationId,
    summary,
    parameters: withExamples(
      [
        ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
          name,
          in: 'path',
          required: true,
          schema: TEXT,
        })),
        ...parameters.map(({ name, documentation, schema = TEXT }) =>
          parameterOf(name, documentation, { schema }),
        ),
      ],
      EXAMPLES[operationId],
    ),
    responses: {
      200: {
        description: summary,
        headers: { ...ANSWER_HEADERS, ...Object.fromEntries(headers.map(textHeader)) },
        content: { [ORD_CONTENT_TYPES.json]: {}, [ORD_CONTENT_TYPES.xml]: {} },
      },
      ...NOT_MODIFIED,
      ...errors(isSecured),
    },
  };
}

const EXAMPLES: RequestExamples = {
  readOrdOrganisation: { parameters: { code: EXAMPLE_CODE } },
  searchOrdOrganisations: { parameters: { Name: 'leeds', Status: 'Active', Limit: 5 } },
  listOrdChanges: { parameters: { LastChangeDate: '2026-06-01' } },
  readOrdRole: { parameters: { id: 'RO197' } },
  readOrdRelationship: { parameters: { id: 'RE4' } },
  readOrdRecordClass: { parameters: { id: 'RC1' } },
};

function textHeader(name: string): readonly [string, object] {
  return [name, { schema: TEXT }];
}

/** Every error has a body of one form, whose code is the status. */
function errors(isSecured: boolean): Record<string, object> {
  const described = Object.entries(ERRORS).filter(
    ([status]) => isSecured || !TOKEN_ERRORS.has(status),
  );
  return Object.fromEntries(
    described.map(([status, description]) => [
      status,
      { description, content: { [ORD_CONTENT_TYPES.json]: { schema: ERROR_SCHEMA } } },
    ]),
  );
}

const ERRORS = {
  401: 'The token is missing or not valid.',
  403: 'The token does not allow this.',
  404: 'There is no such record.',
  406: 'The search has no parameters, or a parameter or the format is unknown or not valid.',
  429: 'Too many requests.',
  503: 'The server has no edition, or is overloaded.',
};

const TOKEN_ERRORS: ReadonlySet<string> = new Set(['401', '403']);

const ERROR_SCHEMA = objectOf({
  errorCode: { type: 'integer' },
  errorText: TEXT,
  errorHint: TEXT,
});
