/** Finds the service and the interaction for the method and the path of a request. */

import { FhirError } from '../request/fhir-error.ts';
import { nearestPathOf } from '../request/nearest-path.ts';
import type { FhirRequest } from '../request/request.ts';
import { hintOf, nearestName, shownText, unknownName } from '../request/unknown-name.ts';
import { isPreflight } from './answer.ts';
import type {
  Interaction,
  PlainService,
  Service,
  SystemInteraction,
  TypeContext,
} from './interaction.ts';
import {
  type Endpoint,
  methodNotAllowed,
  namesIn,
  type RouteTable,
  remedyOf,
} from './route-table.ts';

/** A service with its paths. */
export interface RoutedService {
  readonly service: Service;
  readonly routes: RouteTable;
}

/** The service whose base the path is under, and the further segments of the path, decoded. */
export interface Located<S extends RoutedService> {
  readonly routed: S;
  readonly segments: readonly string[];
}

/** Creates a function that finds the service of a request. */
export function createLocate<S extends RoutedService>(
  services: readonly S[],
  plainServices: readonly PlainService[],
): (request: Pick<FhirRequest, 'method' | 'path'>) => Located<S> | PlainService | undefined {
  const findBase = createFindBase(services, plainServices);
  return (request) => {
    const found = findBase(request);
    if (found === undefined || 'plain' in found) return found?.plain;
    return { routed: found.routed, segments: segmentsOf(request.path.slice(found.base.length)) };
  };
}

/** Creates a function that names the service of a request, for the counts of requests. */
export function createServiceNameOf(
  services: readonly Service[],
  plainServices: readonly PlainService[],
): (request: Pick<FhirRequest, 'method' | 'path'>) => string | undefined {
  const findBase = createFindBase(
    services.map((service) => ({ service })),
    plainServices,
  );
  return (request) => {
    const found = findBase(request);
    if (found === undefined) return undefined;
    return 'plain' in found ? found.plain.name : found.routed.service.name;
  };
}

/**
 * A FHIR service at the public address itself has only the paths of its types and its system
 * interactions; of its base, OPTIONS and the methods of its interactions there. The rest belongs to
 * pages and downloads. It runs for every request, so it does not split the path.
 */
function createFindBase<S extends Pick<RoutedService, 'service'>>(
  services: readonly S[],
  plainServices: readonly PlainService[],
) {
  const bases = [
    ...services.map((routed) => ({
      routed,
      base: `${pathOf(routed.service)}/`,
      names: namesOf(routed.service),
      methods: baseMethodsOf(routed.service),
    })),
    ...plainServices.map((plain) => ({ plain, base: `${pathOf(plain)}/` })),
  ].toSorted((a, b) => b.base.length - a.base.length);
  return ({ method, path }: Pick<FhirRequest, 'method' | 'path'>) =>
    bases.find((found) => {
      const { base } = found;
      const isBase = path === base || (path.length === base.length - 1 && base.startsWith(path));
      if (!isBase && !path.startsWith(base)) return false;
      if ('plain' in found || found.names === undefined) return true;
      if (isBase) return found.methods.has(method);
      const end = path.indexOf('/', base.length);
      return found.names.has(decodedSegment(path.slice(base.length, end < 0 ? undefined : end)));
    });
}

/**
 * Creates a function that selects the service that answers the error of a path that no service has.
 * It is the service at the public address for its base, and the first service otherwise.
 */
export function createLocateNothing<S extends RoutedService>(
  services: readonly [S, ...S[]],
): (path: string) => S {
  const root = services.find(({ service }) => service.baseUrl === service.serverUrl);
  return (path) => (root !== undefined && isBase(path, pathOf(root.service)) ? root : services[0]);
}

/** The first segments that belong to the service; undefined if all do. */
function namesOf({ baseUrl, serverUrl, interactions, types }: Service) {
  if (baseUrl !== serverUrl) return undefined;
  return new Set<string>([
    ...interactions.map(({ path }) => path).filter((path) => path !== ''),
    ...types.map(({ name }) => name),
  ]);
}

function baseMethodsOf({ interactions }: Service): ReadonlySet<string> {
  const own = interactions.filter(({ path }) => path === '').map(({ method }) => method);
  return new Set<string>(['OPTIONS', ...own]);
}

/** The path of the service's base on this server: `/STU3`. */
export function pathOf({ baseUrl }: Pick<Service, 'baseUrl'>): string {
  const { pathname } = new URL(baseUrl);
  return pathname === '/' ? '' : pathname;
}

/** Whether the request reads the base of a service itself, as a browser does. `base`: its path. */
export function isReadOfBase({ method, path }: FhirRequest, base: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && isBase(path, base);
}

