/** The interactions of a type that clients write, for the OpenAPI description. */
import type { ErrorKind } from './fhir-error.ts';
import type { AnyResource } from './format/resource.ts';
import { encodeXml } from './format/xml.ts';
import {
  ANSWER_HEADERS,
  ANY_ERRORS,
  errorResponses,
  FORM_PARAMETERS,
  header,
  operation,
  type PathItem,
  responses,
  secured,
} from './open-api-answers.ts';
import type { WrittenType } from './route.ts';
import type { Service } from './service.ts';

export function versionPaths(base: string, type: WrittenType, service: Service): PathItem[] {
  const { name, documentation } = type;
  const item = `${base}/${name}/{id}`;
  return [
    secured(
      `${base}/${name}`,
      {
        post: {
          ...operation(`create${name}`, `Create: ${documentation}`),
          parameters: [headerParameter('If-None-Exist', 'identifier={system}|{value}'), RETURN],
          requestBody: requestBody(service, type.example),
          responses: {
            201: written(service, 'Created.'),
            200: written(service, 'There is one with the identifier of If-None-Exist already.'),
            ...errorResponses(service, [...WRITE_ERRORS, 'precondition-failed']),
          },
        },
      },
      service,
    ),
    secured(
      item,
      {
        get: {
          ...operation(`read${name}`, 'Read the current version.'),
          parameters: [ID, ...FORM_PARAMETERS],
          responses: responses(service, name, READ_ERRORS),
        },
        put: {
          ...operation(`update${name}`, 'Make a new version.'),
          parameters: [ID, ...PRECONDITIONS, RETURN],
          requestBody: requestBody(service),
          responses: {
            200: written(service, 'Updated.'),
            ...errorResponses(service, [...WRITE_ERRORS, 'conflict', 'precondition-failed']),
          },
        },
      },
      service,
    ),
    secured(
      `${item}/_history`,
      {
        get: {
          ...operation(`history${name}`, 'The versions, newest first.'),
          parameters: [ID, ...HISTORY_PARAMETERS, ...FORM_PARAMETERS],
          responses: responses(service, 'Bundle', READ_ERRORS),
        },
      },
      service,
    ),
    secured(
      `${item}/_history/{version}`,
      {
        get: {
          ...operation(`vread${name}`, 'Read one version.'),
          parameters: [ID, pathParameter('version'), ...FORM_PARAMETERS],
          responses: responses(service, name, READ_ERRORS),
        },
      },
      service,
    ),
  ];
}

const WRITE_ERRORS: readonly ErrorKind[] = [
  'invalid-value',
  'invalid-request',
  'invalid-resource',
  'rule-broken',
  'unauthorized',
  'forbidden',
  'not-acceptable',
  'unsupported-media-type',
  'body-too-large',
  ...ANY_ERRORS,
];

const READ_ERRORS: readonly ErrorKind[] = [
  'invalid-value',
  'no-record',
  'unauthorized',
  'forbidden',
  'not-acceptable',
];

const ID = pathParameter('id');

const PRECONDITIONS = [
  headerParameter('If-Match', 'W/"{version}": update only if this is the current version.'),
  headerParameter(
    'If-None-Match',
    'W/"{version}" or *: update only if none of them matches the current version.',
  ),
  headerParameter('If-Unmodified-Since', 'An HTTP date: update only if nothing was written since.'),
];

const RETURN = headerParameter(
  'Prefer',
  'return=OperationOutcome (the default), return=representation or return=minimal',
);

const HISTORY_PARAMETERS = [
  queryParameter('_count', 'integer', 'Versions on a page, 1 to 100.'),
  queryParameter('_since', 'string', 'An instant: versions from then on.'),
  queryParameter('_before', 'integer', 'Versions before this one, as the link next has it.'),
];

function pathParameter(name: string) {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function headerParameter(name: string, description: string) {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

function queryParameter(name: string, type: string, description: string) {
  return { name, in: 'query', description, schema: { type } };
}

function requestBody({ version }: Service, example?: AnyResource) {
  const schema = { $ref: '#/components/schemas/Resource' };
  const { json, xml } = version.mediaTypes;
  if (example === undefined) return { required: true, content: { [json]: { schema }, [xml]: {} } };
  const document = {
    // Swagger shows the XML example unchanged only for an object whose root element has a name.
    schema: { type: 'object', xml: { name: example.resourceType } },
    example: encodeXml(example, version.definitions, { pretty: true }),
  };
  return { required: true, content: { [json]: { schema, example }, [xml]: document } };
}

function written({ version }: Service, description: string) {
  const { json, xml } = version.mediaTypes;
  return {
    description: `${description} An OperationOutcome, or the resource where Prefer asks for it.`,
    headers: { ...ANSWER_HEADERS, Location: header('Location') },
    content: { [json]: {}, [xml]: {} },
  };
}
