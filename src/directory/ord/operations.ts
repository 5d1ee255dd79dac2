/**
 * The operations of ORD in the OpenAPI description, derived from its routes.
 * https://spec.openapis.org/oas/v3.1.0.html#operation-object
 */
import { ANSWER_HEADERS, NOT_MODIFIED } from '../../fhir/open-api-answers.ts';
import { type RequestExamples, withExamples } from '../../fhir/open-api-examples.ts';
import { EXAMPLE_CODE } from '../organization-examples.ts';
import { ORD_CONTENT_TYPES } from './form.ts';
import type { OrdRoute } from './route.ts';

/** By the path below the base. `isSecured`: clients need a token. */
export function ordOperations(
  routes: readonly OrdRoute[],
  isSecured: boolean,
): Readonly<Record<string, object>> {
  return Object.fromEntries(routes.map((route) => [route.path, operation(route, isSecured)]));
}

function operation(
  { operationId, summary, path, parameters, headers }: OrdRoute,
  isSecured: boolean,
): object {
  return {
    operationId,
    summary,
    ...(isSecured ? { security: [{ bearer: [] }] } : {}),
    parameters: withExamples(
      [
        ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: 'string' },
        })),
        ...parameters.map(({ name, documentation }) => ({
          name,
          in: 'query',
          description: documentation,
          schema: { type: 'string' },
        })),
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
      default: ERROR,
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
  return [name, { schema: { type: 'string' } }];
}

const ERROR = {
  description: 'An error. Its code is the status: 404, 406, 503 and others.',
  content: {
    [ORD_CONTENT_TYPES.json]: {
      schema: {
        type: 'object',
        properties: { errorCode: { type: 'integer' }, errorText: { type: 'string' } },
      },
    },
  },
};
