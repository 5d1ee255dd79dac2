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
  | { readonly interaction: 'search'; readonly service: Service; readonly type: ServedType }
  | { readonly interaction: 'capabilities'; readonly service: Service }
  | { readonly interaction: 'preflight'; readonly service: Service };

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
  const [first = '', second, ...others] = segments;
  const isKnown = others.length === 0;
  if (isKnown && first === 'metadata' && second === undefined) {
    return allowed(method, { interaction: 'capabilities', service }, 'metadata');
  }
  const type = service.types.find(({ name }) => name === first);
  if (type === undefined) throw unknownPath(service, segments);
  if (second === undefined) {
    return allowed(method, { interaction: 'search', service, type }, type.name);
  }
  if (isKnown && !second.startsWith('_')) {
    const route = { interaction: 'read', service, type, id: second } as const;
    return allowed(method, route, `${type.name}/${second}`);
  }
  throw unknownPath(service, segments);
}

/** Reading methods reach the route; a preflight asks about it; nothing else is offered. */
function allowed(method: string, route: Route, path: string): Route {
  if (method === 'GET' || method === 'HEAD') return route;
  if (method === 'OPTIONS') return { interaction: 'preflight', service: route.service };
  throw new FhirError(
    [
      {
        kind: 'method-not-allowed',
        diagnostics: `${method} is not offered on ${path}: it can only be read. Use GET or HEAD.`,
      },
    ],
    ['Allow', ALLOWED_METHODS],
  );
}

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

function unknownPath(service: Service, segments: readonly string[]): FhirError {
  const known = service.types.map(({ name }) => `${name}, ${name}/{id}`);
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
