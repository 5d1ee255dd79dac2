/** A Subscription as plain values. https://hl7.org/fhir/DSTU2/subscription.html */
import {
  type FhirObject,
  type FhirValue,
  isObject,
  type Resource,
} from '../../fhir/format/resource.ts';
import type { Format } from '../../fhir/http/negotiate.ts';
import type { ResourceCriterion } from '../../fhir/search/criterion.ts';
import { parseSearchQuery } from '../../fhir/search/parse-search-query.ts';
import { conditionDefinition, type ResourceSearch } from '../../fhir/search/resource-search.ts';

export const SUBSCRIPTION = 'Subscription';

/** https://hl7.org/fhir/DSTU2/valueset-subscription-status.html */
export const STATUS_CODES = ['requested', 'active', 'error', 'off'] as const;

export type SubscriptionStatus = (typeof STATUS_CODES)[number];

const EXTENSIONS = 'https://gazetteer-fhir.example/StructureDefinition';

/** An extension of `channel`: the secret that signs notifications. Reads show a mask. */
export const SECRET_URL = `${EXTENSIONS}/subscription-secret`;

/** An extension of `channel`, which the server adds: what the masks hide, encrypted. */
export const SEAL_URL = `${EXTENSIONS}/subscription-seal`;

/** What a read shows in place of a secret, and what a client sends to keep it. */
export const MASK = '***';

/** The body of notifications. */
export type Payload = Format | 'none';

export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** By media type without parameters. A blank payload, or one without a value, sends no body. */
const PAYLOADS: ReadonlyMap<string, Payload> = new Map([
  ['', 'none'],
  ...['application/json', 'application/fhir+json', 'application/json+fhir'].map(
    (type) => [type, 'json'] as const,
  ),
  ...['application/xml', 'application/fhir+xml', 'application/xml+fhir'].map(
    (type) => [type, 'xml'] as const,
  ),
]);

/** Undefined if the server cannot send such a body. */
export function payloadOf(channel: FhirObject): Payload | undefined {
  return PAYLOADS.get(mediaTypeOf(channel));
}

/**
 * The lines of `channel.header`: `Name: value`, one or more. Undefined if one is not a header that
 * a subscription may set, or has the name of another.
 */
export function headerLines(text: string): readonly HeaderLine[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const parsed = lines.flatMap((line) => {
    const [, name, value] = HEADER_FORM.exec(line) ?? [];
    return name === undefined || value === undefined || OWN_HEADERS.test(name)
      ? []
      : [{ name, value: value.trim() }];
  });
  const names = new Set(parsed.map(({ name }) => name.toLowerCase()));
  return names.size === lines.length ? parsed : undefined;
}

const HEADER_FORM = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e]+)$/;

/** The server sets these headers itself. */
const OWN_HEADERS =
  /^(host|connection|content-.*|transfer-encoding|expect|te|trailer|upgrade|keep-alive|gazetteer-.*)$/i;

export function headerText(lines: readonly HeaderLine[]): string {
  return lines.map(({ name, value }) => `${name}: ${value}`).join('\n');
}

export function channelOf({ channel }: Resource): FhirObject {
  return isObject(channel) ? channel : {};
}

/** The text of an extension of the channel; undefined if it has none. */
export function extensionText(channel: FhirObject, url: string): string | undefined {
  const found = extensionsOf(channel).find((each) => each.url === url)?.valueString;
  return typeof found === 'string' ? found : undefined;
}

export function extensionsOf({ extension }: FhirObject): readonly FhirObject[] {
  return Array.isArray(extension) ? extension.filter(isObject) : [];
}

export function plainText(value: FhirValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
/** The resource with another status. `error`: what went wrong; absent: nothing. */
export function withStatus(
  resource: Resource,
  status: SubscriptionStatus,
  error: string | undefined,
): Resource {
  const entries = Object.entries(resource).flatMap(([name, value]): [string, FhirValue][] => {
    if (name === 'error' || name === '_error') return [];
    if (name !== 'status') return value === undefined ? [] : [[name, value]];
    return [[name, status], ...(error === undefined ? [] : [['error', error] as [string, string]])];
  });
  return Object.fromEntries(entries) as Resource;
}

/** What the deliveries of a subscription need besides its seal. */
export interface ActiveSubscription {
  readonly id: string;
  readonly criteria: SubscriptionCriteria;
  readonly endpoint: string;
  readonly payload: Payload;
  /** Of a body, without parameters. */
  readonly mediaType: string;
  /** When the subscription ends; milliseconds since 1970. Absent: never. */
  readonly endMs?: number;
}

/** Undefined if the server no longer understands the resource, which another version checked. */
export function activeSubscription(
  resource: Resource,
  id: string,
  options: CriteriaOptions,
): ActiveSubscription | undefined {
  const channel = channelOf(resource);
  const payload = payloadOf(channel);
  const endMs = Date.parse(plainText(resource.end));
  try {
    const criteria = parseCriteria(plainText(resource.criteria), options);
    const endpoint = plainText(channel.endpoint);
    if (criteria === undefined || payload === undefined || !URL.canParse(endpoint))
      return undefined;
    return {
      id,
      criteria,
      endpoint,
      payload,
      mediaType: mediaTypeOf(channel),
      ...(!Number.isNaN(endMs) && { endMs }),
    };
  } catch {
    return undefined;
  }
}

function mediaTypeOf({ payload }: FhirObject): string {
  const [type = ''] = plainText(payload).split(';');
  return type.trim().toLowerCase();
}

/** The resources that a subscription is about. */
export interface SubscriptionCriteria {
  readonly type: string;
  readonly criteria: readonly ResourceCriterion[];
}

export interface CriteriaOptions {
  /** The types that can be subscribed to. */
  readonly searches: ReadonlyMap<string, ResourceSearch>;
  /** The base of the service, without a slash at the end. */
  readonly baseUrl: string;
}

/**
 * Undefined if the text does not begin with a type that can be subscribed to. Throws a FhirError
 * with every problem of the parameters. Without parameters, every resource matches.
 */
export function parseCriteria(
  text: string,
  { searches, baseUrl }: CriteriaOptions,
): SubscriptionCriteria | undefined {
  const [, type = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(text.trim()) ?? [];
  const search = searches.get(type);
  if (search === undefined) return undefined;
  const form = { format: 'json', isPretty: false, contentType: '' } as const;
  const request = { query, isLenient: false, form, formIssue: undefined };
  // Without the parameters of answers, such as _format: there is no answer.
  const definition = { ...conditionDefinition(search), parameters: search.parameters };
  const parsed = parseSearchQuery(request, definition, { baseUrl });
  return { type, criteria: parsed.query.criteria };
}
