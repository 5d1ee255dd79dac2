/** What a transaction decides before it runs: routes, the order of the entries, and addresses. */

import { FhirError } from '../request/fhir-error.ts';
import type { TypeContext } from '../service/interaction.ts';
import type { Route } from '../service/locate.ts';
import { writeRulesOf } from '../service/stored-resource.ts';
import type { ExpectedResource, MovedResource } from '../stored/match.ts';
import { ConditionalReferences } from './conditional-references.ts';
import { entryRequest, entryRoute, namedError } from './entry-request.ts';
import { type LinkTarget, resolveLinks, sentVersionOf } from './link-resolver.ts';
import { ENTRY_METHODS, type ResolvedEntry, type SentEntry } from './sent-bundle.ts';

export interface Plan {
  /** In the order of processing. */
  readonly ordered: readonly SentEntry[];
  readonly conditional: ConditionalReferences;
  routeOf(entry: SentEntry): Route;
  /** The resource of the entry, with its links replaced by addresses as far as they are known. */
  resolved(entry: SentEntry): ResolvedEntry;
  /** The id of the resource that a create makes. */
  newId(entry: SentEntry): string;
  /** What links use; undefined if no other entry refers to this one. */
  expected(entry: SentEntry): ExpectedResource | undefined;
  /** The entry found or wrote this resource. */
  move(entry: SentEntry, resource: MovedResource): void;
}

/** Throws a FhirError that lists every entry without a route, and every resource that two entries write. */
export function planTransaction(context: TypeContext, entries: readonly SentEntry[]): Plan {
  const routes = routesOf(context, entries);
  const targets = new Map<string, LinkTarget>();
  const byEntry = new Map<SentEntry, PlannedTarget>();
  for (const [entry, route] of routes) {
    if (entry.method !== 'POST' && entry.method !== 'PUT') continue;
    const target = targetOf(entry, route, context);
    byEntry.set(entry, target);
    if (entry.fullUrl !== undefined) targets.set(entry.fullUrl, target);
  }
  const conditional = new ConditionalReferences(context);
  const links = { context, targets, conditional };
  return {
    ordered: ENTRY_METHODS.flatMap((method) => entries.filter((each) => each.method === method)),
    conditional,
    routeOf: (entry) => known(routes.get(entry)),
    resolved: (entry) => resolveLinks(entry, links),
    newId: (entry) => known(byEntry.get(entry)).newId,
    expected: (entry) => {
      const target = byEntry.get(entry);
      if (!target?.isUsed) return undefined;
      return { id: target.id, ...(target.isVersionUsed && { version: target.version }) };
    },
    move: (entry, { id, version }) => {
      const target = known(byEntry.get(entry));
      target.id = id;
      target.version = version;
    },
  };
}

interface PlannedTarget extends LinkTarget {
  readonly newId: string;
}

function targetOf(
  { method, fullUrl, resource }: SentEntry,
  { type, id }: Route,
  { service }: TypeContext,
): PlannedTarget {
  const newId = method === 'POST' ? writeRulesOf(type).newId() : id;
  // A link to a version of a resource of this server stays as it is.
  const isOwn = method === 'PUT' && fullUrl === `${service.baseUrl}/${type.name}/${id}`;
  return {
    type: type.name,
    newId,
    id: newId,
    version: 1,
    isUsed: false,
    isVersionUsed: false,
    sentVersion: isOwn ? undefined : sentVersionOf(resource),
  };
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('an entry has no plan');
  return value;
}

function routesOf(context: TypeContext, entries: readonly SentEntry[]) {
  const routes = new Map<SentEntry, Route>();
  const names = new Set<string>();
  const errors: FhirError[] = [];
  for (const entry of entries) {
    try {
      const request = entryRequest(context, entry, unresolved);
      const route = entryRoute(request, context.service);
      if (entry.method === 'PUT' && route.id === '') throw CONDITIONAL_UPDATE;
      routes.set(entry, route);
      for (const name of uniqueNames(entry, route)) {
        if (names.has(name)) throw twice(name);
        names.add(name);
      }
    } catch (error) {
      if (!(error instanceof FhirError)) throw error;
      errors.push(namedError(error, entry));
    }
  }
  const issues = errors.flatMap((error) => error.issues);
  if (issues.length > 0) throw new FhirError(issues, errors[0]?.headers);
  return routes;
}

function unresolved(): never {
  throw new Error('the route of an entry does not depend on its resource');
}

const CONDITIONAL_UPDATE = FhirError.of(
  'invalid-request',
  'A conditional update is not possible in a transaction. Search first, and update by the id; or send a batch.',
);

/** Only one entry of a transaction may have each of these. */
function uniqueNames({ method, fullUrl }: SentEntry, { type, id }: Route): readonly string[] {
  const written = method === 'PUT' || method === 'DELETE' ? [`${type.name}/${id}`] : [];
  const hasTarget = method === 'PUT' || method === 'POST';
  return hasTarget && fullUrl !== undefined ? [...written, `fullUrl ${fullUrl}`] : written;
}

function twice(name: string): FhirError {
  const diagnostics = `Two entries of the transaction use ${name}. Send only one of them.`;
  return FhirError.of('invalid-request', diagnostics);
}
