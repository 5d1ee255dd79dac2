/** Finds the interaction for a method and a path: https://hl7.org/fhir/STU3/http.html */
import { isPreflight } from './answer.ts';
import { FhirError } from './fhir-error.ts';
import type { VersionedType } from './repository.ts';
import type { FhirRequest } from './request.ts';
import { pathOf, type ServedType, type Service } from './service.ts';

/** A type whose resources clients write. */
export type WrittenType = ServedType & { readonly versions: VersionedType };

export type Route = DirectRoute | VersionRoute;

/** Interactions that are answered from memory, synchronously. */
export type DirectRoute =
  | { readonly interaction: 'read'; readonly type: ServedType; readonly id: string }
  | {
      readonly interaction: 'search';
      readonly type: ServedType;
      /** By POST, with parameters in the body too. */
      readonly hasForm: boolean;
    }
  | { readonly interaction: 'capabilities' }
  | { readonly interaction: 'preflight'; readonly allow: string };

/** Interactions that a store of versions answers. */
export type VersionRoute = CreateRoute | UpdateRoute | ReadRoute | VreadRoute | HistoryRoute;

export interface CreateRoute {
  readonly interaction: 'create';
  readonly type: WrittenType;
}

export interface UpdateRoute {
  readonly interaction: 'update';
  readonly type: WrittenType;
  readonly id: string;
}

export interface ReadRoute {
  readonly interaction: 'read';
  readonly type: WrittenType;
  readonly id: string;
}

export interface VreadRoute {
  readonly interaction: 'vread';
  readonly type: WrittenType;
  readonly id: string;
  readonly version: string;
}

export interface HistoryRoute {
  readonly interaction: 'history-instance';
  readonly type: WrittenType;
  readonly id: string;
}

export function isVersionRoute(route: Route): route is VersionRoute {
  return 'type' in route && route.type.versions !== undefined && route.interaction !== 'search';
}

/** The service whose base the path is under, and the path's further segments, decoded. */
export interface Located {
  readonly service: Service;
  readonly segments: readonly string[];
}

/**
 * Creates a function that finds the service of a request. A service at the public address itself
 * has only the paths of its types and metadata, and OPTIONS of its base. The other paths belong
 * to pages and documents.
 */
export function createLocate(
  services: readonly Service[],
): (request: Pick<FhirRequest, 'method' | 'path'>) => Located | undefined {
  const bases = services
    .map((service) => ({ service, base: `${pathOf(service)}/`, names: namesOf(service) }))
    .toSorted((a, b) => b.base.length - a.base.length);
  return ({ method, path }) => {
    for (const { service, base, names } of bases) {
      if (!path.startsWith(base) && `${path}/` !== base) continue;
      const segments = segmentsOf(path.slice(base.length));
      const [first] = segments;
      const isOwn = first === undefined ? method === 'OPTIONS' : names?.has(first);
      if (names === undefined || isOwn) return { service, segments };
    }
    return undefined;
  };
}

/**
 * Creates a function that selects the service that answers 404 for an unknown path. It is the
 * service at the public address if the path looks like a FHIR path, and the first service
 * otherwise.
 */
export function createLocateNothing(
  services: readonly [Service, ...Service[]],
): (path: string) => { readonly service: Service; readonly isFhir: boolean } {
  const root = services.find(({ baseUrl, serverUrl }) => baseUrl === serverUrl);
  if (root === undefined) return () => ({ service: services[0], isFhir: false });
  const base = `${pathOf(root)}/`;
  return (path) => {
    const [first] = path.startsWith(base) ? segmentsOf(path.slice(base.length)) : [];
    const isBase = `${path}/` === base || path === base;
    const isFhir = first !== undefined && isFhirSegment(first, root);
    return { service: isFhir || isBase ? root : services[0], isFhir };
  };
}

/** `Patient`, `_history`, `$meta` */
function isFhirSegment(segment: string, { version }: Service): boolean {
  return /^[_$]/.test(segment) || version.definitions.resource(segment) !== undefined;
}

/** The first segments that belong to the service; nothing where all do. */
function namesOf({ baseUrl, serverUrl, types }: Service): ReadonlySet<string> | undefined {
  if (baseUrl !== serverUrl) return undefined;
  return new Set(['metadata', ...types.map(({ name }) => name)]);
}

export function routeOf(request: FhirRequest, { service, segments }: Located): Route {
  const { method } = request;
  const [first, second, third, version] = segments;
  if (first === undefined) return baseRoute(request, service);
  const operation = segments.find((segment) => segment.startsWith('$'));
  if (operation !== undefined) throw unknownOperation(service, operation);
  if (first === 'metadata' && second === undefined) {
    return offered(method, READING, segments) ?? { interaction: 'capabilities' };
  }
  const type = service.types.find(({ name }) => name === first);
  if (type === undefined || segments.length > 4) throw unknownPath(service, segments);
  if (second === undefined) return typeRoute(method, type, segments);
  if (second === '_search' && third === undefined) {
    const offer = type.search === undefined ? NOTHING : SEARCHING;
    return offered(method, offer, segments) ?? { interaction: 'search', type, hasForm: true };
  }
  if (second.startsWith('_')) throw unknownPath(service, segments);
  if (isWritten(type)) {
    if (third === undefined) return instanceRoute(method, type, second, segments);
    if (third !== '_history') throw unknownPath(service, segments);
    const preflight = offered(method, READING, segments);
    if (preflight !== undefined) return preflight;
    if (version === undefined) return { interaction: 'history-instance', type, id: second };
    return { interaction: 'vread', type, id: second, version };
  }
  if (type.read === undefined || third !== undefined) throw unknownPath(service, segments);
  return offered(method, READING, segments) ?? { interaction: 'read', type, id: second };
}

