/** From a method and a path to what is to be done: https://hl7.org/fhir/STU3/http.html */
import { FhirError } from './fhir-error.ts';
import { pathOf, type ServedType, type Service } from './service.ts';

export type Route =
  | {
      readonly interaction: 'read';
      readonly service: Service;
      readonly type: ServedType;
      readonly id: string;
    }
  | {
      readonly interaction: 'search';
      readonly service: Service;
      readonly type: ServedType;
      /** By POST, with parameters in the body too. */
      readonly hasForm: boolean;
    }
  | { readonly interaction: 'capabilities'; readonly service: Service }
  | { readonly interaction: 'preflight'; readonly service: Service; readonly allow: string };

/** The service whose base the path is under, and the path's further segments, decoded. */
export interface Located {
  readonly service: Service;
  readonly segments: readonly string[];
}

/** A function that finds the service of a path; the services' bases must not overlap. */
export function createLocate(services: readonly Service[]): (path: string) => Located | undefined {
  const bases = services.map((service) => ({ service, base: `${pathOf(service)}/` }));
  return (path) => {
    const found = bases.find(({ base }) => path.startsWith(base) || `${path}/` === base);
    if (found === undefined) return undefined;
    return { service: found.service, segments: segmentsOf(path.slice(found.base.length)) };
  };
}

export function routeOf(method: string, { service, segments }: Located): Route {
  const [first = '', second] = segments;
  if (segments.length > 2) throw unknownPath(service, segments);
  if (first === 'metadata' && second === undefined) {
    return offered(method, READING, { interaction: 'capabilities', service }, 'metadata');
  }
  const type = service.types.find(({ name }) => name === first);
  if (type === undefined) throw unknownPath(service, segments);
  if (second === undefined) {
    const offer = type.search === undefined ? NOTHING : READING;
    const route = { interaction: 'search', service, type, hasForm: false } as const;
    return offered(method, offer, route, type.name);
  }
  if (second === '_search') {
    const offer = type.search === undefined ? NOTHING : SEARCHING;
    const route = { interaction: 'search', service, type, hasForm: true } as const;
    return offered(method, offer, route, `${type.name}/_search`);
  }
  if (type.read === undefined || second.startsWith('_')) throw unknownPath(service, segments);
  const route = { interaction: 'read', service, type, id: second } as const;
  return offered(method, READING, route, `${type.name}/${second}`);
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
/** There is something below the path, but it has no contents to be listed. */
const NOTHING = offer([], 'nothing can be searched here. Read one by its id.');

function offer(methods: readonly string[], remedy: string): Offer {
  return { methods, allow: [...methods, 'OPTIONS'].join(', '), remedy };
}

/** A method that is offered reaches the route; a preflight asks what is. */
function offered(method: string, offer: Offer, route: Route, path: string): Route {
  if (offer.methods.includes(method)) return route;
  if (method === 'OPTIONS') {
    return { interaction: 'preflight', service: route.service, allow: offer.allow };
  }
  throw methodNotAllowed(method, path, offer);
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
  const known = service.types.flatMap(({ name, search }) =>
    search === undefined ? [`${name}/{id}`] : [name, `${name}/{id}`],
  );
  const isHistory = segments.includes('_history');
  const what = isHistory
    ? `History is not supported in ${service.baseUrl}.`
    : `There is no "${segments.join('/')}" in ${service.baseUrl}.`;
  return new FhirError([
    { kind: 'unknown-path', diagnostics: `${what} Try ${[...known, 'metadata'].join(', ')}.` },
  ]);
}

/** A trailing slash is as none; what is not UTF-8 stays encoded and is then not found. */
function segmentsOf(path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  if (trimmed === '') return [];
  return trimmed.split('/').map((segment) => {
    if (!segment.includes('%')) return segment;
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}
