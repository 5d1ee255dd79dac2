/** What the page of a FHIR address shows. */
import { headerOf } from '../../fhir/http/headers.ts';
import { STATUS_CODES } from '../../fhir/request/node-http.ts';
import type { FhirRequest, FhirResponse } from '../../fhir/request/request.ts';
import type { Service } from '../../fhir/service/interaction.ts';
import { problemTitle } from '../parts/show-error.ts';
import type { WebContext } from '../parts/web-options.ts';
import { highlightJson } from './highlight-json.ts';
import { addressIn, curlOf, pageAddressOf } from './page-request.ts';
import type { AnswerText } from './read-answer.ts';
import {
  createResourceMarks,
  linkedSentence,
  notesIn,
  type ResourceFacts,
} from './resource-marks.ts';

/** `answer`: that of the request in JSON. */
export async function answerPage(
  { request, service }: { readonly request: FhirRequest; readonly service: Service },
  answer: FhirResponse,
  { text, isWhole }: AnswerText,
  { addresses, orders }: WebContext,
): Promise<object> {
  const { markOf, facts } = createResourceMarks(service);
  const json = await highlightJson(text, markOf);
  const address = pageAddressOf(request);
  const access = accessOf(request, answer, service);
  const type = facts.get('resourceType') ?? '';
  return {
    title: answer.status < 400 ? titleOf(facts) : refusedTitle(answer.status, access),
    face: service.title,
    base: service.baseUrl === service.serverUrl ? undefined : new URL(service.baseUrl).pathname,
    method: request.method,
    address,
    status: answer.status,
    statusText: STATUS_CODES[answer.status] ?? '',
    isError: answer.status >= 400,
    issues: issuesOf(type, facts).map((issue) => linkedSentence(issue, service)),
    access: answer.status === 401 && {
      ...access,
      tokenUrl: service.tokenIssuer?.tokenUrl,
      triesOrders: orders !== undefined && addresses.orders === `${service.baseUrl}/OrderResponse`,
      givesTokens: orders?.createToken !== undefined,
    },
    json: addressIn('json', address),
    xml: addressIn('xml', address),
    organization: type === 'Organization' && addresses.organization(facts.get('id') ?? ''),
    pages: type === 'Bundle' ? bundlePages(facts, markOf) : {},
    headers: headerLines(answer.headers, request.id),
    curl: curlOf(request, service, access),
    resource: json,
    isWhole,
    fileName: `${type === '' ? 'answer' : type}.json`,
  };
}

/** What the request needs beside its address: as it had it, or as the answer demands it. */
function accessOf(request: FhirRequest, { status, headers }: FhirResponse, service: Service) {
  const isRefused = status === 401;
  const asksForToken = headers.some((name, i) => i % 2 === 0 && /^www-authenticate$/i.test(name));
  return {
    token: headerOf(request, 'authorization') !== undefined || (isRefused && asksForToken),
    apiKey:
      headerOf(request, 'apikey') !== undefined ||
      (isRefused && !asksForToken && service.checkApiKey !== undefined),
  };
}

function refusedTitle(status: number, { apiKey }: { readonly apiKey: boolean }): string {
  if (status !== 401) return problemTitle(status);
  return apiKey ? 'You need an API key' : 'You need a token';
}

function titleOf(facts: ResourceFacts): string {
  const type = facts.get('resourceType') ?? 'Answer';
  const total = facts.get('total');
  if (type !== 'Bundle') return `${type} ${facts.get('id') ?? ''}`.trim();
  if (total === undefined) return `${type} (${facts.get('type')})`;
  return `${type} (${facts.get('type')}) of ${total} ${total === '1' ? 'resource' : 'resources'}`;
}

/** The sentences of an OperationOutcome, or of those in a Bundle. */
function issuesOf(type: string, facts: ResourceFacts): readonly string[] {
  if (type !== 'OperationOutcome') return notesIn(facts);
  return eachOf(facts, 'issue', 'severity').map((start) => {
    const diagnostics = facts.get(`${start}diagnostics`);
    return diagnostics ?? facts.get(`${start}details.text`) ?? facts.get(`${start}code`) ?? '';
  });
}

/** The links to the pages beside that of a Bundle, by their relations. */
function bundlePages(
  facts: ResourceFacts,
  markOf: ReturnType<typeof createResourceMarks>['markOf'],
): Readonly<Record<string, { readonly href: string }>> {
  const links = eachOf(facts, 'link', 'url').map((start) => [
    facts.get(`${start}relation`) ?? '',
    markOf(facts.get(`${start}url`) ?? '', ['link', 'url'])?.href,
  ]);
  const { previous, prev, next } = Object.fromEntries(links);
  const before = previous ?? prev;
  return {
    ...(before !== undefined && { previous: { href: before } }),
    ...(next !== undefined && { next: { href: next } }),
  };
}

/** The starts of the paths of a list: `link.0.`, `link.1.`. */
function eachOf(facts: ResourceFacts, list: string, name: string): readonly string[] {
  const starts: string[] = [];
  while (facts.has(`${list}.${starts.length}.${name}`)) starts.push(`${list}.${starts.length}.`);
  return starts;
}

/** The headers of an answer, one on each line. */
function headerLines(headers: readonly string[], requestId: string): string {
  const all = [...headers, 'X-Request-Id', requestId];
  const lines = all.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : []));
  return lines.join('\n');
}
