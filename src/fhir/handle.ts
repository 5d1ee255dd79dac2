/**
 * The journey of a request: locate, route, negotiate, do, answer. Everything that can go wrong on
 * the way is thrown and ends in the one `catch` here.
 */
import { randomUUID } from 'node:crypto';
import { answer, answerDocument, headersOf, preflight } from './answer.ts';
import { answerVersions } from './answer-versions.ts';
import { authorize, needOf } from './authorize.ts';
import { FhirError, type Issue } from './fhir-error.ts';
import { encodeJson } from './format/json.ts';
import { encodeXml } from './format/xml.ts';
import { capabilities, type Software } from './interactions/capabilities.ts';
import { read } from './interactions/read.ts';
import { readSearchForm, search } from './interactions/search.ts';
import { bodyFormatOf } from './media-type.ts';
import {
  createNegotiators,
  defaultForm,
  type Form,
  type Negotiate,
  understood,
} from './negotiate.ts';
import { openApiDocument } from './open-api.ts';
import { ERROR_ROWS, operationOutcome } from './outcome.ts';
import { asksForFhir, preferencesOf } from './preferences.ts';
import { RepositoryError } from './repository.ts';
import type { FhirRequest, FhirResponse } from './request.ts';
import {
  createLocate,
  createLocateNothing,
  type DirectRoute,
  isVersionRoute,
  methodNotAllowed,
  methodsOf,
  READING,
  routeOf,
} from './route.ts';
import type { Document, Need, Service } from './service.ts';

export interface Handling {
  readonly services: readonly Service[];
  readonly software: Software;
  /** Told of faults, which the client sees only as an internal error with the request id. */
  readonly onFault: (error: unknown, request: FhirRequest) => void;
}

/** Answers every request; never throws or rejects. A promise where a store or an issuer is asked. */
export type Handle = (request: FhirRequest) => FhirResponse | Promise<FhirResponse>;

export function createHandle({ services, software, onFault }: Handling): Handle {
  const locate = createLocate(services);
  const negotiators = createNegotiators(services);
  const [first, ...others] = services;
  if (first === undefined) throw new Error('a server needs at least one service');
  const locateNothing = createLocateNothing([first, ...others]);
  const documents = documentsByPath(services, software);
  const serverOptions: FhirResponse = { status: 204, headers: ['Allow', methodsOf(services)] };

  return (request) => {
    const located = locate(request);
    const found = located ?? documents.get(request.path.replace(/(?<=.)\/$/, ''));
    const { service, isFhir } =
      found === undefined ? locateNothing(request.path) : { service: found.service, isFhir: true };
    const journey: Journey = {
      request,
      service,
      isElsewhere: !isFhir && !asksForFhir(request),
      negotiate: negotiators(service, bodyFormatOf(request)),
      interaction: undefined,
    };
    const fail = (error: unknown) => answerFailure(error, journey, onFault);
    try {
      if (request.refusal !== undefined) throw request.refusal;
      if (request.path === '*' && request.method === 'OPTIONS') return serverOptions;
      if (found === undefined) throw elsewhereError(request.path, services);
      if ('document' in found) {
        journey.interaction = 'document';
        const { method, path } = request;
        if (method === 'OPTIONS') return preflight(request, service, READING.allow);
        if (!READING.methods.includes(method)) throw methodNotAllowed(method, path, READING);
        const { type } = found.document;
        const need: Need | undefined = type === undefined ? undefined : { type, action: 'read' };
        return andThen(authorize(request, service, need), fail, () =>
          answerDocument(request, service, found.document),
        );
      }
      const route = routeOf(request, found);
      journey.interaction = route.interaction;
      if (route.interaction === 'preflight') return preflight(request, service, route.allow);
      if (isVersionRoute(route)) {
        return answerVersions(request, service, route, journey.negotiate).catch(fail);
      }
      const authorized = authorize(request, service, needOf(route));
      if (route.interaction === 'search' && route.hasForm) {
        return answerForm(authorized, journey, route, software).catch(fail);
      }
      return andThen(authorized, fail, () => answerDirectly(journey, route, software));
    } catch (error) {
      return fail(error);
    }
  };
}

