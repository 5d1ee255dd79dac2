/** Answers to requests: representations with validators, 304 and gzip; downloads; preflights. */

import { hash } from 'node:crypto';
import type { Definitions } from '../definitions/definitions.ts';
import { encodeJson, encodeJsonInPieces } from '../format/json.ts';
import type { AnyResource } from '../format/resource.ts';
import { encodeXml, encodeXmlInPieces } from '../format/xml.ts';
import { acceptsGzip, GZIP_AT_ONCE_BYTES_MAX, gzip, gzipPieces } from '../http/gzip.ts';
import { headerOf, isNotModified } from '../http/headers.ts';
import type { Form } from '../http/negotiate.ts';
import type { InteractionCode } from '../request/interaction-code.ts';
import type { FhirRequest, FhirResponse } from '../request/request.ts';
import type { AnswerOptions, Download, MaybePromise, OpenDownload } from './interaction.ts';
import type { Representation } from './representation.ts';

/** A request, and how the service answers it. */
export interface AnswerContext {
  readonly request: FhirRequest;
  readonly service: AnswerOptions;
  readonly interaction: { readonly code: InteractionCode };
}

/** 200 with the representation, or 304 if the client has it already. Its pieces are not used. */
export function answer(
  context: AnswerContext,
  form: Form,
  representation: Representation,
): FhirResponse {
  const { request, service } = context;
  const interaction = context.interaction.code;
  const { format } = form;
  const { lastUpdated, release } = representation;
  const headers = headersOfAnswer(context, representation);
  if (isKnown(request, representation)) {
    return { status: 304, headers, lastUpdated, interaction, format };
  }
  headers.push('Content-Type', form.contentType);
  const body = representation.body();
  if (!takesGzip(request, service)) {
    return { status: 200, headers, body, release, lastUpdated, interaction, format };
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length < service.gzipMinBytes) {
    return { status: 200, headers, body: bytes, release, interaction, format };
  }
  headers.push('Content-Encoding', 'gzip');
  const compressed = gzipOf(request, bytes, representation.gzipped);
  if (compressed.pieces === undefined) release?.(bytes);
  return { status: 200, headers, ...compressed, interaction, format };
}

/** The gzip of a body, in pieces if it is long. */
function gzipOf(
  { method }: FhirRequest,
  bytes: Uint8Array,
  gzipped: () => Uint8Array = () => gzip(bytes),
): Pick<FhirResponse, 'body' | 'pieces'> {
  if (bytes.length <= GZIP_AT_ONCE_BYTES_MAX) return { body: gzipped() };
  return method === 'HEAD' ? {} : { pieces: gzipPieces([bytes]) };
}

/** The same, in pieces if the representation has them. */
export function answerAtPace(
  context: AnswerContext,
  form: Form,
  representation: Representation,
): MaybePromise<FhirResponse> {
  const { pieces } = representation;
  if (pieces === undefined) return answer(context, form, representation);
  const { request, service } = context;
  const interaction = context.interaction.code;
  const { format } = form;
  const headers = headersOfAnswer(context, representation);
  if (isKnown(request, representation)) return { status: 304, headers, interaction, format };
  const isGzip = takesGzip(request, service);
  headers.push('Content-Type', form.contentType);
  if (isGzip) headers.push('Content-Encoding', 'gzip');
  const head = { status: 200, headers, interaction, format };
  if (request.method === 'HEAD') return head;
  return openPieces(request, pieces, isGzip).then((opened) => ({ ...head, ...opened }));
}

/** Without those that describe the body. */
function headersOfAnswer(
  { request, service }: AnswerContext,
  representation: Representation,
): string[] {
  const { etag, lastModified, contentLocation, preferenceApplied } = representation;
  const headers = ['ETag', etag, ...headersOf(service, request)];
  if (representation.headers !== undefined) headers.push(...representation.headers);
  if (lastModified !== undefined) headers.push('Last-Modified', lastModified);
  if (contentLocation !== undefined) headers.push('Content-Location', contentLocation);
  if (preferenceApplied !== undefined) headers.push('Preference-Applied', preferenceApplied);
  if (isRead(request) && service.cacheControl !== undefined) {
    headers.push('Cache-Control', service.cacheControl);
  }
  return headers;
}

/** Whether the client has the representation. */
function isKnown(
  request: FhirRequest,
  { etag, lastModified, isDateAmbiguous }: Representation,
): boolean {
  const date = isDateAmbiguous ? undefined : lastModified;
  return isRead(request) && isNotModified(request, etag, date);
}

/** Other methods have no conditional answers: RFC 9110, section 13.2.1. */
function isRead({ method }: FhirRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function encodeBody(
  resource: AnyResource,
  { format, isPretty: pretty }: Form,
  definitions: Definitions,
): string {
  return format === 'json'
    ? encodeJson(resource, { pretty })
    : encodeXml(resource, definitions, { pretty });
}

/** The representation that a body identifies. */
export function hashed(body: string): Representation {
  return { etag: `W/"${hash('sha256', body).slice(0, 16)}"`, body: () => body };
}

/** The body in pieces, for answers that can be long. */
export function bodyPieces(
  resource: AnyResource,
  { format, isPretty: pretty }: Form,
  definitions: Definitions,
): Generator<string, void, undefined> {
  return format === 'json'
    ? encodeJsonInPieces(resource, { pretty })
    : encodeXmlInPieces(resource, definitions, { pretty });
}

/** How these bytes are downloaded. */
export function openBytes(bytes: Uint8Array): OpenDownload {
  const etag = `W/"${hash('sha256', bytes).slice(0, 16)}"`;
  return { etag, pieces: (isGzip) => (isGzip ? gzipPieces([bytes]) : [bytes]) };
}

/** 200 with a body that has no validators. Pieces are sent as they are. */
export function answerBody(
  { request, service, interaction }: AnswerContext,
  { format, contentType }: Form,
  content: Pick<FhirResponse, 'body' | 'pieces'>,
): FhirResponse {
  const headers = [...headersOf(service, request), 'Content-Type', contentType];
  const response = { status: 200, headers, ...content, interaction: interaction.code, format };
  const { body } = content;
  if (body === undefined || !takesGzip(request, service)) return response;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length < service.gzipMinBytes) return response;
  headers.push('Content-Encoding', 'gzip');
  const { body: _, ...rest } = response;
  return { ...rest, ...gzipOf(request, bytes) };
}

