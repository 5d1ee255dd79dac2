/** Bundles of type history: https://hl7.org/fhir/DSTU2/bundle.html#history */
import { randomUUID } from 'node:crypto';
import type { Form } from '../http/negotiate.ts';
import { formatPair, parseQueryString } from '../http/query-string.ts';
import type { Service } from '../service/interaction.ts';
import type { StoredVersion } from './repository.ts';
import { encodeBundle, isStoredForm } from './stored-bundle.ts';
import { parseStored } from './stored-resource.ts';

export interface HistoryLink {
  readonly relation: string;
  readonly url: string;
}

export interface HistoryContent {
  /** With the type of each version, in the order of the Bundle. */
  readonly versions: readonly (StoredVersion & { readonly type: string })[];
  /** Of all pages, if it is known. */
  readonly total?: number;
  readonly link: readonly HistoryLink[];
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
    ...(total === undefined ? {} : { total }),
    link,
    ...(versions.length === 0
      ? {}
      : {
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
  const kept = parseQueryString(query).filter(({ name }) => KEPT.has(name));
  const pairs = [...kept, ...own.map(([name, value]) => ({ name, value }))];
  return `${url}?${pairs.map(formatPair).join('&')}`;
}

/** The parameters that links to other pages repeat. */
const KEPT = new Set(['_since', '_format', '_pretty']);
