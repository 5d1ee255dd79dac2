/** The request that an entry of a Bundle stands for. https://hl7.org/fhir/DSTU2/bundle.html#http */
import { encodeJson } from '../format/json.ts';
import type { FhirObject } from '../format/resource.ts';
import { headerOf, httpDate, preferredValue } from '../http/headers.ts';
import { type Negotiated, validForm } from '../http/negotiate.ts';
import { FhirError } from '../request/fhir-error.ts';
import type { FhirRequest } from '../request/request.ts';
import type { Interaction, Service, TypeContext } from '../service/interaction.ts';
import { type Route, routeOf, segmentsOf } from '../service/locate.ts';
import { createRouteTable, type RouteTable } from '../service/route-table.ts';
import { entryPath, type ResolvedEntry, type SentEntry } from './sent-bundle.ts';

/** The answers to entries are encoded one by one in the format of the Bundle, which contains them. */
export function entryForm({ negotiated }: TypeContext): Negotiated {
  return { form: { ...validForm(negotiated), isPretty: false } };
}

/** `resolved` reads the resource of the entry, with its links resolved. */
export function entryRequest(
  { request, service }: TypeContext,
  entry: SentEntry,
  resolved: () => ResolvedEntry,
): FhirRequest {
  const { authorization, apikey, host } = request.headers;
  const { path, query } = targetOf(entry, service);
  return {
    ...request,
    method: entry.method,
    path: `/${path}`,
    query,
    headers: {
      authorization,
      apikey,
      host,
      ...conditionsOf(entry.request),
      prefer: preferOf(headerOf(request, 'prefer')),
      'content-type': service.version.mediaTypes.json,
    },
    readBody: async () => bodyOf(entry, resolved),
  };
}

/** The address below the base. The address of another server stays unchanged, and matches no route. */
function targetOf({ url }: SentEntry, { baseUrl }: Service) {
  const own = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
  const [path = ''] = own.split('?', 1);
  return { path: path.replace(/^\//, ''), query: own.slice(path.length + 1) };
}

function conditionsOf({ ifMatch, ifNoneMatch, ifNoneExist, ifModifiedSince }: FhirObject) {
  const sinceMs = Date.parse(String(ifModifiedSince));
  return {
    ...(typeof ifMatch === 'string' && { 'if-match': ifMatch }),
    ...(typeof ifNoneMatch === 'string' && { 'if-none-match': ifNoneMatch }),
    ...(typeof ifNoneExist === 'string' && { 'if-none-exist': ifNoneExist }),
    ...(!Number.isNaN(sinceMs) && { 'if-modified-since': httpDate(sinceMs) }),
  };
}

/** The answer to an entry has its resource, or an outcome, only if the client asks for it. */
function preferOf(sent: string | undefined): string {
  if (sent === undefined) return 'return=minimal';
  return preferredValue(sent, 'return') === undefined ? `${sent}, return=minimal` : sent;
}

function bodyOf({ at, refusal }: SentEntry, resolved: () => ResolvedEntry): Uint8Array {
  if (refusal !== undefined) throw refusal;
  const { resource, refusal: linkRefusal } = resolved();
  if (linkRefusal !== undefined) throw linkRefusal;
  if (resource !== undefined) return Buffer.from(encodeJson(resource));
  const diagnostics = `The resource is missing. Send it in Bundle.entry[${at}].resource.`;
  throw new FhirError([{ kind: 'invalid-resource', code: 'required', diagnostics }]);
}

/** Where a request of an entry leads. Throws if that is not possible in a Bundle. */
export function entryRoute(request: FhirRequest, service: Service): Route & EntryRoute {
  const segments = segmentsOf(request.path.slice(1));
  const route = routeOf(request, { routed: { service, routes: routesOf(service) }, segments });
  if ('interaction' in route && isPossible(route.interaction)) {
    return { ...route, interaction: route.interaction };
  }
  throw FhirError.of(
    'invalid-request',
    `${request.method} ${request.path.slice(1)} is not possible in a Bundle. ` +
      'A Bundle can have create, read, vread, update, delete, and search by GET.',
  );
}

interface EntryRoute {
  readonly interaction: Interaction;
}

function isPossible(interaction: Route['interaction']): interaction is Interaction {
  const { code, body, path } = interaction;
  return path.startsWith('[type]') && POSSIBLE.has(code) && body !== 'form';
}

const POSSIBLE: ReadonlySet<string> = new Set([
  'create',
  'read',
  'vread',
  'update',
  'delete',
  'search-type',
]);

function routesOf(service: Service): RouteTable {
  const known = ROUTES.get(service);
  if (known !== undefined) return known;
  const routes = createRouteTable(service);
  ROUTES.set(service, routes);
  return routes;
}

const ROUTES = new WeakMap<Service, RouteTable>();

/** The error of an entry as one of the whole Bundle: it names the entry, and the place in it. */
export function namedError(error: FhirError, { at, method, url }: SentEntry): FhirError {
  const issues = error.issues.map((issue) => ({
    ...issue,
    diagnostics: `Bundle.entry[${at}] (${method} ${url}): ${issue.diagnostics}`,
    location: `${entryPath(at)}${placeOf(issue.location)}`,
  }));
  return new FhirError(issues, error.headers);
}

/** The place in an entry that has the header, the parameter or the element. */
function placeOf(location = ''): string {
  if (location.startsWith('/')) return `/f:resource${location}`;
  if (!location.startsWith('http.')) return '';
  const element = HEADER_ELEMENTS.get(location.slice('http.'.length)) ?? 'url';
  return `/f:request/f:${element}`;
}

const HEADER_ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['If-Match', 'ifMatch'],
  ['If-None-Match', 'ifNoneMatch'],
  ['If-None-Exist', 'ifNoneExist'],
]);