/** The same with a body that is made while it is sent, or its gzip. */
export async function answerPieces(
  context: AnswerContext,
  form: Form,
  pieces: OpenDownload['pieces'],
): Promise<FhirResponse> {
  const { request, service } = context;
  const isGzip = takesGzip(request, service);
  const { headers, ...rest } = answerBody(context, form, {});
  const sent = isGzip ? [...headers, 'Content-Encoding', 'gzip'] : headers;
  if (request.method === 'HEAD') return { ...rest, headers: sent };
  return { ...rest, headers: sent, ...(await openPieces(request, pieces, isGzip)) };
}

/** The pieces, with the signal that the client has left. */
async function openPieces(
  { addressOf, leftSignal }: FhirRequest,
  pieces: OpenDownload['pieces'],
  isGzip: boolean,
): Promise<Pick<FhirResponse, 'pieces' | 'onClosed'>> {
  const left = new AbortController();
  const opened = pieces(isGzip, addressOf, left.signal);
  const onClosed = () => left.abort();
  if (!(opened instanceof Promise)) return { pieces: opened, onClosed };
  // A client that leaves while it waits for a place gives up its turn.
  const gone = leftSignal?.();
  const leave = () => left.abort(gone?.reason);
  gone?.addEventListener('abort', leave, { once: true });
  try {
    return { pieces: await opened, onClosed };
  } finally {
    gone?.removeEventListener('abort', leave);
  }
}

/** 200 with the download, or 304. `interaction` is the label in metrics. */
export async function answerDownload(
  request: FhirRequest,
  service: AnswerOptions,
  download: Pick<Download, 'contentType' | 'isCompressed' | 'open'>,
  interaction = 'download',
): Promise<FhirResponse> {
  const { etag, lastModified, pieces, release, headers: more = [] } = download.open();
  const headers = ['ETag', etag, ...headersOf(service, request), ...more];
  if (lastModified !== undefined) headers.push('Last-Modified', lastModified);
  if (service.cacheControl !== undefined) headers.push('Cache-Control', service.cacheControl);
  if (isNotModified(request, etag, lastModified)) return { status: 304, headers, interaction };
  headers.push('Content-Type', download.contentType);
  const isGzip = download.isCompressed !== true && takesGzip(request, service);
  if (isGzip) headers.push('Content-Encoding', 'gzip');
  if (request.method === 'HEAD') return { status: 200, headers, interaction };
  const opened = await openPieces(request, pieces, isGzip);
  return { status: 200, headers, interaction, release, ...opened };
}

/** Whether the request is a CORS preflight of the Fetch standard. */
export function isPreflight(request: FhirRequest): boolean {
  return (
    headerOf(request, 'origin') !== undefined &&
    headerOf(request, 'access-control-request-method') !== undefined
  );
}

/** Tells a browser whether a page of another origin may send the request. */
export function preflight(
  request: FhirRequest,
  service: AnswerOptions,
  allow: string,
): FhirResponse {
  const headers = headersOf(service, request);
  const isOpen = headers.includes('Access-Control-Allow-Origin');
  return {
    status: 204,
    interaction: 'preflight',
    headers: ['Allow', allow, ...(isOpen ? preflightHeaders(allow, service) : []), ...headers],
  };
}

function preflightHeaders(
  allow: string,
  { corsRequestHeaders = [] }: AnswerOptions,
): readonly string[] {
  return [
    'Access-Control-Allow-Methods',
    allow,
    'Access-Control-Allow-Headers',
    [REQUEST_HEADERS, ...corsRequestHeaders].join(', '),
    'Access-Control-Max-Age',
    '86400',
  ];
}

const REQUEST_HEADERS =
  'Accept, apikey, Authorization, Cache-Control, Content-Type, If-Match, If-Modified-Since, ' +
  'If-None-Exist, If-None-Match, If-Unmodified-Since, Pragma, Prefer, traceparent, tracestate, ' +
  'X-Request-Id, X-Requested-With';

/** The headers of every answer of a service. Pages of the allowed origins may read the answer. */
export function headersOf(service: AnswerOptions, request: FhirRequest): readonly string[] {
  const { headers, corsOrigins = [] } = service;
  if (corsOrigins.length === 0) return headers;
  const origin = headerOf(request, 'origin');
  if (origin === undefined || !corsOrigins.includes(origin)) return [...headers, 'Vary', 'Origin'];
  return [
    ...headers,
    'Vary',
    'Origin',
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Expose-Headers',
    EXPOSED_HEADERS,
  ];
}

/** The headers of an answer that scripts of pages may read. */
export const EXPOSED_HEADERS =
  'ETag, Location, Content-Location, Last-Modified, X-Request-Id, Retry-After';

/** Whether the client accepts gzip, and the service compresses its answers. */
export function takesGzip(request: FhirRequest, service: AnswerOptions): boolean {
  if (service.gzipMinBytes === 0) return false;
  const accepted = headerOf(request, 'accept-encoding');
  return accepted !== undefined && acceptsGzip(accepted);
}
