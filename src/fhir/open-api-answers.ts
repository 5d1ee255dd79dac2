/** What the operations of the OpenAPI description share: parameters, answers, schemas. */
import type { ErrorKind } from './fhir-error.ts';
import { ERROR_ROWS } from './outcome.ts';
import type { Service } from './service.ts';

export function operation(operationId: string, summary: string) {
  return { operationId, summary };
}

/** The path and its operations, which ask for a token where the service does. */
export function secured(path: string, item: object, { authorize }: Service): PathItem {
  if (authorize === undefined) return [path, item];
  const operations = Object.entries(item).map(([method, operation]) => [
    method,
    { ...operation, security: [{ bearer: [] }] },
  ]);
  return [path, Object.fromEntries(operations)];
}

export type PathItem = readonly [path: string, item: object];

const TOKEN_ERRORS: readonly ErrorKind[] = ['unauthorized', 'forbidden'];

/** What any request can end in; 405 and unknown paths are not among what is described. */
export const ANY_ERRORS: readonly ErrorKind[] = [
  'throttled',
  'unknown-transfer-coding',
  'unavailable',
  'fault',
];

export const FORM_PARAMETERS: readonly object[] = [
  {
    name: '_format',
    in: 'query',
    description: 'json or xml, or a media type of either; counts before Accept.',
    schema: { type: 'string' },
  },
  { name: '_pretty', in: 'query', description: 'true: indented.', schema: { type: 'boolean' } },
];

export const PREFER = {
  name: 'Prefer',
  in: 'header',
  description: 'handling=lenient leaves unknown parameters out; handling=strict refuses them.',
  schema: { type: 'string' },
};

export function responses(service: Service, resourceType: string, errors: readonly ErrorKind[]) {
  const { json, xml } = service.version.mediaTypes;
  const schema = { $ref: '#/components/schemas/Resource' };
  return {
    200: {
      description: `${resourceType}, FHIR ${service.version.name}`,
      headers: ANSWER_HEADERS,
      content: { [json]: { schema }, [xml]: {} },
    },
    ...NOT_MODIFIED,
    ...errorResponses(service, [
      ...errors,
      ...ANY_ERRORS,
      ...(service.authorize === undefined ? [] : TOKEN_ERRORS),
    ]),
  };
}

export function errorResponses(
  service: Service,
  kinds: readonly ErrorKind[],
): Record<string, object> {
  const { json, xml } = service.version.mediaTypes;
  const byStatus = new Map<number, Set<string>>();
  for (const kind of kinds) {
    const { status, detail } = ERROR_ROWS[kind];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(detail));
  }
  const schema = { $ref: '#/components/schemas/OperationOutcome' };
  return Object.fromEntries(
    [...byStatus].map(([status, details]) => [
      status,
      {
        description: [...details].join(', '),
        content: { [json]: { schema }, [xml]: {} },
        ...(RETRIED.has(status) ? { headers: { 'Retry-After': header('RetryAfter') } } : {}),
      },
    ]),
  );
}

const RETRIED = new Set([429, 503]);

export const NOT_MODIFIED = { 304: { description: 'What the client has is still good.' } };

export const ANSWER_HEADERS = {
  ETag: header('ETag'),
  'Last-Modified': header('LastModified'),
  'X-Request-Id': header('RequestId'),
};

export function header(name: keyof typeof HEADERS) {
  return { $ref: `#/components/headers/${name}` };
}

export const HEADERS = {
  ETag: { description: 'Weak; for If-None-Match.', schema: { type: 'string' } },
  LastModified: { description: 'For If-Modified-Since.', schema: { type: 'string' } },
  Location: { description: 'Of the version.', schema: { type: 'string' } },
  RequestId: { description: 'As the log has it.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds.', schema: { type: 'integer' } },
} as const;

const RESOURCE_TYPE = { type: 'object', required: ['resourceType'] } as const;

export const SCHEMAS = {
  Resource: { ...RESOURCE_TYPE, properties: { resourceType: { type: 'string' } } },
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
