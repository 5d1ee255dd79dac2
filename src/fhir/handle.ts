/**
 * Finds the interaction, the download or the preflight that a request asks for, and answers it.
 * The answer is a promise only if it has to wait for an issuer, a body or a repository.
 */
import { bodyFormatOf } from './http/media-type.ts';
import {
  asksForFhir,
  createNegotiators,
  defaultForm,
  type Format,
  type Negotiate,
  type Negotiated,
} from './http/negotiate.ts';
import { prefersPage } from './http/prefers-page.ts';
import { FhirError } from './request/fhir-error.ts';
import { nearestPathOf } from './request/nearest-path.ts';
import type { FhirRequest, FhirResponse, OnFault } from './request/request.ts';
import { shownText, unknownName } from './request/unknown-name.ts';
import { answerDownload, preflight } from './service/answer.ts';
import { answerFailure, type Received } from './service/failure.ts';
import type {
  Download,
  MaybePromise,
  PlainService,
  Service,
  Software,
} from './service/interaction.ts';
import {
  createLocate,
  createLocateNothing,
  isBase,
  isReadOfBase,
  type Located,
  pathOf,
  routeOf,
} from './service/locate.ts';
import {
  allowOf,
  createRouteTable,
  methodNotAllowed,
  type RouteTable,
} from './service/route-table.ts';
import { after, authorize, runInteraction, runRepeatable } from './service/run-interaction.ts';
import { openApiDownload } from './statement/open-api.ts';

export interface HandleOptions {
  readonly services: readonly Service[];
  readonly plainServices?: readonly PlainService[];
  readonly software: Software;
  readonly onFault: OnFault;
  /** The paths of what is no service, such as pages. */
  readonly otherPaths?: readonly string[];
  /** For requests that prefer a page. Absent: they get what programs get. */
  readonly answerPages?: AnswerPages | undefined;
}

/** A request for FHIR, and the service that answers it. */
export interface FhirExchange {
  readonly request: FhirRequest;
  readonly service: Service;
  /** Answers a request for the same path. */
  readonly answer: Handle;
  readonly onFault: OnFault;
}

/** Shows people what programs get, as pages. Its functions never throw or reject. */
export interface AnswerPages {
  readonly showAnswer: (exchange: FhirExchange) => MaybePromise<FhirResponse>;
  /** The page of an error of another service or of a download; any other answer as it is. */
  readonly showError: (answer: FhirResponse) => MaybePromise<FhirResponse>;
}

/** Answers every request; never throws or rejects. */
export type Handle = (request: FhirRequest) => MaybePromise<FhirResponse>;

export function createHandle({
  services,
  plainServices = [],
  software,
  onFault,
  otherPaths = [],
  answerPages,
}: HandleOptions): Handle {
  const [first, ...others] = services.map(prepare);
  if (first === undefined) throw new Error('a server needs at least one service');
  const all = [first, ...others] as const;
  const locate = createLocate(all, plainServices);
  const locateNothing = createLocateNothing(all);
  const elsewhere = createElsewhere(services, plainServices, otherPaths);
  const downloads = downloadsByPath(all, plainServices, software);
  const serverOptions = serverOptionsOf(services);
  const downloadAt = (path: string) => downloads.get(path.replace(/(?<=.)\/$/, ''));

  const answer = (
    request: FhirRequest,
    located: Located<PreparedService> | undefined,
  ): MaybePromise<FhirResponse> => {
    const found = located ?? downloadAt(request.path);
    const routed = found?.routed ?? locateNothing(request.path);
    const received: Received = {
      request,
      service: found === undefined ? withoutProfile(routed.service) : routed.service,
      negotiate: routed.negotiators(bodyFormatOf(request)),
      unnegotiated: routed.unnegotiated,
      isUnhandled:
        (found === undefined || isReadOfBase(request, routed.path)) && !asksForFhir(request),
      onFault,
    };
    try {
      if (request.refusal !== undefined) throw request.refusal;
      if (request.path === '*' && request.method === 'OPTIONS') return serverOptions;
      if (found === undefined) {
        requireMethodOfBase(request, routed);
        const { error, nearestPath } = elsewhere(request.path);
        return { ...answerFailure(received, error), nearestPath };
      }
      if ('download' in found) return handleDownload(received, found.download);
      const route = routeOf(request, found);
      if ('allow' in route) return preflight(request, routed.service, route.allow);
      return runInteraction(received, route, software);
    } catch (error) {
      return answerFailure(received, error);
    }
  };

  return (request) => {
    const located = locate(request);
    const pages = answerPages !== undefined && prefersPage(request) ? answerPages : undefined;
    if (located !== undefined && 'handle' in located) {
      const answered = located.handle(request, onFault);
      return pages === undefined ? answered : after(answered, pages.showError);
    }
    if (pages === undefined) return answer(request, located);
    if (located === undefined && downloadAt(request.path) !== undefined) {
      return after(answer(request, located), pages.showError);
    }
    const service = shownService(request, located);
    if (service === undefined) return answer(request, located);
    const answerJson: Handle = (asked) => answer(asked, located);
    return pages.showAnswer({ request, service, answer: answerJson, onFault });
  };
}

