/** Reads the Bundle of a batch or transaction. https://hl7.org/fhir/DSTU2/bundle.html */

import { type FhirObject, isObject, type Resource } from '../format/resource.ts';
import type { FhirError } from '../request/fhir-error.ts';
import type { Finding } from '../request/finding.ts';
import type { TypeContext } from '../service/interaction.ts';
import { decodeBody, refusalOf } from '../service/resource-body.ts';
import { writeRulesOf } from '../service/stored-resource.ts';

export interface SentBundle {
  readonly type: 'batch' | 'transaction';
  readonly entries: readonly SentEntry[];
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

/** Throws a FhirError if the body is not a Bundle with requests. */
export function readBundle(context: TypeContext, entriesMax: number): SentBundle {
  const { depthMax = 0, elementsMax = 0 } = writeRulesOf(context.type).limits;
  const decoded = decodeBody(context, 'Bundle', {
    depthMax: depthMax + BUNDLE_DEPTH,
    elementsMax: elementsMax * BUNDLE_RESOURCES,
  });
  const { resource: bundle, findings, findingsTotal } = decoded;
  const inResources = Map.groupBy(findings, ({ path }) => entryOf(path));
  if (inResources.has(undefined) || findingsTotal > findings.length) throw refusalOf(decoded, []);
  const problems: Finding[] = [];
  const type = typeOf(bundle);
  if (type === undefined) {
    const text = 'The type of the Bundle must be batch or transaction.';
    problems.push({ path: '/f:Bundle/f:type', code: 'value', text });
  }
  const sent = Array.isArray(bundle.entry) ? bundle.entry : [];
  if (sent.length > entriesMax) {
    const text = `The Bundle has ${sent.length} entries. This server takes at most ${entriesMax}.`;
    problems.push({ path: '/f:Bundle', code: 'too-long', text });
  }
  const entries = sent.map((entry, at): SentEntry | undefined => {
    const own = inResources
      .get(at)
      ?.map((finding) => ({ ...finding, path: inEntry(finding.path) }));
    const refusal = own && refusalOf({ ...decoded, findings: own, findingsTotal: own.length }, []);
    const read = isObject(entry) ? entryAt(at, entry, refusal) : undefined;
    if (read === undefined) problems.push(withoutRequest(at));
    return read;
  });
  if (type === undefined || problems.length > 0) {
    throw refusalOf({ findings: [], findingsTotal: 0, isWhole: true }, problems);
  }
  return { type, entries: entries.filter((entry) => entry !== undefined) };
}

/** The levels of a Bundle above a resource in it. */
const BUNDLE_DEPTH = 3;

/** A Bundle may have as many elements as this number of resources of the greatest size. */
const BUNDLE_RESOURCES = 10;

function typeOf({ type }: Resource): SentBundle['type'] | undefined {
  return type === 'batch' || type === 'transaction' ? type : undefined;
}

/** The entry that has the place in its resource. */
function entryOf(path: string): number | undefined {
  const position = IN_RESOURCE.exec(path)?.[1];
  return position === undefined ? undefined : Number(position) - 1;
}

function inEntry(path: string): string {
  return path.replace(IN_RESOURCE, '');
}

const IN_RESOURCE = /^\/f:Bundle\/f:entry\[(\d+)\]\/f:resource(?=\/)/;

/** The XPath of an entry. */
export function entryPath(at: number): string {
  return `/f:Bundle/f:entry[${at + 1}]`;
}

/** Undefined if the entry has no request. */
function entryAt(
  at: number,
  { request, fullUrl, resource }: FhirObject,
  refusal: FhirError | undefined,
): SentEntry | undefined {
  if (!isObject(request)) return undefined;
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
