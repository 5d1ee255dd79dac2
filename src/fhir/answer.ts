/** Representations as answers: validators, 304, gzip; and what is asked before a request. */
import { acceptsGzip, GZIP_AT_ONCE_BYTES_MAX, gzip, gzipPieces } from './gzip.ts';
import { isNotModified } from './headers.ts';
import type { Form } from './negotiate.ts';
import { type FhirRequest, type FhirResponse, headerOf } from './request.ts';
import type { Document, Representation, Service } from './service.ts';

/** 200 with the representation, or 304 when the client has it already. */
export function answer(
  request: FhirRequest,
  service: Service,
  form: Form,
  interaction: string,
  representation: Representation,
): FhirResponse {
  const { etag, lastModified, contentLocation, preferenceApplied } = representation;
  const headers = ['ETag', etag, ...headersOf(service, request)];
  if (lastModified !== undefined) headers.push('Last-Modified', lastModified);
  if (contentLocation !== undefined) headers.push('Content-Location', contentLocation);
  if (preferenceApplied !== undefined) headers.push('Preference-Applied', preferenceApplied);
  // Other methods have no conditional answers: RFC 9110, section 13.2.1.
  if (request.method === 'GET' || request.method === 'HEAD') {
    if (service.cacheControl !== undefined) headers.push('Cache-Control', service.cacheControl);
    const date = representation.isDateAmbiguous ? undefined : lastModified;
    if (isNotModified(request, etag, date)) {
      return { status: 304, headers, interaction, format: form.format };
    }
  }
  headers.push('Content-Type', form.contentType);
  const { format } = form;
  const body = representation.body();
  const { release } = representation;
  if (!takesGzip(request, service)) {
    return { status: 200, headers, body, release, interaction, format };
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length < service.gzipMinBytes) {
    return { status: 200, headers, body: bytes, release, interaction, format };
  }
  headers.push('Content-Encoding', 'gzip');
  if (bytes.length <= GZIP_AT_ONCE_BYTES_MAX) {
    const compressed = representation.gzipped?.() ?? gzip(bytes);
    release?.(bytes);
    return { status: 200, headers, body: compressed, interaction, format };
  }
  if (request.method === 'HEAD') {
    release?.(bytes);
    return { status: 200, headers, interaction, format };
  }
  return { status: 200, headers, pieces: gzipPieces([bytes]), interaction, format };
}

/** What is outside of FHIR's addresses comes in its one media type, whatever is accepted. */
export function answerDocument(
  request: FhirRequest,
  service: Service,
  document: Document,
): FhirResponse {
  const { method } = request;
  const { etag, lastModified, pieces } = document.open();
  const headers = ['ETag', etag, ...headersOf(service, request)];
  if (lastModified !== undefined) headers.push('Last-Modified', lastModified);
  if (service.cacheControl !== undefined) headers.push('Cache-Control', service.cacheControl);
  const interaction = 'document';
  if (isNotModified(request, etag, lastModified)) return { status: 304, headers, interaction };
  headers.push('Content-Type', document.contentType);
  const isGzip = takesGzip(request, service);
  if (isGzip) headers.push('Content-Encoding', 'gzip');
  if (method === 'HEAD') return { status: 200, headers, interaction };
  return {
    status: 200,
    headers,
    pieces: pieces(isGzip),
    interaction,
  };
}

/** Whether the request is a CORS preflight of the Fetch standard. */
export function isPreflight(request: FhirRequest): boolean {
  return (
    headerOf(request, 'origin') !== undefined &&
    headerOf(request, 'access-control-request-method') !== undefined
  );
}

/** What a browser asks before it lets a page of another origin read or write. */
export function preflight(request: FhirRequest, service: Service, allow: string): FhirResponse {
  const headers = headersOf(service, request);
  const isOpen = headers.includes('Access-Control-Allow-Origin');
  return {
    status: 204,
    interaction: 'preflight',
    headers: ['Allow', allow, ...(isOpen ? preflightHeaders(allow) : []), ...headers],
  };
}

function preflightHeaders(allow: string): readonly string[] {
  return [
    'Access-Control-Allow-Methods',
    allow,
    'Access-Control-Allow-Headers',
    'Accept, Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Exist, ' +
      'If-None-Match, If-Unmodified-Since, Prefer, X-Request-Id',
    'Access-Control-Max-Age',
    '86400',
  ];
}

/** The headers of every answer of a service: pages of named origins are told that they may read it. */
export function headersOf(service: Service, request: FhirRequest): readonly string[] {
  const { headers, corsOrigins = [] } = service;
  if (corsOrigins.length === 0) return headers;
  const origin = headerOf(request, 'origin');
  if (origin === undefined || !corsOrigins.includes(origin)) return [...headers, 'Vary', 'Origin'];
  return [
    ...headers,
    ...['Vary', 'Origin', 'Access-Control-Allow-Origin', origin],
    'Access-Control-Expose-Headers',
    EXPOSED_HEADERS,
  ];
}

/** What scripts of pages may see of an answer's headers. */
export const EXPOSED_HEADERS =
  'ETag, Location, Content-Location, Last-Modified, X-Request-Id, Retry-After';

function takesGzip(request: FhirRequest, service: Service): boolean {
  if (service.gzipMinBytes === 0) return false;
  const accepted = headerOf(request, 'accept-encoding');
  return accepted !== undefined && acceptsGzip(accepted);
}
