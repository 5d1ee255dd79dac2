/**
 * Makes a Postman collection from the OpenAPI description: one request for each operation, with its
 * examples. https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 */
import { z } from 'zod';
import { EXAMPLE_VERSION } from '../src/interfaces/r4/face.ts';
import { EXAMPLE_AUDIT_ID, EXAMPLE_ID } from '../src/orders/order-response/example.ts';

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['query', 'path', 'header']),
  description: z.string().optional(),
  example: z.union([z.string(), z.number(), z.array(z.unknown())]).optional(),
});

const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(parameterSchema).optional(),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ example: z.unknown().optional() })) })
    .optional(),
  responses: z.record(
    z.string(),
    z.object({ content: z.record(z.string(), z.unknown()).optional() }),
  ),
});

const openApiSchema = z.object({
  info: z.object({ title: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

type Operation = z.infer<typeof operationSchema>;
type Parameter = z.infer<typeof parameterSchema>;

export interface PostmanItem {
  readonly name: string;
  readonly event?: readonly PostmanEvent[];
  readonly request: {
    readonly method: string;
    readonly description: string;
    readonly auth?: { readonly type: 'noauth' };
    readonly header: readonly PostmanField[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query: readonly PostmanField[];
    };
    readonly body?: PostmanBody;
  };
}

export interface PostmanEvent {
  readonly listen: 'test';
  readonly script: { readonly type: 'text/javascript'; readonly exec: readonly string[] };
}

interface PostmanField {
  readonly key: string;
  readonly value: string;
}

type PostmanBody =
  | { readonly mode: 'raw'; readonly raw: string; readonly options: object }
  | { readonly mode: 'urlencoded'; readonly urlencoded: readonly PostmanField[] };

/** `openApi` is the description as a server sends it. */
export function postmanCollection(openApi: unknown) {
  const { info, tags, paths } = openApiSchema.parse(openApi);
  const items = Object.entries(paths)
    .filter(([path]) => !NEEDS_HOST.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        tag: operation.tags[0],
        item: itemOf(path, method, operation),
      })),
    );
  return {
    info: {
      name: info.title,
      description:
        `${info.description} Each request has an example. Before you send requests, set the ` +
        'variables base (the address of the server) and token.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'base', value: 'http://localhost:8080' },
      { key: 'token', value: '' },
      { key: 'orderResponseId', value: EXAMPLE_ID },
      { key: 'auditEventId', value: EXAMPLE_AUDIT_ID },
      { key: 'directoryVersion', value: EXAMPLE_VERSION },
    ],
    event: [testEvent(SUCCEEDS)],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: items.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  };
}

/** A server refuses subscriptions to hosts that its operator has not allowed. */
const NEEDS_HOST = /^\/Subscription\b/;

/** Every request succeeds, because each changes or deletes only what an earlier request created. */
const SUCCEEDS = ["pm.test('The request succeeds', () => pm.expect(pm.response.code).below(400));"];

/** Scripts that store a value of an answer in a variable for later requests. */
const KEPT: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'OrganisationDirectoryR4.readOrganization',
    ["pm.collectionVariables.set('directoryVersion', pm.response.json().meta.versionId);"],
  ],
  [
    'createOrderResponse',
    [
      "const location = pm.response.headers.get('Location') ?? '';",
      "pm.collectionVariables.set('orderResponseId', location.split('/').at(-3));",
    ],
  ],
  [
    'searchAuditEvent',
    ["pm.collectionVariables.set('auditEventId', pm.response.json().entry[0].resource.id);"],
  ],
]);

function testEvent(exec: readonly string[]): PostmanEvent {
  return { listen: 'test', script: { type: 'text/javascript', exec } };
}

function itemOf(path: string, method: string, operation: Operation): PostmanItem {
  const { operationId, summary, security, parameters = [] } = operation;
  const steps = path.slice(1).split('/');
  const segments = steps.map((step) =>
    step.replace(/\{(\w+)\}/, (_, name) => pathValue(parameters, name)),
  );
  const query = fieldsOf(parameters, 'query');
  const search = query.map(({ key, value }) => `${key}=${value}`).join('&');
  const body = bodyOf(operation);
  const kept = KEPT.get(operationId);
  return {
    name: `${method.toUpperCase()} ${path}`,
    ...(kept !== undefined && { event: [testEvent(kept)] }),
    request: {
      method: method.toUpperCase(),
      description: summary,
      ...(security.length === 0 && { auth: { type: 'noauth' } }),
      header: [...headersOf(operation), ...fieldsOf(parameters, 'header')],
      url: {
        raw: `{{base}}/${segments.join('/')}${search === '' ? '' : `?${search}`}`,
        host: ['{{base}}'],
        path: segments,
        query,
      },
      ...(body !== undefined && { body }),
    },
  };
}

function pathValue(parameters: readonly Parameter[], name: string): string {
  const example = parameters.find((each) => each.in === 'path' && each.name === name)?.example;
  if (example === undefined) throw new Error(`the path parameter ${name} has no example`);
  return withVariables(String(example));
}

function fieldsOf(parameters: readonly Parameter[], place: Parameter['in']): PostmanField[] {
  return parameters.flatMap(({ name, example, ...parameter }) =>
    parameter.in === place && example !== undefined
      ? [{ key: name, value: withVariables(String(example)) }]
      : [],
  );
}

function headersOf({ responses, requestBody }: Operation): PostmanField[] {
  const answered = responses['200'] ?? responses['201'] ?? responses['204'];
  const [accept] = Object.keys(answered?.content ?? {});
  const [type] = Object.keys(requestBody?.content ?? {});
  return [
    ...(accept === undefined ? [] : [{ key: 'Accept', value: accept }]),
    ...(type === undefined || type === FORM_TYPE ? [] : [{ key: 'Content-Type', value: type }]),
  ];
}

function bodyOf({ operationId, requestBody }: Operation): PostmanBody | undefined {
  if (requestBody === undefined) return undefined;
  const [type, content] = Object.entries(requestBody.content)[0] ?? [];
  const example = content?.example;
  if (typeof example !== 'object' || example === null) {
    throw new Error(`the body of ${operationId} has no example`);
  }
  if (type === FORM_TYPE) {
    const fields = Object.entries(example).map(([key, value]) => ({ key, value: String(value) }));
    return { mode: 'urlencoded', urlencoded: fields };
  }
  const raw = withVariables(JSON.stringify(example, null, 2));
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Replaces the ids and versions that the server assigns by variables, which earlier requests set. */
function withVariables(text: string): string {
  return text
    .replaceAll(EXAMPLE_ID, '{{orderResponseId}}')
    .replaceAll(EXAMPLE_AUDIT_ID, '{{auditEventId}}')
    .replaceAll(EXAMPLE_VERSION, '{{directoryVersion}}');
}