/** Whether the path is that of the base itself. */
export function isBase(path: string, base: string): boolean {
  return path === base || (path.length === base.length + 1 && path === `${base}/`);
}

/** An interaction, and what the path says about the resource. */
export interface Route extends Pick<TypeContext, 'type' | 'id' | 'version'> {
  readonly interaction: Interaction | SystemInteraction;
}

/** A request with OPTIONS for the methods of a path. */
export interface PreflightRoute {
  readonly allow: string;
}

/** Throws a FhirError if the service does not have the path, or does not offer the method on it. */
export function routeOf(
  request: FhirRequest,
  { routed, segments }: Located<RoutedService>,
): Route | PreflightRoute {
  const { method } = request;
  const { routes } = routed;
  const endpoint = routes.find(segments);
  if (segments.length === 0 && !endpoint?.interactions.has(method)) {
    return baseRoute(request, routed, endpoint);
  }
  if (endpoint === undefined) {
    const operation = segments.find((segment) => segment.startsWith('$'));
    if (operation !== undefined) throw unknownOperation(routed, operation);
    throw unknownPath(routed, segments);
  }
  const interaction = endpoint.interactions.get(method);
  if (interaction === undefined) {
    const { allow } = endpoint;
    if (method === 'OPTIONS') return { allow };
    throw methodNotAllowed(method, segments.join('/'), allow, remedyOf(endpoint, routes));
  }
  const { type, idAt, versionAt } = endpoint;
  return {
    interaction,
    type,
    id: idAt < 0 ? '' : segments[idAt]!,
    version: versionAt < 0 ? '' : segments[versionAt]!,
  };
}

/** In some FHIR versions, the base answers OPTIONS with the capabilities. */
function baseRoute(
  request: FhirRequest,
  { service, routes }: RoutedService,
  endpoint: Endpoint | undefined,
): Route | PreflightRoute {
  const { method } = request;
  if (method !== 'OPTIONS') {
    if (endpoint === undefined) throw unknownPath({ service, routes }, []);
    const path = pathOf(service) || '/';
    throw methodNotAllowed(method, path, endpoint.allow, remedyOf(endpoint, routes));
  }
  if (isPreflight(request)) return { allow: endpoint?.allow ?? method };
  const metadata = service.version.capabilities.isAnsweredToOptions
    ? routes.find(['metadata'])
    : undefined;
  const interaction = metadata?.interactions.get('GET');
  if (metadata === undefined || interaction === undefined) {
    const remedy = `GET ${service.baseUrl}/metadata lists what the service offers.`;
    throw methodNotAllowed(method, pathOf(service), '', remedy);
  }
  return { interaction, type: metadata.type, id: '', version: '' };
}

function unknownPath({ service, routes }: RoutedService, segments: readonly string[]): FhirError {
  return FhirError.of('unknown-path', pathText(service, routes, segments));
}

function pathText(service: Service, routes: RouteTable, segments: readonly string[]): string {
  const { baseUrl, types } = service;
  const names = namesIn(routes.endpoints);
  const firsts = [...new Set(names.map((name) => name.split('/')[0]!))];
  const sent = segments.join('/');
  const nearest = nearestPathOf(sent, firsts);
  const unknown = {
    kind: `path of ${baseUrl}`,
    sent,
    known: firsts.includes(segments[0]!) ? names : firsts,
    listedAt: `${baseUrl}/metadata`,
    nearest: nearest && shownText(nearest),
  };
  if (segments.length === 0) return `There is nothing at ${baseUrl} itself. ${hintOf(unknown)}`;
  const hasHistory = types.some(({ interactions }) =>
    interactions.some(({ path }) => path.endsWith('/_history')),
  );
  if (segments.includes('_history') && !hasHistory) {
    return `History is not supported in ${baseUrl}. ${hintOf(unknown)}`;
  }
  return unknownName(unknown);
}

function unknownOperation(
  { service: { baseUrl }, routes }: RoutedService,
  operation: string,
): FhirError {
  const known = namesIn(routes.endpoints).filter((name) => name.includes('$'));
  const operations = known.map((name) => name.split('/').find((part) => part.startsWith('$'))!);
  const nearest = nearestName({ sent: operation, known: operations });
  const diagnostics = unknownName({
    kind: `operation of ${baseUrl}`,
    sent: operation,
    known,
    listedAt: `${baseUrl}/metadata`,
    nearest: known[operations.indexOf(nearest ?? '')],
  });
  return FhirError.of('unknown-path', diagnostics);
}

/** Ignores a trailing slash. A segment that is not UTF-8 stays encoded; no path matches it. */
export function segmentsOf(path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  if (trimmed === '') return [];
  const segments = trimmed.split('/');
  return trimmed.includes('%') ? segments.map(decodedSegment) : segments;
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
