/** Reads the Bundle of a batch or transaction. https://hl7.org/fhir/DSTU2/bundle.html */

import {
  type Decoded,
  type FhirObject,
  type FhirValue,
  isObject,
  type Resource,
} from '../format/resource.ts';
import type { FhirError } from '../request/fhir-error.ts';
import type { Finding } from '../request/finding.ts';
import type { TypeContext } from '../service/interaction.ts';
import { decodeBody, refusalOf } from '../service/resource-body.ts';
import { writeRulesOf } from '../service/stored-resource.ts';

export type SentBundle = SentBatch | SentTransaction;

export interface SentBatch {
  readonly type: 'batch';
  /** In the order of the request. */
  readonly entries: readonly (SentEntry | RefusedEntry)[];
}

export interface SentTransaction {
  readonly type: 'transaction';
  readonly entries: readonly SentEntry[];
}

/** An entry of a batch that is no request: it fails alone. */
export interface RefusedEntry {
  readonly at: number;
  readonly method: undefined;
  readonly refusal: FhirError;
}

export interface SentEntry {
  /** The position in the Bundle, from 0. */
  readonly at: number;
  readonly method: EntryMethod;
  /** As sent: the address of a type or resource, with the parameters of a search. */
  readonly url: string;
  /** The other elements of the request: `ifMatch`, `ifNoneExist`. */
  readonly request: FhirObject;
  readonly fullUrl?: string;
  /** Only of POST and PUT: what is sent with another method has no effect. */
  readonly resource?: FhirObject;
  /** Why the resource cannot be read. */
  readonly refusal?: FhirError;
}

export interface ResolvedEntry {
  /** The resource of the entry, with its links to other entries replaced. */
  readonly resource: FhirObject | undefined;
  /** The error if links lead nowhere: each with its place in the resource. */
  readonly refusal: FhirError | undefined;
}

export type EntryMethod = (typeof ENTRY_METHODS)[number];

/** In the order in which entries are processed: https://hl7.org/fhir/DSTU2/http.html#2.1.0.16.2 */
export const ENTRY_METHODS = ['DELETE', 'POST', 'PUT', 'GET'] as const;

const SENDING: ReadonlySet<EntryMethod> = new Set(['POST', 'PUT']);

/**
 * Throws a FhirError if the body is no Bundle of a batch or transaction, or has too many entries or
 * findings; for a transaction, also if an entry is no request.
 */
export function readBundle(context: TypeContext, entriesMax: number): SentBundle {
  const { depthMax = 0, elementsMax = 0 } = writeRulesOf(context.type).limits;
  const decoded = decodeBody(context, 'Bundle', {
    depthMax: depthMax + BUNDLE_DEPTH,
    elementsMax: elementsMax * BUNDLE_RESOURCES,
  });
  const { resource: bundle, findings, findingsTotal } = decoded;
  const type = typeOf(bundle);
  const inEntries = Map.groupBy(findings, ({ path }) => entryOf(path, type));
  if (inEntries.has(undefined) || findingsTotal > findings.length) throw refusalOf(decoded, []);
  const sent = Array.isArray(bundle.entry) ? bundle.entry : [];
  const read = sent.map((entry, at) => readEntry(at, entry, inEntries.get(at) ?? [], decoded));
  const problems = problemsOf(type, sent.length, entriesMax);
  if (type !== 'batch') {
    problems.push(...read.flatMap((each) => (isReadable(each) ? [] : withoutRequest(each.at))));
  }
  if (type === undefined || problems.length > 0) {
    throw refusalOf({ findings: [], findingsTotal: 0, isWhole: true }, problems);
  }
  return type === 'batch' ? { type, entries: read } : { type, entries: read.filter(isReadable) };
}

