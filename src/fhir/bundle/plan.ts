/** What a transaction decides before it runs: routes, the order of the entries, and addresses. */

import { FhirError } from '../service/fhir-error.ts';
import type { TypeContext } from '../service/interaction.ts';
import type { Route } from '../service/locate.ts';
import { writeRulesOf } from '../stored/stored-resource.ts';
import { entryRequest, entryRoute, namedError, resolveReferences } from './entry-request.ts';
import { ENTRY_METHODS, type SentEntry } from './sent-bundle.ts';

export type Plan = ReturnType<typeof planTransaction>;

/** Throws a FhirError that lists every entry without a route, and every resource that two entries write. */
export function planTransaction(context: TypeContext, entries: readonly SentEntry[]) {
  const routes = routesOf(context, entries);
  const targets = new Map<string, Target>();
  const byEntry = new Map<SentEntry, Target>();
  for (const [entry, { type, id }] of routes) {
    if (entry.method !== 'POST' && entry.method !== 'PUT') continue;
    const newId = entry.method === 'POST' ? writeRulesOf(type).newId() : id;
    const target: Target = { type: type.name, newId, id: newId, isUsed: false };
    byEntry.set(entry, target);
    if (entry.fullUrl !== undefined) targets.set(entry.fullUrl, target);
  }
  const addressOf = (reference: string) => {
    const target = targets.get(reference);
    if (target === undefined) return undefined;
    target.isUsed = true;
    return `${target.type}/${target.id}`;
  };
  return {
    /** In the order of processing. */
    ordered: ENTRY_METHODS.flatMap((method) => entries.filter((each) => each.method === method)),
    routeOf: (entry: SentEntry) => known(routes.get(entry)),
    /** The resource of the entry, with references to other entries replaced. */
    resourceOf: ({ resource }: SentEntry) =>
      targets.size === 0 ? resource : resource && resolveReferences(resource, addressOf),
    /** The id of the resource that a create makes. */
    newId: (entry: SentEntry) => known(byEntry.get(entry)).newId,
    /** The id that references use; undefined if no other entry refers to this one. */
    expectedId: (entry: SentEntry) => {
      const target = byEntry.get(entry);
      return entry.method === 'POST' && target?.isUsed ? target.id : undefined;
    },
    /** A condition found the resource with this id. */
    move: (entry: SentEntry, id: string) => {
      known(byEntry.get(entry)).id = id;
    },
  };
}

/** The resource that an entry creates, finds or updates. */
interface Target {
  readonly type: string;
  readonly newId: string;
  /** The id that references use. */
  id: string;
  isUsed: boolean;
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
      const route = entryRoute(entryRequest(context, entry), context.service);
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
