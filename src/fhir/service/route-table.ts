/**
 * The paths of a service and the interactions at each of them, derived from the service's lists of
 * interactions: https://hl7.org/fhir/STU3/http.html
 */

import { FhirError } from '../request/fhir-error.ts';
import type { Interaction, ServedType, Service, SystemInteraction } from './interaction.ts';
import { writtenTypes } from './stored-resource.ts';

/** A path of a service, such as `Organization/[id]`. */
export interface Endpoint {
  /** `Organization/{id}` */
  readonly name: string;
  readonly type: ServedType;
  /** By method. HEAD has the interaction of GET. */
  readonly interactions: ReadonlyMap<string, Interaction | SystemInteraction>;
  /** The position of the id and of the version among the segments of the path; -1: there is none. */
  readonly idAt: number;
  readonly versionAt: number;
  /** The header Allow. */
  readonly allow: string;
}

export interface RouteTable {
  readonly endpoints: readonly Endpoint[];
  /** The endpoint of a path below the base, by the decoded segments of the path. */
  find(segments: readonly string[]): Endpoint | undefined;
}

export function createRouteTable(service: Service): RouteTable {
  const endpoints = endpointsOf(service);
  const root: Branch = { literals: new Map() };
  for (const { segments, endpoint } of endpoints) addTo(root, segments, endpoint);
  return {
    endpoints: endpoints.map(({ endpoint }) => endpoint),
    find: (segments) => {
      let branch: Branch | undefined = root;
      for (const segment of segments) {
        branch =
          branch.parameter === undefined || isReserved(segment)
            ? branch.literals.get(segment)
            : branch.parameter;
        if (branch === undefined) return undefined;
      }
      return branch.endpoint;
    },
  };
}

/** A segment of paths, with the segments that may follow it. */
interface Branch {
  endpoint?: Endpoint;
  readonly literals: Map<string, Branch>;
  /** Any other segment: an id or a version. */
  parameter?: Branch;
}

function addTo(root: Branch, segments: readonly string[], endpoint: Endpoint): void {
  let branch = root;
  for (const segment of segments) {
    let next = isParameter(segment) ? branch.parameter : branch.literals.get(segment);
    if (next === undefined) {
      next = { literals: new Map() };
      if (isParameter(segment)) branch.parameter = next;
      else branch.literals.set(segment, next);
    }
    branch = next;
  }
  branch.endpoint = endpoint;
}

/** `_search`, `_history` and `$validate` are never ids. */
function isReserved(segment: string): boolean {
  const first = segment[0];
  return first === '_' || first === '$';
}

function isParameter(segment: string): boolean {
  return segment === '[id]' || segment === '[vid]';
}

interface TemplatePath {
  readonly segments: readonly string[];
  readonly endpoint: Endpoint;
}

function endpointsOf({ interactions, types }: Service): TemplatePath[] {
  const system = Map.groupBy(interactions, ({ path }) => path);
  return [
    ...types.flatMap(typeEndpoints),
    ...[...system].map(([path, offered]) => endpointOf(path, systemType(types), offered)),
  ];
}

function typeEndpoints(type: ServedType): TemplatePath[] {
  const byPath = Map.groupBy(type.interactions, ({ path }) => path);
  for (const path of TYPE_PATHS) if (!byPath.has(path)) byPath.set(path, []);
  return [...byPath]
    .toSorted(([a], [b]) => a.split('/').length - b.split('/').length)
    .map(([path, offered]) => endpointOf(path, type, offered));
}

/** Every type has these paths. One without an interaction answers 405, not 404. */
const TYPE_PATHS = ['[type]', '[type]/_search'] as const;

/** The name that interactions with the whole service have in place of a type. */
export const SYSTEM_TYPE = '';

/** All types that clients write have one repository. */
function systemType(types: readonly ServedType[]): ServedType {
  const stored = writtenTypes(types)[0]?.stored;
  const none = { name: SYSTEM_TYPE, documentation: '', interactions: [], notFound: '' };
  return stored === undefined ? none : { ...none, stored };
}

function endpointOf(
  path: string,
  type: ServedType,
  offered: readonly (Interaction | SystemInteraction)[],
): TemplatePath {
  const segments = path === '' ? [] : path.replace('[type]', type.name).split('/');
  const interactions = new Map(
    offered.flatMap((interaction) =>
      methodsOf(interaction).map((method) => [method, interaction] as const),
    ),
  );
  if (new Set(offered.map(({ method }) => method)).size < offered.length) {
    throw new Error(`${type.name} has two interactions with one method at ${path}`);
  }
  const endpoint: Endpoint = {
    name: segments.map((segment) => PARAMETER_NAMES.get(segment) ?? segment).join('/'),
    type,
    interactions,
    idAt: segments.indexOf('[id]'),
    versionAt: segments.indexOf('[vid]'),
    allow: allowOf(offered),
  };
  return { segments, endpoint };
}

const PARAMETER_NAMES: ReadonlyMap<string, string> = new Map([
  ['[id]', '{id}'],
  ['[vid]', '{version}'],
]);

/** The header Allow of a path with these interactions. */
export function allowOf(interactions: readonly (Interaction | SystemInteraction)[]): string {
  const found = new Set(interactions.flatMap(methodsOf));
  return [...METHODS.filter((method) => found.has(method)), 'OPTIONS'].join(', ');
}

function methodsOf({ method }: Interaction | SystemInteraction): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'];

export function methodNotAllowed(
  method: string,
  path: string,
  allow: string,
  remedy: string,
): FhirError {
  const diagnostics = `${method} is not offered on ${path}. ${remedy}`;
  return FhirError.of('method-not-allowed', diagnostics, { headers: ['Allow', allow] });
}

/** `Use GET, HEAD or PUT.`; if the endpoint has no methods, the other endpoints of the type. */
export function remedyOf(endpoint: Endpoint, { endpoints }: RouteTable): string {
  const methods = [...endpoint.interactions.keys()];
  if (methods.length > 0) return `Use ${LIST.format(methods)}.`;
  const others = namesIn(endpoints.filter(({ type }) => type === endpoint.type));
  return `Use ${LIST.format(others)}.`;
}

const LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The names of the endpoints below the base that have an interaction. */
export function namesIn(endpoints: readonly Endpoint[]): string[] {
  const offered = endpoints.filter(
    ({ name, interactions }) => name !== '' && interactions.size > 0,
  );
  return offered.map(({ name }) => name);
}
