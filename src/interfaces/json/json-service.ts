/** Interfaces of the directory that are not FHIR, with errors in JSON. */

import { dayOf } from '../../directory/record/in-force.ts';
import { mediaTypeRefusal } from '../../fhir/http/media-type.ts';
import type { Form } from '../../fhir/http/negotiate.ts';
import { ERROR_ROWS, type ErrorKind, FhirError } from '../../fhir/request/fhir-error.ts';
import { nearestPathOf } from '../../fhir/request/nearest-path.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import { shownText, unknownName } from '../../fhir/request/unknown-name.ts';
import { headersOf } from '../../fhir/service/answer.ts';
import { fhirErrorOf, printableText } from '../../fhir/service/failure.ts';
import type { Authorize, PlainOperation, PlainService } from '../../fhir/service/interaction.ts';
import { pathOf } from '../../fhir/service/locate.ts';
import { createPlainHandle, type PlainRoute } from '../../fhir/service/plain-service.ts';
import { directoryAnswers } from '../answer/answer-options.ts';
import type { Editions } from '../answer/editions.ts';
import type { DirectorySettings } from '../answer/settings.ts';
import { OPENAPI } from './json-parameters.ts';
import { jsonContent, objectOf, TEXT } from './json-schema.ts';

/** What the interfaces are served from. */
export interface JsonServiceOptions {
  readonly settings: DirectorySettings;
  /** Without a slash at the end. */
  readonly serverUrl: string;
  readonly editions: Editions;
  /** Absent: the service asks for no token. */
  readonly authorize?: Authorize | undefined;
  readonly programVersion?: string;
  readonly now?: () => number;
}

/** The current date in England, `YYYY-MM-DD`. */
export function todayOf({ now = Date.now }: Pick<JsonServiceOptions, 'now'>): () => string {
  return () => dayOf(new Date(now()));
}

/** A path, and its operation in the OpenAPI description. */
export interface JsonRoute extends PlainRoute {
  readonly operation: PlainOperation;
}

interface JsonServiceParts
  extends Pick<PlainService, 'name' | 'title' | 'description' | 'baseUrl' | 'words'> {
  readonly routes: readonly JsonRoute[];
  /** The names of further headers that scripts of pages may read. */
  readonly exposed?: readonly string[];
  /** The error of a path that the service does not have. */
  readonly notFound?: FhirError;
  /**
   * By default `{"error": "…"}` with the usual status. The answer has only the first problem.
   * `hint`: the remedy, if the text does not name it.
   */
  errorForm?(kind: ErrorKind, text: string, hint: string | undefined): ErrorForm;
}

interface ErrorForm {
  readonly status: number;
  readonly body: object;
  readonly headers?: readonly string[];
}

export function createJsonService(
  { settings, authorize }: JsonServiceOptions,
  {
    routes,
    words,
    exposed = ['Content-Disposition'],
    notFound = NOT_FOUND,
    errorForm = (kind, error) => ({ status: ERROR_ROWS[kind].status, body: { error } }),
    ...parts
  }: JsonServiceParts,
): PlainService {
  const answers = { ...directoryAnswers(settings, exposed), authorize };
  const segments = routes.flatMap(({ path }) => path.split('/'));
  return {
    ...parts,
    words: [...segments.filter((segment) => !segment.startsWith('{')), ...words],
    operations: operationsOf(routes, authorize && { security: [{ bearer: [] }] }),
    handle: createPlainHandle({
      baseUrl: parts.baseUrl,
      routes,
      answers,
      notFound,
      fail: (request, error, onFault, interaction) => {
        const isNowhere = error === notFound && interaction === undefined;
        const unknownPath = isNowhere ? pathText(request, parts.baseUrl, routes) : undefined;
        const { issues, headers } = fhirErrorOf(error, { request, onFault });
        const [{ kind, diagnostics, hint = unknownPath }] = issues;
        const text = (notFound === NOT_FOUND && unknownPath) || diagnostics;
        const { status, body, headers: more = [] } = errorForm(kind, printableText(text), hint);
        const own = ['Content-Type', JSON_FORM.contentType, ...headersOf(answers, request)];
        return {
          status,
          headers: [...own, ...more, ...headers],
          body: JSON.stringify(body),
          interaction,
          format: 'json',
        };
      },
    }),
  };
}

function operationsOf(routes: readonly JsonRoute[], security: object | undefined) {
  const paths = Map.groupBy(routes, ({ path }) => path);
  return Object.fromEntries(
    Array.from(paths, ([path, found]) => {
      const operations = found.map(({ method, operation }) => [
        method.toLowerCase(),
        { ...operation, ...security },
      ]);
      return [path, Object.fromEntries(operations)];
    }),
  );
}

export const JSON_FORM: Form = {
  format: 'json',
  contentType: 'application/json; charset=utf-8',
  isPretty: false,
};

const NOT_FOUND = FhirError.of('unknown-path', 'There is nothing at this path.');

function pathText(
  { path }: FhirRequest,
  baseUrl: string,
  routes: readonly Pick<JsonRoute, 'path'>[],
): string {
  const base = pathOf({ baseUrl });
  const known = [...new Set(routes.map((route) => `${base}/${route.path}`.replace(/\/$/, '')))];
  const fixed = known.filter((one) => !one.endsWith('}'));
  const nearest = nearestPathOf(path, fixed);
  return unknownName({
    kind: 'path',
    sent: path,
    known,
    listedAt: OPENAPI,
    nearest: nearest && shownText(nearest),
  });
}

const ANY_ERRORS = {
  400: 'A parameter is missing, unknown or not valid.',
  401: 'The token is missing.',
  403: 'The token does not allow this.',
  429: 'Too many requests.',
  503: 'The server has no edition, or is overloaded.',
};

/** The errors of an operation, by their statuses: its own, and those of every one. */
export function errorAnswers(own: Readonly<Record<number, string>>): Record<string, object> {
  const answers = Object.entries({ ...ANY_ERRORS, ...own }).map(([status, description]) => [
    status,
    { description, content: jsonContent(ERROR_SCHEMA) },
  ]);
  return Object.fromEntries(answers);
}

const ERROR_SCHEMA = objectOf({ error: TEXT });

export type SentObject = Readonly<Record<string, unknown>>;

/** Rejects with a FhirError if the body is not an object in JSON. `example` is one that would do. */
export async function readJsonBody(request: FhirRequest, example: string): Promise<SentObject> {
  const refusal = mediaTypeRefusal(request, (type) => type === JSON_TYPE, JSON_TYPE);
  if (refusal !== undefined) throw refusal;
  const bytes = await request.readBody?.('form');
  const body = parseJson(bytes);
  if (isObject(body)) return body;
  throw invalidBody(`The body must be a JSON object, such as ${example}.`);
}

const JSON_TYPE = 'application/json';

function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'It is not UTF-8';
    throw invalidBody(`The body is not valid JSON. ${reason}.`);
  }
}

/** Ignores a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function isObject(value: unknown): value is SentObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidBody(diagnostics: string): FhirError {
  return FhirError.of('invalid-request', diagnostics);
}