/** The problems of the Bundle itself. */
function problemsOf(
  type: SentBundle['type'] | undefined,
  entries: number,
  entriesMax: number,
): Finding[] {
  const problems: Finding[] = [];
  if (type === undefined) {
    const text = 'The type of the Bundle must be batch or transaction.';
    problems.push({ path: '/f:Bundle/f:type', code: 'value', text });
  }
  if (entries > entriesMax) {
    const text = `The Bundle has ${entries} entries. This server takes at most ${entriesMax}.`;
    problems.push({ path: '/f:Bundle', code: 'too-long', text });
  }
  return problems;
}

/** `findings`: those about this entry. Those in its resource count when the resource is read. */
function readEntry(
  at: number,
  entry: FhirValue,
  findings: readonly Finding[],
  decoded: Decoded,
): SentEntry | RefusedEntry {
  const refusalWith = (own: readonly Finding[], more: readonly Finding[] = []) =>
    refusalOf({ ...decoded, findings: own, findingsTotal: own.length }, more);
  const inResource = findings.filter(({ path }) => IN_RESOURCE.test(path));
  const outside = findings.filter(({ path }) => !IN_RESOURCE.test(path));
  const own = inResource.map((finding) => ({ ...finding, path: inEntry(finding.path) }));
  const request = requestOf(at, entry, own.length === 0 ? undefined : refusalWith(own));
  if (request !== undefined && outside.length === 0) return request;
  const isExplained = request !== undefined || outside.some(({ path }) => IN_REQUEST.test(path));
  const missing = isExplained ? [] : [withoutRequest(at)];
  return { at, method: undefined, refusal: refusalWith(outside, missing) };
}

function isReadable(entry: SentEntry | RefusedEntry): entry is SentEntry {
  return entry.method !== undefined;
}

/** The levels of a Bundle above a resource in it. */
const BUNDLE_DEPTH = 3;

/** A Bundle may have as many elements as this number of resources of the greatest size. */
const BUNDLE_RESOURCES = 10;

function typeOf({ type }: Resource): SentBundle['type'] | undefined {
  return type === 'batch' || type === 'transaction' ? type : undefined;
}

/**
 * The position of the entry that fails because of the place, from 0; undefined if the whole Bundle
 * fails. A transaction fails as a whole if its entries are no requests.
 */
function entryOf(path: string, type: SentBundle['type'] | undefined): number | undefined {
  const position = (type === 'batch' ? IN_ENTRY : IN_RESOURCE).exec(path)?.[1];
  return position === undefined ? undefined : Number(position) - 1;
}

function inEntry(path: string): string {
  return path.replace(IN_RESOURCE, '');
}

const IN_ENTRY = /^\/f:Bundle\/f:entry\[(\d+)\](?=\/|$)/;
const IN_REQUEST = /^\/f:Bundle\/f:entry\[\d+\]\/f:request\//;
const IN_RESOURCE = /^\/f:Bundle\/f:entry\[(\d+)\]\/f:resource(?=\/)/;

/** The XPath of an entry. */
export function entryPath(at: number): string {
  return `/f:Bundle/f:entry[${at + 1}]`;
}

/** The request of an entry. `refusal`: why its resource cannot be read. */
function requestOf(
  at: number,
  entry: FhirValue,
  refusal: FhirError | undefined,
): SentEntry | undefined {
  if (!isObject(entry) || !isObject(entry.request)) return undefined;
  const { request, fullUrl, resource } = entry;
  const { method: sent, url } = request;
  const method = ENTRY_METHODS.find((each) => each === sent);
  if (method === undefined || typeof url !== 'string') return undefined;
  return {
    at,
    method,
    url,
    request,
    ...(typeof fullUrl === 'string' && { fullUrl }),
    ...(isObject(resource) && SENDING.has(method) && { resource }),
    ...(refusal !== undefined && { refusal }),
  };
}

function withoutRequest(at: number): Finding {
  return {
    path: `${entryPath(at)}/f:request`,
    code: 'required',
    text:
      `Bundle.entry[${at}] needs a request with a url and the method ` +
      `${ENTRY_METHODS.slice(0, -1).join(', ')} or ${ENTRY_METHODS.at(-1)}.`,
  };
}
