/**
 * The OpenAPI description of the services, derived from their interactions.
 * https://spec.openapis.org/oas/v3.1.0.html
 */
import { openBytes } from '../service/answer.ts';
import type {
  Download,
  OpenDownload,
  PlainOperation,
  PlainService,
  ServedType,
  Service,
  Software,
} from '../service/interaction.ts';
import { withExamples } from '../service/open-api-examples.ts';
import { createRouteTable, type Endpoint } from '../service/route-table.ts';
import {
  ANSWER_HEADERS,
  errorResponses,
  HEADERS,
  NOT_MODIFIED,
  requestBody,
  responses,
  SCHEMAS,
} from './open-api-answers.ts';

/** Served as `openapi.json` below the public address of the server. */
export function openApiDownload(
  services: readonly Service[],
  software: Software,
  plainServices: readonly PlainService[],
): Download {
  const serverUrl = services[0]?.serverUrl ?? '';
  let made: OpenDownload | undefined;
  const make = () =>
    openBytes(Buffer.from(JSON.stringify(openApi(services, software, plainServices))));
  return {
    url: `${serverUrl}/openapi.json`,
    name: 'openApi',
    documentation: 'This description.',
    contentType: 'application/json; charset=utf-8',
    // Made at the first request: a start need not wait for it.
    open: () => {
      made ??= make();
      return made;
    },
  };
}

/** https://spec.openapis.org/oas/v3.1.0.html#openapi-object */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<'schemas' | 'headers' | 'securitySchemes', object>>;
}

export function openApi(
  services: readonly Service[],
  software: Software,
  plainServices: readonly PlainService[] = [],
): OpenApiDocument {
  const serverUrl = services[0]?.serverUrl ?? '';
  const uniqueId = createOperationIds();
  const described = [
    ...services.map((service) => ({ name: service.name, description: descriptionOf(service) })),
    ...plainServices.map(({ name, description }) => ({ name, description })),
  ];
  const paths = Object.fromEntries([
    ...services.flatMap((service) => servicePaths(service, uniqueId)),
    ...plainServices.flatMap((service) => plainPaths(service, serverUrl)),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: software.name,
      version: software.version,
      description: described.map(({ description }) => description).join(' '),
      // The licence of the program and its interfaces. The operator decides about the data.
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: described,
    paths,
    components: {
      schemas: SCHEMAS,
      headers: HEADERS,
      securitySchemes: usedSchemes(paths),
    },
  };
}

/** Linters refuse a scheme that no operation uses. */
function usedSchemes(paths: Readonly<Record<string, PathItem>>) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const used = new Set(
    operations.flatMap(({ security = [] }) => security.flatMap((schemes) => Object.keys(schemes))),
  );
  return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => used.has(name)));
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  apikey: { type: 'apiKey', in: 'header', name: 'apikey' },
};

/** Operations by method. */
type PathItem = Readonly<Record<string, PlainOperation>>;

/** With the FHIR version, because several faces of the directory have the same description. */
function descriptionOf({ description, version }: Service): string {
  return `${description} FHIR version: ${version.name} (${version.number}).`;
}

/** The id of an operation in the description of all services. */
type UniqueId = (operationId: string, service: Service) => string;

/** OpenAPI does not allow two operations with the same id. The first service keeps the short id. */
function createOperationIds(): UniqueId {
  const ids = new Set<string>();
  return (operationId, { name }) => {
    const id = ids.has(operationId) ? `${name}.${operationId}` : operationId;
    ids.add(id);
    return id;
  };
}

function servicePaths(
  service: Service,
  uniqueId: UniqueId,
): (readonly [path: string, item: PathItem])[] {
  const base = service.baseUrl.slice(service.serverUrl.length);
  const endpoints = createRouteTable(service).endpoints.filter(
    ({ interactions }) => interactions.size > 0,
  );
  return [
    ...endpoints.map(
      (endpoint) => [`${base}/${endpoint.name}`, pathItem(endpoint, service, uniqueId)] as const,
    ),
    ...service.downloads.map(
      (download) =>
        [
          download.url.slice(service.serverUrl.length),
          downloadItem(download, service, uniqueId),
        ] as const,
    ),
  ];
}

function plainPaths(
  { name, title, baseUrl, operations }: PlainService,
  serverUrl: string,
): (readonly [path: string, item: PathItem])[] {
  const base = baseUrl.slice(serverUrl.length);
  return Object.entries(operations).map(([path, byMethod]) => [
    path === '' ? base : `${base}/${path}`,
    Object.fromEntries(
      Object.entries(byMethod).map(([method, operation]) => [
        method,
        {
          tags: [name],
          security: [],
          ...(typeof operation.summary === 'string' && {
            description: sentenceOf(operation.summary, { title }),
          }),
          ...operation,
        },
      ]),
    ),
  ]);
}

/** With the name of the service, because tools show an operation without its service. */
function sentenceOf(summary: string, { title }: Pick<Service, 'title'>): string {
  return `${title}: ${summary.replace(/[.]?$/, '.')}`;
}

/** The operations of an endpoint. They do not include HEAD. */
function pathItem(
  { name, type, interactions }: Endpoint,
  service: Service,
  uniqueId: UniqueId,
): PathItem {
  const operations = [...interactions].flatMap(([method, interaction]) => {
    if (method === 'HEAD') return [];
    const operation = interaction.describe(service, type);
    const { operationId, summary, parameters = [], exampleOf = operationId } = operation;
    const resource =
      interaction.body === 'resource'
        ? requestBody(service, service.examples?.[exampleOf]?.body)
        : undefined;
    const { requestBody: body = resource } = operation;
    const described = {
      ...common(service, interaction.needs),
      operationId: uniqueId(operationId, service),
      summary,
      description: sentenceOf(summary, service),
      parameters: withExamples(
        [...pathParameters(name, type), ...parameters],
        service.examples?.[operationId],
      ),
      ...(body && { requestBody: body }),
      responses: responses(service, operation),
    };
    return [[method.toLowerCase(), described]];
  });
  return Object.fromEntries(operations);
}

/** Readers of the description see the operations of a service together. */
function common({ name, authorize, checkApiKey }: Service, scope: string | undefined) {
  const schemes = {
    ...(authorize !== undefined && { bearer: [] }),
    ...(checkApiKey !== undefined && { apikey: [] }),
  };
  const isOpen = scope === undefined || Object.keys(schemes).length === 0;
  return { tags: [name], security: isOpen ? [] : [schemes] };
}

/** One for each name in braces: `OrderResponse/{id}`. */
function pathParameters(path: string, { ids }: ServedType): object[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => {
    const parameter = { name, in: 'path', required: true };
    if (name !== 'id' || ids === undefined) return { ...parameter, schema: { type: 'string' } };
    return { ...parameter, schema: { type: 'string', enum: ids }, example: ids[0] };
  });
}

function downloadItem(download: Download, service: Service, uniqueId: UniqueId): PathItem {
  const { name, documentation, contentType, type } = download;
  const operation = {
    ...common(service, type === undefined ? undefined : 'read'),
    operationId: uniqueId(name, service),
    summary: documentation,
    description: sentenceOf(documentation, service),
    responses: {
      200: {
        description: documentation,
        headers: ANSWER_HEADERS,
        content: { [contentType]: {} },
      },
      ...NOT_MODIFIED,
      ...errorResponses(service, []),
    },
  };
  return { get: operation };
}
