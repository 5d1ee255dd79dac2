/** The answers that pages share: texts, redirections, and their headers. */
import { hash } from 'node:crypto';
import type { Edition } from '../../directory/edition/edition.ts';
import { gzip } from '../../fhir/http/gzip.ts';
import { isNotModified } from '../../fhir/http/headers.ts';
import { ERROR_ROWS, FhirError } from '../../fhir/request/fhir-error.ts';
import type { FhirResponse } from '../../fhir/request/request.ts';
import { takesGzip } from '../../fhir/service/answer.ts';
import type { AnswerOptions, MaybePromise, OpenDownload } from '../../fhir/service/interaction.ts';
import { NO_EDITION } from './problems.ts';
import type { PageRequest, PageRoute, TitledPage, WebContext } from './web-options.ts';

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

export const HTML = 'text/html; charset=utf-8';
export const SVG = 'image/svg+xml';
export const JSON_TYPE = 'application/json; charset=utf-8';
export const CSV = 'text/csv; charset=utf-8';
export const PLAIN_TEXT = 'text/plain; charset=utf-8';

const POLICIES: Readonly<Record<string, string>> = { [HTML]: PAGE_POLICY, [SVG]: PICTURE_POLICY };

/** For smaller answers, gzip saves too little. */
const GZIP_BYTES_MIN = 1024;

export const PAGE_ANSWERS: AnswerOptions = {
  headers: [
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'same-origin',
    'Cross-Origin-Opener-Policy',
    'same-origin',
    'Cross-Origin-Resource-Policy',
    'same-origin',
    'Vary',
    'Accept-Encoding',
  ],
  cacheControl: 'no-cache',
  gzipMinBytes: GZIP_BYTES_MIN,
};

/** The headers of every answer of a type, and how long clients may keep the answer. */
export function headersFor(contentType: string, cacheControl: string): string[] {
  const policy = POLICIES[contentType];
  return [
    ...PAGE_ANSWERS.headers,
    ...(policy === undefined ? [] : ['Content-Security-Policy', policy]),
    'Cache-Control',
    cacheControl,
  ];
}

/** Answers with a text: 304 if the client has it, gzip if the client accepts gzip. */
export function answerText(
  { request }: PageRequest,
  contentType: string,
  text: string,
  { status = 200, headers: more = [] }: Partial<Pick<FhirResponse, 'status' | 'headers'>> = {},
): FhirResponse {
  const headers = [...headersFor(contentType, 'no-cache'), ...more];
  if (status === 200) {
    const etag = `W/"${hash('sha256', text).slice(0, ETAG_LENGTH)}"`;
    headers.push('ETag', etag);
    if (isNotModified(request, etag, undefined)) return { status: 304, headers };
  }
  headers.push('Content-Type', contentType);
  if (text.length < GZIP_BYTES_MIN || !takesGzip(request, PAGE_ANSWERS)) {
    return { status, headers, body: text };
  }
  headers.push('Content-Encoding', 'gzip');
  return { status, headers, body: gzip(Buffer.from(text)) };
}

/**
 * Answers with pieces as they are made, not compressed: a browser shows each of them at once. Only it
 * keeps them, so that Back shows them again.
 */
export async function answerInPieces(
  { request }: PageRequest,
  contentType: string,
  open: OpenDownload['pieces'],
  more: readonly string[] = [],
): Promise<FhirResponse> {
  const left = new AbortController();
  const pieces = await open(false, request.addressOf, left.signal);
  return {
    status: 200,
    headers: [
      ...headersFor(contentType, 'private, no-cache'),
      ...more,
      'Content-Type',
      contentType,
    ],
    pieces,
    onClosed: () => left.abort(),
  };
}

const ETAG_LENGTH = 24;

/** The header of a file that a browser saves: its name, followed by its value. */
export function asFile(name: string): readonly string[] {
  return ['Content-Disposition', `attachment; filename="${name}"`];
}

/** To another page, whose content may change. */
export function redirect(target: string): FhirResponse {
  return { status: 303, headers: ['Location', target, 'Cache-Control', 'no-cache'], body: '' };
}

/** A path that needs an edition. Without one, the answer says how to import one. */
export function editionRoute(
  { editions, fail }: WebContext,
  path: string,
  answer: (edition: Edition, asked: PageRequest) => MaybePromise<FhirResponse>,
): PageRoute {
  return {
    path,
    answer: (asked) => {
      const edition = editions.current();
      return edition === undefined ? fail(NO_EDITION) : answer(edition, { ...asked, edition });
    },
  };
}

/** A title is the first that a screen reader says of a page. */
export function errorTitle({ title }: Pick<TitledPage, 'title'>): string {
  return `Error: ${title}`;
}

/**
 * Answers with a page and what `find` adds to it: results, or the problem of a parameter as a
 * sentence, which `problemOf` can put at its field.
 */
export async function showFound(
  { show }: WebContext,
  asked: PageRequest,
  template: string,
  page: TitledPage,
  find: () => MaybePromise<object>,
  problemOf: (text: string) => object = (problem) => ({ problem }),
): Promise<FhirResponse> {
  try {
    return show(asked, template, { ...page, ...(await find()) });
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    const [{ kind, diagnostics }] = error.issues;
    const problem = { title: errorTitle(page), ...problemOf(diagnostics) };
    const { headers } = error;
    const { status } = ERROR_ROWS[kind];
    return show(asked, template, { ...page, ...problem }, { status, headers });
  }
}