/** Throws if the path is the base of a service that has interactions there with other methods. */
function requireMethodOfBase(request: FhirRequest, routed: PreparedService): void {
  const hasMethods = routed.routes.find([]) !== undefined;
  if (hasMethods && isBase(request.path, routed.path)) routeOf(request, { routed, segments: [] });
}

/** The answer to OPTIONS of the whole server. */
function serverOptionsOf(services: readonly Service[]): FhirResponse {
  const allowed = services.flatMap(({ interactions, types }) => [
    ...interactions,
    ...types.flatMap((type) => type.interactions),
  ]);
  return { status: 204, headers: ['Allow', allowOf(allowed)] };
}

/** The service whose answer a page can show. */
function shownService(
  request: FhirRequest,
  located: Located<PreparedService> | undefined,
): Service | undefined {
  if (located === undefined || isReadOfBase(request, located.routed.path)) return undefined;
  return located.routed.service;
}

/** Errors outside every service are not of the profile of one of them. */
function withoutProfile({ outcomeProfile, ...service }: Service): Service {
  return service;
}

/** A service, and what is derived from it once. */
interface PreparedService {
  readonly service: Service;
  /** The path of its base. */
  readonly path: string;
  readonly routes: RouteTable;
  readonly negotiators: (bodyFormat: Format | undefined) => Negotiate;
  readonly unnegotiated: Negotiated;
}

function prepare(service: Service): PreparedService {
  const readsResources = service.types.some(({ interactions }) =>
    interactions.some(({ body }) => body === 'resource'),
  );
  return {
    service,
    path: pathOf(service),
    routes: createRouteTable(service),
    negotiators: createNegotiators(service, readsResources),
    unnegotiated: { form: defaultForm(service) },
  };
}

interface PreparedDownload {
  readonly routed: PreparedService;
  readonly download: Download;
}

/** The downloads of all services, and the OpenAPI description of the server. */
function downloadsByPath(
  services: readonly [PreparedService, ...PreparedService[]],
  plainServices: readonly PlainService[],
  software: Software,
): ReadonlyMap<string, PreparedDownload> {
  const found = services.flatMap((routed) =>
    routed.service.downloads.map((download) => ({ routed, download })),
  );
  const description = openApiDownload(
    services.map(({ service }) => service),
    software,
    plainServices,
  );
  found.push({ routed: services[0], download: description });
  return new Map(found.map((each) => [new URL(each.download.url).pathname, each]));
}

function handleDownload(received: Received, download: Download): MaybePromise<FhirResponse> {
  const { request, service } = received;
  const fail = (error: unknown) => answerFailure(received, error, 'download');
  try {
    const { method, path } = request;
    if (method === 'OPTIONS') return preflight(request, service, DOWNLOAD_ALLOW);
    if (method !== 'GET' && method !== 'HEAD') {
      throw methodNotAllowed(method, path, DOWNLOAD_ALLOW, 'Use GET or HEAD.');
    }
    const { type = '' } = download;
    const identity = authorize(request, service, [type], type === '' ? undefined : 'read');
    const response = after(identity, () =>
      runRepeatable(() => answerDownload(request, service, download), undefined),
    );
    return response instanceof Promise ? response.catch(fail) : response;
  } catch (error) {
    return fail(error);
  }
}

const DOWNLOAD_ALLOW = 'GET, HEAD, OPTIONS';

/** The error of a path that nothing has. It names the most similar path. */
function createElsewhere(
  services: readonly Service[],
  plainServices: readonly PlainService[],
  otherPaths: readonly string[],
) {
  const bases = [...services, ...plainServices].map(({ baseUrl }) => baseUrl);
  const listedAt = services.map(({ serverUrl }) => `${serverUrl}/openapi.json`)[0] ?? '';
  const known = [
    ...otherPaths,
    ...services.flatMap((service) =>
      ['', ...service.types.map(({ name }) => `/${name}`)].map((end) => pathOf(service) + end),
    ),
    ...plainServices.map(pathOf),
  ].filter((path) => path !== '');
  return (path: string) => {
    const nearestPath = nearestPathOf(path, known);
    const nearest = nearestPath === undefined ? undefined : shownText(nearestPath);
    const diagnostics = unknownName({ kind: 'path', sent: path, known: bases, listedAt, nearest });
    return { error: FhirError.of('unknown-path', diagnostics), nearestPath };
  };
}
