/** Interfaces of the directory that are not FHIR: a service is a list of endpoints, and a door. */

import { headerOf } from '../../fhir/http/headers.ts';
import { mediaTypeOf, mediaTypeRefusal } from '../../fhir/http/media-type.ts';
import type { Form } from '../../fhir/http/negotiate.ts';
import { ERROR_ROWS, type ErrorKind, FhirError } from '../../fhir/request/fhir-error.ts';
import { nearestPathOf } from '../../fhir/request/nearest-path.ts';
import type { FhirRequest, FhirResponse } from '../../fhir/request/request.ts';
import { shownText, unknownName } from '../../fhir/request/unknown-name.ts';
import { headersOf } from '../../fhir/service/answer.ts';
import { fhirErrorOf, printableText } from '../../fhir/service/failure.ts';
import type { MaybePromise, PlainOperation, PlainService } from '../../fhir/service/interaction.ts';
import { pathOf } from '../../fhir/service/locate.ts';
import { createPlainHandle, type PlainRoute } from '../../fhir/service/plain-service.ts';
import { after } from '../../fhir/service/run-interaction.ts';
import { directoryAnswers } from '../answer/answer-options.ts';
import { type PlainEndpoint, pathParameterOf, responseOf } from './endpoint.ts';
import { OPENAPI } from './json-parameters.ts';
import { objectOf, TEXT } from './json-schema.ts';
import { JSON_FORM, type JsonServiceOptions } from './json-service.ts';
import { type DescribedErrors, operationOf } from './operations.ts';
import type { ParameterTable } from './parameter-table.ts';
import {
  QUERY_RULES,
  type QueryRules,
  type ReadQuery,
  readQuery,
  readValue,
} from './read-parameters.ts';

/** What all endpoints of a service share. */
export interface Door {
  readonly rules: QueryRules;
  /** The error of a path that the service does not have. */
  readonly notFound: FhirError;
  readonly errors: DescribedErrors;
  /** The answer has only the first problem. `hint`: the remedy, if the text does not name it. */
  errorForm(kind: ErrorKind, text: string, hint: string | undefined): ErrorForm;
  /** The form that the client wants. Throws a FhirError if there is no such form. */
  formOf(request: FhirRequest): Form;
}

interface ErrorForm {
  readonly status: number;
  readonly body: object;
  readonly headers?: readonly string[];
}

const NOT_FOUND = FhirError.of('unknown-path', 'There is nothing at this path.');

/** Errors as `{"error": "…"}` with the usual status. */
const JSON_DOOR: Door = {
  rules: QUERY_RULES,
  notFound: NOT_FOUND,
  errors: {
    every: {
      400: 'A parameter is missing, unknown or not valid.',
      401: 'The token is missing.',
      403: 'The token does not allow this.',
      429: 'Too many requests.',
      503: 'The server has no edition, or is overloaded.',
    },
    mediaType: 'application/json',
    schema: objectOf({ error: TEXT }),
  },
  errorForm: (kind, error) => ({ status: ERROR_ROWS[kind].status, body: { error } }),
  formOf: () => JSON_FORM,
};

interface ServiceParts extends Pick<PlainService, 'name' | 'title' | 'description' | 'baseUrl'> {
  readonly endpoints: readonly PlainEndpoint[];
  readonly door?: Door;
  /** The names of further headers that scripts of pages may read. */
  readonly exposed?: readonly string[];
}

