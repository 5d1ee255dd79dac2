/** The parts that all answers of the pages share: headers, validators, compression. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip, gzip } from '../fhir/http/gzip.ts';
import { matchesEtag } from '../fhir/http/headers.ts';

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
