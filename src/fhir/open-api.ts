/**
 * The services as an OpenAPI description, made of the same values as routes and capability
 * statement. https://spec.openapis.org/oas/v3.1.0.html
 */
import { hash } from 'node:crypto';
import type { ErrorKind } from './fhir-error.ts';
import { gzipPieces } from './gzip.ts';
import type { Software } from './interactions/capabilities.ts';
import {
  ANSWER_HEADERS,
  ANY_ERRORS,
  errorResponses,
  FORM_PARAMETERS,
  HEADERS,
  NOT_MODIFIED,
  operation,
  type PathItem,
  PREFER,
  responses,
  SCHEMAS,
  secured,
} from './open-api-answers.ts';
import { versionPaths } from './open-api-versions.ts';
import { isWritten } from './route.ts';
import type { Document, SearchParameter, ServedType, Service } from './service.ts';

/** Served as `openapi.json` below the public address of the server. */
export function openApiDocument(services: readonly Service[], software: Software): Document {
  const serverUrl = services[0]?.serverUrl ?? '';
  const bytes = Buffer.from(JSON.stringify(openApi(services, software)));
  const etag = `W/"${hash('sha256', bytes).slice(0, 16)}"`;
  return {
    url: `${serverUrl}/openapi.json`,
    name: 'openApi',
    documentation: 'This description.',
    contentType: 'application/json; charset=utf-8',
    open: () => ({ etag, pieces: (isGzip) => (isGzip ? gzipPieces([bytes]) : [bytes]) }),
  };
}

export function openApi(services: readonly Service[], software: Software) {
  const serverUrl = services[0]?.serverUrl ?? '';
  const paths = Object.fromEntries(
    services.flatMap((service) =>
      servicePaths(service).map(([path, item]) => [path, tagged(item, service.name)]),
    ),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: software.name,
      version: software.version,
      description: services.map(({ description }) => description).join(' '),
    },
    servers: [{ url: serverUrl }],
    tags: services.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: SCHEMAS,
      headers: HEADERS,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

/** Readers show the operations of a tag together. */
function tagged(item: object, tag: string): object {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [method, { tags: [tag], ...operation }]),
  );
}

function servicePaths(service: Service): PathItem[] {
  const base = service.baseUrl.slice(service.serverUrl.length);
  const metadata: PathItem = [
    `${base}/metadata`,
    {
      get: {
        ...operation(`${service.name}.capabilities`, 'What the service offers'),
        parameters: FORM_PARAMETERS,
        responses: responses(service, service.version.capabilitiesType, [
          'invalid-value',
          'not-acceptable',
        ]),
      },
    },
  ];
  return [
    ...service.types.flatMap((type) =>
      isWritten(type)
        ? versionPaths(base, type, service)
        : typePaths(base, type, service).map(([path, item]) => secured(path, item, service)),
    ),
    metadata,
    ...service.documents.map((document) => {
      const [path, item] = documentPath(document, service);
      return document.type === undefined ? ([path, item] as const) : secured(path, item, service);
    }),
  ];
}

function typePaths(base: string, type: ServedType, service: Service): PathItem[] {
  const { name, documentation, read, search, ids, searchParameters } = type;
  const items: PathItem[] = [];
  if (search !== undefined) {
    const errors = SEARCH_ERRORS;
    items.push([
      `${base}/${name}`,
      {
        get: {
          ...operation(`search${name}`, `Search: ${documentation}`),
          parameters: [PREFER, ...searchParameters.flatMap(queryParameters)],
          responses: responses(service, 'Bundle', errors),
        },
      },
    ]);
    items.push([
      `${base}/${name}/_search`,
      {
        post: {
          ...operation(`search${name}ByForm`, 'The same search; URL and form count together.'),
          parameters: [PREFER],
          requestBody: {
            content: { 'application/x-www-form-urlencoded': { schema: formSchema(type) } },
          },
          responses: responses(service, 'Bundle', [
            ...errors,
            'unsupported-media-type',
            'body-too-large',
          ]),
        },
      },
    ]);
  }
  if (read !== undefined) {
    const schema = { type: 'string', ...(ids === undefined ? {} : { enum: ids }) };
    items.push([
      `${base}/${name}/{id}`,
      {
        get: {
          ...operation(`read${name}`, `Read by id: ${documentation}`),
          parameters: [{ name: 'id', in: 'path', required: true, schema }, ...FORM_PARAMETERS],
          responses: responses(service, name, READ_ERRORS),
        },
      },
    ]);
  }
  return items;
}

function documentPath(document: Document, service: Service): PathItem {
  const { url, name, documentation, contentType } = document;
  return [
    url.slice(service.serverUrl.length),
    {
      get: {
        ...operation(name, documentation),
        responses: {
          200: {
            description: documentation,
            headers: ANSWER_HEADERS,
            content: { [contentType]: {} },
          },
          ...NOT_MODIFIED,
          ...errorResponses(service, ['unavailable', ...ANY_ERRORS]),
        },
      },
    },
  ];
}

const READ_ERRORS: readonly ErrorKind[] = [
  'invalid-value',
  'no-record',
  'not-acceptable',
  'unavailable',
];

const SEARCH_ERRORS: readonly ErrorKind[] = [
  'invalid-code-system',
  'invalid-code-value',
  'invalid-identifier-system',
  'invalid-identifier-value',
  'invalid-parameter',
  'invalid-value',
  'not-acceptable',
  'edition-gone',
  'unavailable',
];

/** One for the parameter itself, and one for each modifier. */
function queryParameters(parameter: SearchParameter): object[] {
  const { name, documentation, modifiers } = parameter;
  return [
    queryParameter(name, documentation, parameter),
    ...modifiers.map((modifier) =>
      queryParameter(`${name}:${modifier}`, `${name} with the modifier ${modifier}.`, parameter),
    ),
  ];
}

function queryParameter(name: string, description: string, parameter: SearchParameter): object {
  return { name, in: 'query', description, schema: valueSchema(parameter), ...EXPLODED };
}

/** Repeated parameters are repeated pairs. */
const EXPLODED = { style: 'form', explode: true };

function valueSchema({ type, isRepeatable }: SearchParameter): object {
  const one = { type: type === 'number' ? 'integer' : 'string' };
  return isRepeatable ? { type: 'array', items: one } : one;
}

function formSchema({ searchParameters }: ServedType): object {
  const properties = searchParameters.flatMap((parameter) =>
    ['', ...parameter.modifiers.map((modifier) => `:${modifier}`)].map((modifier) => [
      parameter.name + modifier,
      { description: parameter.documentation, ...valueSchema(parameter) },
    ]),
  );
  return { type: 'object', properties: Object.fromEntries(properties) };
}