export function createEndpointService(
  { settings, authorize }: JsonServiceOptions,
  { endpoints, door = JSON_DOOR, exposed = ['Content-Disposition'], ...parts }: ServiceParts,
): PlainService {
  const answers = { ...directoryAnswers(settings, exposed), authorize };
  const security = authorize && { security: [{ bearer: [] }] };
  return {
    ...parts,
    words: endpoints.flatMap(wordsOf),
    operations: operationsOf(endpoints, (each) => ({
      ...operationOf(each, door.errors),
      ...security,
    })),
    handle: createPlainHandle({
      baseUrl: parts.baseUrl,
      routes: endpoints.map((each) => routeOf(each, door)),
      answers,
      notFound: door.notFound,
      fail: (request, error, onFault, interaction) => {
        const isNowhere = error === door.notFound && interaction === undefined;
        const unknownPath = isNowhere ? pathText(request, parts.baseUrl, endpoints) : undefined;
        const { issues, headers } = fhirErrorOf(error, { request, onFault });
        const [{ kind, diagnostics, hint = unknownPath }] = issues;
        const text = (door.notFound === NOT_FOUND && unknownPath) || diagnostics;
        const answer = door.errorForm(kind, printableText(text), hint);
        const { status, body, headers: more = [] } = answer;
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

function pathText(
  { path }: FhirRequest,
  baseUrl: string,
  endpoints: readonly PlainEndpoint[],
): string {
  const base = pathOf({ baseUrl });
  const known = [...new Set(endpoints.map((each) => `${base}/${each.path}`.replace(/\/$/, '')))];
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

/** The segments of its path, and the names in its query and its bodies. */
function wordsOf(described: PlainEndpoint): readonly string[] {
  const { path, parameters, bodies = {} } = described;
  const segments = path.split('/').filter((segment) => /^[^{]/.test(segment));
  const names = Object.keys(withoutName(parameters, pathParameterOf(described)));
  const members = Object.values(bodies).flatMap(({ words = [] }) => words);
  return [...segments, ...names, ...members];
}

function operationsOf(
  endpoints: readonly PlainEndpoint[],
  describe: (endpoint: PlainEndpoint) => PlainOperation,
): PlainService['operations'] {
  const paths = Map.groupBy(endpoints, ({ path }) => path);
  return Object.fromEntries(
    Array.from(paths, ([path, found]) => {
      const operations = found.map((each) => [each.method.toLowerCase(), describe(each)]);
      return [path, Object.fromEntries(operations)];
    }),
  );
}

function routeOf(endpoint: PlainEndpoint, door: Door): PlainRoute {
  const { path, method, interaction, bodies } = endpoint;
  const rules = { ...door.rules, ...endpoint.rules };
  const inPath = pathParameterOf(endpoint);
  const inQuery = withoutName(endpoint.parameters, inPath);
  const mayBeEmpty = Object.values(inQuery).every(
    ({ isRequired, isRepeatable }) => isRequired !== true && isRepeatable !== true,
  );
  return {
    path,
    method,
    interaction,
    answer: (context) => {
      const { request, id } = context;
      const form = door.formOf(request);
      const kept = endpoint.kept?.(request, form);
      if (kept !== undefined) return responseOf(context, form, kept);
      const isEmpty = request.query === '' && mayBeEmpty;
      const { values, pairs } = isEmpty ? EMPTY_QUERY : readQuery(request.query, inQuery, rules);
      const ofPath = inPath && { [inPath]: readValue(inPath, id, endpoint.parameters[inPath]!) };
      const asked = { values: { ...values, ...ofPath }, pairs, request, form };
      const ask = (body: unknown): MaybePromise<FhirResponse> =>
        after(endpoint.ask({ ...asked, body }), (result) => responseOf(context, form, result));
      return bodies === undefined ? ask(undefined) : readBody(request, bodies, values).then(ask);
    },
  };
}

const EMPTY_QUERY: ReadQuery<ParameterTable> = { values: {}, pairs: [] };

function withoutName(table: ParameterTable, name: string | undefined): ParameterTable {
  return Object.fromEntries(Object.entries(table).filter(([each]) => each !== name));
}

/** A request without content is read as the first of the bodies. */
async function readBody(
  request: FhirRequest,
  bodies: NonNullable<PlainEndpoint['bodies']>,
  values: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const types = Object.keys(bodies);
  const refusal = mediaTypeRefusal(request, (type) => types.includes(type), types.join(' or '));
  if (refusal !== undefined) throw refusal;
  const sent = mediaTypeOf(headerOf(request, 'content-type') ?? '');
  const body = Object.hasOwn(bodies, sent) ? bodies[sent] : Object.values(bodies)[0];
  return body?.read(request, values);
}
