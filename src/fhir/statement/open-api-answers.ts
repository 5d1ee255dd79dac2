/** The parameters, answers and schemas that operations of the OpenAPI description share. */

import type { AnyResource } from '../format/resource.ts';
import { encodeXml } from '../format/xml.ts';
import { ERROR_ROWS, type ErrorKind } from '../request/fhir-error.ts';
import type { Operation, Service } from '../service/interaction.ts';

const TOKEN_ERRORS: readonly ErrorKind[] = ['unauthorized', 'forbidden'];

/** Every request can have these. 405 and unknown paths are not described. */
const ANY_ERRORS: readonly ErrorKind[] = [
  'throttled',
  'unknown-transfer-coding',
  'unavailable',
  'fault',
];

export const FORM_PARAMETERS: readonly object[] = [
  queryParameter(
    '_format',
    'string',
    'json or xml, or a media type of either. It overrides Accept.',
  ),
  queryParameter('_pretty', 'boolean', 'true: indented.'),
];

export const PREFER = headerParameter(
  'Prefer',
  'handling=lenient leaves unknown parameters out; handling=strict refuses them.',
);

/** XML is described as text, because tools would turn the schema of an object into wrong elements. */
const XML_TEXT = { schema: { type: 'string' } } as const;

/** All answers to an interaction. */
export function responses(
  service: Service,
  { returns, errors }: Operation,
): Readonly<Record<string, object>> {
  const { json, xml } = service.version.mediaTypes;
  const schema = { $ref: '#/components/schemas/Resource' };
  const answers =
    typeof returns === 'string'
      ? {
          200: {
            description: `${returns}, FHIR ${service.version.name}`,
            headers: ANSWER_HEADERS,
            content: { [json]: { schema }, [xml]: XML_TEXT },
          },
          ...NOT_MODIFIED,
        }
      : Object.fromEntries(
          Object.entries(returns).map(([status, text]) => [
            status,
            status === '204' ? { description: text } : written(service, text),
          ]),
        );
  return { ...answers, ...errorResponses(service, errors) };
}

/** The answers to these errors, and to those that every request can have. */
export function errorResponses(
  service: Service,
  kinds: readonly ErrorKind[],
): Record<string, object> {
  const { version, errorDetails, authorize, checkApiKey } = service;
  const { json, xml } = version.mediaTypes;
  const keyErrors: readonly ErrorKind[] = checkApiKey === undefined ? [] : ['unauthorized'];
  const tokenErrors = authorize === undefined ? keyErrors : TOKEN_ERRORS;
  const byStatus = new Map<number, Set<string>>();
  for (const kind of [...kinds, ...tokenErrors, ...ANY_ERRORS]) {
    const { status, code } = ERROR_ROWS[kind];
    const detail = errorDetails?.[kind].code ?? code;
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(detail));
  }
  const schema = { $ref: '#/components/schemas/OperationOutcome' };
  return Object.fromEntries(
    [...byStatus].map(([status, details]) => [
      status,
      {
        description: [...details].join(', '),
        content: { [json]: { schema }, [xml]: XML_TEXT },
        ...(RETRIED.has(status) && { headers: { 'Retry-After': header('RetryAfter') } }),
      },
    ]),
  );
}

const RETRIED = new Set([429, 503]);

export const NOT_MODIFIED = { 304: { description: 'The copy of the client is still valid.' } };

export const ANSWER_HEADERS = {
  ETag: header('ETag'),
  'Last-Modified': header('LastModified'),
  'X-Request-Id': header('RequestId'),
};

function header(name: keyof typeof HEADERS) {
  return { $ref: `#/components/headers/${name}` };
}

export const HEADERS = {
  ETag: { description: 'Weak. Send it as If-None-Match.', schema: { type: 'string' } },
  LastModified: { description: 'For If-Modified-Since.', schema: { type: 'string' } },
  RequestId: { description: 'The id of the request in the log.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds.', schema: { type: 'integer' } },
} as const;

/** Not among `HEADERS`, because linters refuse what a server without writes does not use. */
const LOCATION = { description: 'The address of the version.', schema: { type: 'string' } };

const RESOURCE_TYPE = { type: 'object', required: ['resourceType'] } as const;

export const SCHEMAS = {
  Resource: {
    ...RESOURCE_TYPE,
    properties: { resourceType: { type: 'string' } },
    // Also for linters that refuse properties without a schema.
    additionalProperties: true,
  },
  OperationOutcome: {
    ...RESOURCE_TYPE,
    properties: {
      resourceType: { const: 'OperationOutcome' },
      issue: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            severity: { type: 'string' },
            code: { type: 'string' },
            details: { type: 'object' },
            diagnostics: { type: 'string' },
            location: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  },
};

export const WRITE_ERRORS: readonly ErrorKind[] = [
  'invalid-value',
  'invalid-request',
  'invalid-resource',
  'rule-broken',
  'not-acceptable',
  'unsupported-media-type',
  'body-too-large',
];

export const RETURN = headerParameter(
  'Prefer',
  'return=OperationOutcome (the default), return=representation or return=minimal',
);

/** https://spec.openapis.org/oas/v3.1.0.html#parameter-object */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'header' | 'query';
  readonly description: string;
  readonly schema: object;
}

export function headerParameter(name: string, description: string): OpenApiParameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

export function queryParameter(name: string, type: string, description: string): OpenApiParameter {
  return { name, in: 'query', description, schema: { type } };
}

/** https://spec.openapis.org/oas/v3.1.0.html#request-body-object */
export interface RequestBody {
  readonly required: boolean;
  /** By media type. */
  readonly content: Readonly<Record<string, object>>;
}

/** A resource in the body. */
export function requestBody({ version }: Service, example?: AnyResource): RequestBody {
  const schema = { $ref: '#/components/schemas/Resource' };
  const { json, xml } = version.mediaTypes;
  if (example === undefined)
    return { required: true, content: { [json]: { schema }, [xml]: XML_TEXT } };
  const xmlExample = encodeXml(example, version.definitions, { pretty: true });
  const document = { ...XML_TEXT, example: xmlExample };
  return { required: true, content: { [json]: { schema, example }, [xml]: document } };
}

/** The answer to a create or update. */
function written({ version }: Service, description: string) {
  const { json, xml } = version.mediaTypes;
  return {
    description: `${description} An OperationOutcome, or the resource if Prefer asks for it.`,
    headers: { ...ANSWER_HEADERS, Location: LOCATION },
    content: { [json]: { schema: { $ref: '#/components/schemas/Resource' } }, [xml]: XML_TEXT },
  };
}
