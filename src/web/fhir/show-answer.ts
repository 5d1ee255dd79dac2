/** Shows the answers of FHIR services as pages, to people who open a FHIR address in a browser. */
import { hash } from 'node:crypto';
import type { AnswerPages, FhirExchange } from '../../fhir/handle.ts';
import { GZIP_AT_ONCE_BYTES_MAX, gzip, gzipPieces } from '../../fhir/http/gzip.ts';
import type { FhirRequest, FhirResponse } from '../../fhir/request/request.ts';
import { takesGzip } from '../../fhir/service/answer.ts';
import { HTML, headersFor, PAGE_ANSWERS } from '../parts/answers.ts';
import { faultProblem } from '../parts/problems.ts';
import type { WebContext } from '../parts/web-options.ts';
import { answerPage } from './answer-page.ts';
import { requestForJson, tagOfPage } from './page-request.ts';
import { readAnswer } from './read-answer.ts';

/**
 * A page has the beginning of a longer answer, and a link to all of it. With its colours and links,
 * this much JSON becomes four to six times as much HTML.
 */
const SHOWN_BYTES_MAX = 256 * 1024;

export function createShowAnswer(context: WebContext): AnswerPages['showAnswer'] {
  const { fail, labelOf } = context;
  const tagEndOf = createTagEnd(context);
  return async (exchange) => {
    const { request, service, answer, onFault } = exchange;
    try {
      const edition = await labelOf();
      const tagEnd = tagEndOf(edition);
      const plain = await answer(requestForJson(request, service, tagEnd));
      return await pageOf(exchange, plain, { ...context, edition, tagEnd });
    } catch (error) {
      // Not that of the pages: the log has no message of an error about order responses.
      onFault(error, request);
      return fail(faultProblem(request.id));
    }
  };
}

interface PageContext extends WebContext {
  /** For the footer. */
  readonly edition: object | undefined;
  readonly tagEnd: string;
}

const TEMPLATE = 'fhir/answer.njk';

/**
 * What the tag of a page has after the tag of its JSON. It changes with the layout and with the
 * footer, since a page then is another one.
 */
function createTagEnd({ render }: WebContext): (edition: object | undefined) => string {
  let known = { label: '', tagEnd: '' };
  return (edition) => {
    const label = JSON.stringify(edition) ?? 'none';
    if (known.label !== label) {
      const layout = hash('sha256', render(TEMPLATE, { edition }));
      known = { label, tagEnd: `-html-${layout.slice(0, 8)}` };
    }
    return known.tagEnd;
  };
}

async function pageOf(
  exchange: FhirExchange,
  plain: FhirResponse,
  context: PageContext,
): Promise<FhirResponse> {
  const { request } = exchange;
  const { edition, tagEnd, render } = context;
  const { status, interaction, waitedMs } = plain;
  const hasBody = plain.body !== undefined || plain.pieces !== undefined;
  const answered = { status, headers: pageHeaders(plain, tagEnd), interaction, waitedMs };
  if (request.method === 'HEAD' || !hasBody) {
    plain.onClosed?.();
    return answered;
  }
  const text = await readAnswer(plain, SHOWN_BYTES_MAX);
  const data = await answerPage(exchange, plain, text, context);
  const page = render(TEMPLATE, { edition, ...data });
  return { ...answered, ...bodyOf(request, page, answered.headers) };
}

/** The headers of the plain answer, with those of a page in place of what describes its body. */
function pageHeaders({ status, headers }: FhirResponse, tagEnd: string): readonly string[] {
  const others: string[] = [];
  const vary = new Set(['Accept', 'Accept-Encoding']);
  let cacheControl = 'no-cache';
  for (let i = 0; i < headers.length; i += 2) {
    const [name = '', value = ''] = headers.slice(i, i + 2);
    const lower = name.toLowerCase();
    if (lower === 'vary') for (const each of value.split(/, */)) vary.add(each);
    else if (lower === 'cache-control') cacheControl = value;
    else if (lower === 'etag') others.push('ETag', tagOfPage(value, tagEnd));
    else if (!OF_THE_BODY.has(lower)) others.push(name, value);
  }
  const own = headersFor(HTML, cacheControl);
  const at = own.indexOf('Vary');
  own[at + 1] = [...vary].join(', ');
  return status === 304 ? [...own, ...others] : [...own, ...others, 'Content-Type', HTML];
}

/** Headers that a page has in its own way, or not at all. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  'content-type',
  'content-encoding',
  'last-modified',
  'x-content-type-options',
]);

function bodyOf(
  request: FhirRequest,
  page: string,
  headers: readonly string[],
): Pick<FhirResponse, 'headers' | 'body' | 'pieces'> {
  if (!takesGzip(request, PAGE_ANSWERS)) return { headers, body: page };
  const bytes = Buffer.from(page);
  const compressed = [...headers, 'Content-Encoding', 'gzip'];
  if (bytes.length > GZIP_AT_ONCE_BYTES_MAX) {
    return { headers: compressed, pieces: gzipPieces([bytes]) };
  }
  return { headers: compressed, body: gzip(bytes) };
}
