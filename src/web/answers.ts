/** The parts that requests and answers of the pages share: parameters, headers, downloads. */
import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Edition } from '../directory/edition/edition.ts';
import { acceptsGzip, gzip } from '../fhir/http/gzip.ts';
import { matchesEtag } from '../fhir/http/headers.ts';
import { NO_EDITION } from './problems.ts';
import type { Answering, AppOptions } from './web-options.ts';

/**
 * Pages load only files of this server, contain no scripts and cannot be framed. There is neither
 * upgrade-insecure-requests nor HSTS, because a server without TLS would become unreachable.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The design system and the API's documentation draw small icons from data.
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A picture may contain styles and nothing else, also when it is opened alone. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export const HTML = 'text/html; charset=utf-8';
export const SVG = 'image/svg+xml';

/** Headers that depend only on the content type. */
export function setHeaders(reply: FastifyReply, contentType: string): void {
  reply.type(contentType).headers(SAFE_HEADERS);
  if (contentType === HTML) reply.header('Content-Security-Policy', PAGE_POLICY);
  if (contentType === SVG) reply.header('Content-Security-Policy', PICTURE_POLICY);
}

/** To another page, whose content may change. */
export function redirect(reply: FastifyReply, target: string): FastifyReply {
  return reply.header('Cache-Control', 'no-cache').redirect(target, 303);
}

/** For smaller answers, gzip saves too little. */
const GZIP_BYTES_MIN = 1024;

/** Answers with a text: 304 if the client has it, gzip if the client accepts gzip. */
export function finishReply(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): string | Uint8Array {
  reply.header('Vary', 'Accept-Encoding');
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-cache');
  if (reply.statusCode === 200) {
    const etag = `W/"${hash('sha256', text).slice(0, ETAG_LENGTH)}"`;
    if (isKept(request, reply, etag)) return '';
  }
  const { 'accept-encoding': accepted } = request.headers;
  if (text.length < GZIP_BYTES_MIN || typeof accepted !== 'string' || !acceptsGzip(accepted)) {
    return text;
  }
  reply.header('Content-Encoding', 'gzip');
  return gzip(Buffer.from(text));
}

const ETAG_LENGTH = 24;

/** Sets the entity tag. If the client has this answer, changes it to 304 without a body. */
export function isKept(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('ETag', etag);
  if (!matchesEtag(request.headers['if-none-match'] ?? '', etag)) return false;
  reply.code(304).removeHeader('Content-Type');
  return true;
}

/** The parameters of the query. */
export function parametersOf(request: FastifyRequest): URLSearchParams {
  const question = request.url.indexOf('?');
  return new URLSearchParams(question < 0 ? '' : request.url.slice(question + 1));
}

/** A parameter of the path; empty if the path has none of this name. */
export function parameterOf({ params }: FastifyRequest, name: string): string {
  const value = typeof params === 'object' && params !== null ? Reflect.get(params, name) : '';
  return typeof value === 'string' ? value : '';
}

/** A handler for a page that needs an edition. Without one, the answer says how to import one. */
export function withEdition(
  { editions }: Pick<AppOptions, 'editions'>,
  { fail }: Answering,
  page: (edition: Edition, request: FastifyRequest, reply: FastifyReply) => unknown,
) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const edition = editions.current();
    return edition === undefined ? fail(reply, NO_EDITION) : page(edition, request, reply);
  };
}

export function download(
  reply: FastifyReply,
  csv: string | Buffer | Readable,
  fileName: string,
): FastifyReply {
  setHeaders(reply, 'text/csv; charset=utf-8');
  return reply.header('Content-Disposition', `attachment; filename="${fileName}"`).send(csv);
}

/** `bytes` are gzip. Clients that do not accept gzip get them uncompressed, piece by piece. */
export function downloadCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  fileName: string,
): FastifyReply {
  reply.header('Vary', 'Accept-Encoding');
  const { 'accept-encoding': accepted } = request.headers;
  if (typeof accepted === 'string' && acceptsGzip(accepted)) {
    return download(reply.header('Content-Encoding', 'gzip'), bytes, fileName);
  }
  const plain = createGunzip();
  plain.end(bytes);
  return download(reply, plain, fileName);
}