/** At once, or when the promise is kept; what then fails is told to `fail`. */
function andThen<T>(before: unknown, fail: (error: unknown) => T, step: () => T): T | Promise<T> {
  return before instanceof Promise ? before.then(step).catch(fail) : step();
}

/** A request as far as it has come, for the answer to a failure. */
interface Journey {
  readonly request: FhirRequest;
  readonly service: Service;
  readonly isElsewhere: boolean;
  readonly negotiate: Negotiate;
  interaction: string | undefined;
}

/** The body is read only after the authorisation. Its parameters can also select the format. */
async function answerForm(
  authorized: unknown,
  journey: Journey,
  route: AnsweredRoute,
  software: Software,
): Promise<FhirResponse> {
  await authorized;
  const { query, refusal } = await readSearchForm(journey.request);
  const request = { ...journey.request, query };
  if (refusal === undefined) return answerDirectly({ ...journey, request }, route, software);
  journey.negotiate(preferencesOf(request));
  throw refusal;
}

type AnsweredRoute = Exclude<DirectRoute, { interaction: 'preflight' }>;

function answerDirectly(
  { request, service, negotiate }: Journey,
  route: AnsweredRoute,
  software: Software,
): FhirResponse {
  const { interaction } = route;
  const negotiated = negotiate(preferencesOf(request));
  switch (interaction) {
    case 'read': {
      const { form } = understood(negotiated);
      return answer(request, service, form, interaction, read(route.type, route.id, form));
    }
    case 'search': {
      const { form } = negotiated;
      const representation = search(route.type, request, negotiated);
      return answer(request, service, form, interaction, representation);
    }
    case 'capabilities': {
      const { form } = understood(negotiated);
      return answer(request, service, form, interaction, capabilities(service, software, form));
    }
  }
}

function answerFailure(
  error: unknown,
  journey: Journey,
  onFault: Handling['onFault'],
): FhirResponse {
  if (error instanceof FhirError) return failure(journey, error.issues, error.headers);
  if (error instanceof RepositoryError) {
    return failure(journey, [{ kind: 'unavailable', diagnostics: error.message }], RETRY_SOON);
  }
  onFault(error, journey.request);
  return failure(journey, [faultIssue(journey.request)], []);
}

/** The repository restarts within seconds, or reports what is wrong again. */
const RETRY_SOON = ['Retry-After', '5'];

/** The documents of all services, and the description of them all. */
function documentsByPath(
  services: readonly Service[],
  software: Software,
): ReadonlyMap<string, { readonly service: Service; readonly document: Document }> {
  const found = services.flatMap((service) =>
    service.documents.map((document) => ({ service, document })),
  );
  const [service] = services;
  if (service !== undefined) found.push({ service, document: openApiDocument(services, software) });
  return new Map(found.map((each) => [new URL(each.document.url).pathname, each]));
}

function failure(
  { request, service, isElsewhere, negotiate, interaction }: Journey,
  issues: readonly [Issue, ...Issue[]],
  headers: readonly string[],
): FhirResponse {
  const form = formOfError(request, negotiate, service);
  const outcome = operationOutcome(issues, service.version, randomUUID());
  const body =
    form.format === 'xml'
      ? encodeXml(outcome, service.version.definitions, { pretty: form.isPretty })
      : encodeJson(service.outcomeJson?.(outcome) ?? outcome, { pretty: form.isPretty });
  return {
    status: ERROR_ROWS[issues[0].kind].status,
    headers: ['Content-Type', form.contentType, ...headersOf(service, request), ...headers],
    body,
    interaction,
    format: form.format,
    isElsewhere,
  };
}

/** The wished form where it can be made out, else the service's default. */
function formOfError(request: FhirRequest, negotiate: Negotiate, service: Service): Form {
  try {
    return negotiate(preferencesOf(request)).form;
  } catch {
    return defaultForm(service);
  }
}

function elsewhereError(path: string, services: readonly Service[]): FhirError {
  const bases = services.map(({ baseUrl }) => baseUrl).join(', ');
  return new FhirError([
    { kind: 'unknown-path', diagnostics: `There is nothing at "${path}". FHIR is at ${bases}.` },
  ]);
}

function faultIssue({ id }: FhirRequest): Issue {
  return {
    kind: 'fault',
    diagnostics: `An internal error happened. The server's log has the details under request id ${id}.`,
  };
}