function baseRoute(request: FhirRequest, service: Service): Route {
  const { method } = request;
  if (method !== 'OPTIONS') throw unknownPath(service, []);
  if (isPreflight(request)) return { interaction: 'preflight', allow: method };
  if (service.version.hasCapabilitiesByOptions) return { interaction: 'capabilities' };
  const remedy = `GET ${service.baseUrl}/metadata lists what exists.`;
  throw methodNotAllowed(method, pathOf(service), { methods: [], allow: '', remedy });
}

function typeRoute(method: string, type: ServedType, path: readonly string[]): Route {
  if (isWritten(type)) return offered(method, CREATING, path) ?? { interaction: 'create', type };
  const offer = type.search === undefined ? NOTHING : READING;
  return offered(method, offer, path) ?? { interaction: 'search', type, hasForm: false };
}

function instanceRoute(
  method: string,
  type: WrittenType,
  id: string,
  path: readonly string[],
): Route {
  const preflight = offered(method, READING_AND_UPDATING, path);
  return preflight ?? { interaction: method === 'PUT' ? 'update' : 'read', type, id };
}

export function isWritten(type: ServedType): type is WrittenType {
  return type.versions !== undefined;
}

/** What can be done at a path, besides asking for it with OPTIONS. */
export interface Offer {
  readonly methods: readonly string[];
  /** The header Allow. */
  readonly allow: string;
  /** What those are told who do something else. */
  readonly remedy: string;
}

export const READING = offer(['GET', 'HEAD'], 'it can only be read. Use GET or HEAD.');
export const SEARCHING = offer(['POST'], 'it takes a search as a form. Use POST.');
export const CREATING = offer(['POST'], 'it takes new resources, and has no search. Use POST.');
export const READING_AND_UPDATING = offer(
  ['GET', 'HEAD', 'PUT'],
  'it can be read and updated, and stays. Use GET, HEAD or PUT.',
);
/** There is something below the path, but it has no contents to be listed. */
const NOTHING = offer([], 'nothing can be searched here. Read one by its id.');

/** The header Allow of the whole server, for `OPTIONS *`. */
export function methodsOf(services: readonly Service[]): string {
  const hasWrites = services.some(({ types }) => types.some(isWritten));
  const { methods } = hasWrites ? READING_AND_UPDATING : READING;
  return [...methods, ...SEARCHING.methods, 'OPTIONS'].join(', ');
}

function offer(methods: readonly string[], remedy: string): Offer {
  return { methods, allow: [...methods, 'OPTIONS'].join(', '), remedy };
}

/** Nothing for a method that is offered, and what a preflight asks for. Throws for the others. */
function offered(
  method: string,
  offer: Offer,
  segments: readonly string[],
): DirectRoute | undefined {
  if (offer.methods.includes(method)) return undefined;
  if (method === 'OPTIONS') return { interaction: 'preflight', allow: offer.allow };
  throw methodNotAllowed(method, segments.join('/'), offer);
}

export function methodNotAllowed(
  method: string,
  path: string,
  { allow, remedy }: Offer,
): FhirError {
  const diagnostics = `${method} is not offered on ${path}: ${remedy}`;
  return new FhirError([{ kind: 'method-not-allowed', diagnostics }], ['Allow', allow]);
}

function unknownPath(service: Service, segments: readonly string[]): FhirError {
  const known = service.types.flatMap(({ name, search, versions }) => [
    ...(search === undefined && versions === undefined ? [] : [name]),
    `${name}/{id}`,
    ...(versions === undefined ? [] : [`${name}/{id}/_history`]),
  ]);
  const diagnostics = `${nothingAt(service, segments)} Try ${[...known, 'metadata'].join(', ')}.`;
  return new FhirError([{ kind: 'unknown-path', diagnostics }]);
}

function nothingAt({ baseUrl, types }: Service, segments: readonly string[]): string {
  if (segments.length === 0) return `There is nothing at ${baseUrl} itself.`;
  if (segments.includes('_history') && !types.some(isWritten)) {
    return `History is not supported in ${baseUrl}.`;
  }
  return `There is no "${segments.join('/')}" in ${baseUrl}.`;
}

function unknownOperation(service: Service, operation: string): FhirError {
  return new FhirError([
    {
      kind: 'unknown-path',
      diagnostics:
        `There is no operation ${operation}: ${service.baseUrl} has no operations. ` +
        `GET ${service.baseUrl}/metadata lists what it has.`,
    },
  ]);
}

/** A trailing slash is as none; what is not UTF-8 stays encoded and is then not found. */
function segmentsOf(path: string): string[] {
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
