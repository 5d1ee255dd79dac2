/**
 * The journey of a request: locate, route, negotiate, do, answer. Everything that can go wrong on
 * the way is thrown and ends in the one `catch` here.
 */
import { randomUUID } from 'node:crypto';
import { answer, answerDocument, preflight } from './answer.ts';
import { FhirError, type Issue } from './fhir-error.ts';
import { encodeJson } from './format/json.ts';
import { encodeXml } from './format/xml.ts';
import { capabilities, type Software } from './interactions/capabilities.ts';
import { read } from './interactions/read.ts';
import { readSearchForm, search } from './interactions/search.ts';
import {
  createNegotiate,
  defaultForm,
  type Form,
  type Negotiate,
  type Negotiated,
} from './negotiate.ts';
import { openApiDocument } from './open-api.ts';
import { ERROR_ROWS, operationOutcome } from './outcome.ts';
import { parseQueryString } from './query-string.ts';
import { type FhirRequest, type FhirResponse, headerOf } from './request.ts';
import { createLocate, routeOf } from './route.ts';
import type { Document, Service } from './service.ts';

export interface Handling {
  readonly services: readonly Service[];
  readonly software: Software;
  /** Told of faults, which the client sees only as an internal error with the request id. */
  readonly onFault: (error: unknown, request: FhirRequest) => void;
}

/** Answers every request; never throws. */
export type Handle = (request: FhirRequest) => FhirResponse;

export function createHandle({ services, software, onFault }: Handling): Handle {
  const locate = createLocate(services);
  const negotiators = new Map(services.map((service) => [service, createNegotiate(service)]));
  const [elsewhere] = services;
  if (elsewhere === undefined) throw new Error('a server needs at least one service');
  const documents = documentsByPath(services, software);

  return (sent) => {
    const located = locate(sent.path);
    const service = located?.service ?? elsewhere;
    const negotiate = negotiators.get(service)!;
    let request = sent;
    let interaction: string | undefined;
    try {
      if (request.refusal !== undefined) throw request.refusal;
      if (located === undefined) {
        const document = documents.get(request.path.replace(/(?<=.)\/$/, ''));
        if (document === undefined) throw elsewhereError(request.path, services);
        interaction = 'document';
        return answerDocument(request, elsewhere, document);
      }
      const route = routeOf(request.method, located);
      interaction = route.interaction;
      if (route.interaction === 'preflight') return preflight(service, route.allow);
      const searchForm =
        route.interaction === 'search' && route.hasForm ? readSearchForm(request) : undefined;
      if (searchForm !== undefined) request = { ...request, query: searchForm.query };
      const negotiated = negotiate(wishesOf(request));
      if (searchForm?.refusal !== undefined) throw searchForm.refusal;
      switch (route.interaction) {
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
    } catch (error) {
      const form = formOfError(request, negotiate, service);
      if (error instanceof FhirError) {
        return failure(error.issues, error.headers, service, form, interaction);
      }
      onFault(error, request);
      return failure([faultIssue(request)], [], service, form, interaction);
    }
  };
}

/** The documents of all services, and the description of them all. */
function documentsByPath(
  services: readonly Service[],
  software: Software,
): ReadonlyMap<string, Document> {
  const documents = services.flatMap((service) => service.documents);
  return new Map(
    [...documents, openApiDocument(services, software)].map((document) => [
      new URL(document.url).pathname,
      document,
    ]),
  );
}

function failure(
  issues: readonly [Issue, ...Issue[]],
  headers: readonly string[],
  service: Service,
  form: Form,
  interaction: string | undefined,
): FhirResponse {
  const outcome = operationOutcome(issues, service.version, randomUUID());
  const body =
    form.format === 'xml'
      ? encodeXml(outcome, service.version.definitions, { pretty: form.isPretty })
      : encodeJson(service.outcomeJson?.(outcome) ?? outcome, { pretty: form.isPretty });
  return {
    status: ERROR_ROWS[issues[0].kind].status,
    headers: ['Content-Type', form.contentType, ...service.headers, ...headers],
    body,
    interaction,
    format: form.format,
  };
}

/** The format wishes of a request; the first of each, as repeats are the search's to refuse. */
function wishesOf(request: FhirRequest) {
  const accept = headerOf(request, 'accept');
  if (!MAY_HAVE_WISHES.test(request.query)) {
    return { accept, format: undefined, pretty: undefined };
  }
  const pairs = parseQueryString(request.query);
  const first = (name: string) => pairs.find((pair) => pair.name === name)?.value;
  return { accept, format: first('_format'), pretty: first('_pretty') };
}

/** Also where the names are percent-encoded. */
const MAY_HAVE_WISHES = /_format|_pretty|%/;

function understood(negotiated: Negotiated): Negotiated {
  if (negotiated.issue !== undefined) throw new FhirError([negotiated.issue]);
  return negotiated;
}

/** The wished form where it can be made out, else the service's default. */
function formOfError(request: FhirRequest, negotiate: Negotiate, service: Service): Form {
  try {
    return negotiate(wishesOf(request)).form;
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
    diagnostics: `Something went wrong in the server. The log says more under request id ${id}.`,
  };
}
