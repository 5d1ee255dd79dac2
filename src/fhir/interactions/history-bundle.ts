/** The Bundles and the parameters of histories. https://hl7.org/fhir/DSTU2/http.html#history */
import { randomUUID } from 'node:crypto';
import { PRIMITIVES } from '../definitions/primitives.ts';
import type { Form } from '../http/negotiate.ts';
import { formatPair, parseQueryString } from '../http/query-string.ts';
import { FhirError, type Issue } from '../request/fhir-error.ts';
import { METADATA, unknownName } from '../request/unknown-name.ts';
import { withPlusOfZones } from '../search/date.ts';
import { FORMAT_PARAMETERS } from '../search/result-parameters.ts';
import { encodeBundle, isStoredForm } from '../service/bundle-pieces.ts';
import type { Service } from '../service/interaction.ts';
import { parseStored } from '../service/stored-resource.ts';
import { queryParameter } from '../statement/open-api-answers.ts';
import type { StoredVersion } from '../stored/repository.ts';

interface HistoryContent {
  /** With the type of each version, in the order of the Bundle. */
  readonly versions: readonly (StoredVersion & { readonly type: string })[];
  /** Of all pages, if it is known. */
  readonly total?: number;
  readonly link: readonly object[];
  /** Says what the Bundle leaves out. */
  readonly tag?: object | undefined;
}

export function encodeHistory(
  { baseUrl, version }: Service,
  form: Form,
  { versions, total, link, tag }: HistoryContent,
): string {
  const lastUpdated = newestOf(versions);
  const shown = (text: string) =>
    isStoredForm(form) ? text : parseStored(text, version.definitions);
  const bundle = {
    resourceType: 'Bundle' as const,
    id: randomUUID(),
    ...((lastUpdated ?? tag) && { meta: { lastUpdated, ...(tag && { tag: [tag] }) } }),
    type: 'history',
    ...(total !== undefined && { total }),
    link,
    ...(versions.length > 0 && {
      entry: versions.map(({ type, id, text, method }) => ({
        fullUrl: `${baseUrl}/${type}/${id}`,
        ...(text !== undefined && { resource: shown(text) }),
        request: { method, url: method === 'POST' ? type : `${type}/${id}` },
      })),
    }),
  };
  return encodeBundle(bundle, form, version.definitions);
}

/** The last time at which one of the versions was written. */
export function newestOf(versions: readonly StoredVersion[]): string | undefined {
  return versions.reduce<string | undefined>(
    (newest, { writtenAt }) => (newest === undefined || writtenAt > newest ? writtenAt : newest),
    undefined,
  );
}

/** The address of another page: `own` are the parameters that select the page. */
export function historyUrl(
  url: string,
  query: string,
  own: readonly (readonly [name: string, value: string])[],
): string {
  const kept = parseQueryString(query).filter(({ name }) => !SELECTING.has(name));
  const asked = kept.map(({ name, value }) => ({ name, value: withPlusOfZones(value) }));
  const pairs = [...asked, ...own.map(([name, value]) => ({ name, value }))];
  return `${url}?${pairs.map(formatPair).join('&')}`;
}

/** The parameters that select a page. Links to other pages repeat all others. */
const SELECTING = new Set(['_count', '_after', '_before', '_previous']);

export interface HistoryParameters {
  /** Versions on a page. */
  readonly count: number;
  /** Only versions written at or after this time; milliseconds since 1970. */
  readonly sinceMs?: number;
}

/** A parameter besides `_count` and `_since`, which every history has. */
export interface OwnParameter<Value> {
  readonly name: string;
  parse(text: string): Value | undefined;
  /** What a client can send. */
  readonly allowed: string;
}

/**
 * Reads the parameters of a history; `own` are those of its kind. Throws a FhirError with every
 * problem. A history does not search: a parameter that it ignored would show too much.
 */
export function parseHistoryParameters<Value>(
  query: string,
  own: readonly OwnParameter<Value>[],
): HistoryParameters & { readonly own: ReadonlyMap<string, Value> } {
  const issues: Issue[] = [];
  const pairs = parseQueryString(query);
  const one = <T>({ name, parse, allowed }: OwnParameter<T>): T | undefined => {
    const [pair, ...more] = pairs.filter((each) => each.name === name);
    if (pair === undefined) return undefined;
    const value = more.length > 0 ? undefined : parse(pair.value);
    if (value !== undefined) return value;
    const problem = more.length > 0 ? 'is given more than once' : `cannot be "${pair.value}"`;
    issues.push({
      kind: 'invalid-value',
      diagnostics: `${name} ${problem}. Send ${allowed}.`,
      location: `http.${name}`,
    });
    return undefined;
  };
  const count = one(COUNT);
  const sinceMs = one(SINCE);
  const found = own.flatMap((parameter) => {
    const value = one(parameter);
    return value === undefined ? [] : [[parameter.name, value] as const];
  });
  const known = [COUNT, SINCE, ...own, ...FORMAT_PARAMETERS].map(({ name }) => name);
  for (const name of new Set(pairs.map((pair) => pair.name))) {
    if (!known.includes(name)) issues.push(unknownParameter(name, known));
  }
  if (issues.length > 0) throw new FhirError(issues);
  return {
    count: count ?? COUNT_DEFAULT,
    ...(sinceMs !== undefined && { sinceMs }),
    own: new Map(found),
  };
}

/** The parameters that every history has. */
export const HISTORY_NAMES = ['_count', '_since', ...FORMAT_PARAMETERS.map(({ name }) => name)];

function unknownParameter(name: string, known: readonly string[]): Issue {
  return {
    kind: 'invalid-parameter',
    diagnostics: unknownName({
      kind: 'parameter of a history',
      sent: name,
      known,
      listedAt: METADATA,
    }),
    location: `http.${name}`,
  };
}

/** In the OpenAPI description. */
export const HISTORY_PARAMETERS = [
  queryParameter('_count', 'integer', 'Versions on a page, up to 100.'),
  queryParameter('_since', 'string', 'An instant: only versions written at or after it.'),
];

/** The number of a version. */
export function parseVersion(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

const COUNT_MAX = 100;
const COUNT_DEFAULT = 20;

const COUNT: OwnParameter<number> = {
  name: '_count',
  parse: (text) => {
    const count = parseVersion(text);
    return count === undefined ? undefined : Math.min(count, COUNT_MAX);
  },
  allowed: 'a whole number from 1',
};

const SINCE: OwnParameter<number> = {
  name: '_since',
  parse: (text) => {
    // A raw `+` before the zone has become a space.
    const instant = text.replace(' ', '+');
    return PRIMITIVES.get('instant')?.isValid(instant) ? Date.parse(instant) : undefined;
  },
  allowed: 'an instant, such as 2026-11-21T09:30:00Z',
};
