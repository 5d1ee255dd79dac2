/** FHIR history of one resource, newest first. https://hl7.org/fhir/DSTU2/http.html#history */
import { randomUUID } from 'node:crypto';
import { headersOf } from '../answer.ts';
import { PRIMITIVES } from '../definitions/primitives.ts';
import { type Exchange, noRecord } from '../exchange.ts';
import { FhirError, type Issue } from '../fhir-error.ts';
import { encodeJson } from '../format/json.ts';
import { encodeXml } from '../format/xml.ts';
import { formatPair, parseQueryString } from '../query-string.ts';
import type { HistoryPage, HistoryRequest, ResourceAddress } from '../repository.ts';
import type { FhirResponse } from '../request.ts';
import type { HistoryRoute } from '../route.ts';
import { parseStored } from '../stored-resource.ts';

export async function history(exchange: Exchange<HistoryRoute>): Promise<FhirResponse> {
  const { request, service, route, form, access } = exchange;
  const { interaction, type, id } = route;
  const asked = parseHistory(request.query, { type: type.name, id });
  exchange.handOver();
  const page = await type.versions.repository.history(asked, access);
  if (page === undefined) throw noRecord(type.notFound);
  const bundle = historyBundle(exchange, asked, page);
  const { format, contentType, isPretty: pretty } = form;
  return {
    status: 200,
    headers: [...headersOf(service, request), 'Content-Type', contentType],
    body:
      format === 'xml'
        ? encodeXml(bundle, service.version.definitions, { pretty })
        : encodeJson(bundle, { pretty }),
    interaction,
    format,
  };
}

/** Characters; encoding as many takes some tenths of a second, and a hundred versions may have 100 MiB. */
const HISTORY_LENGTH_MAX = 4 * 1024 ** 2;

const HISTORY_COUNT_MAX = 100;
const HISTORY_COUNT_DEFAULT = 20;

/** Throws all that is wrong with the parameters; those that are not history's are ignored. */
function parseHistory(query: string, address: ResourceAddress): HistoryRequest {
  const issues: Issue[] = [];
  const pairs = parseQueryString(query);
  const one = <T>(name: string, parse: (value: string) => T | undefined, allowed: string) => {
    const [pair, ...more] = pairs.filter((each) => each.name === name);
    if (pair === undefined) return undefined;
    const value = more.length > 0 ? undefined : parse(pair.value);
    if (value !== undefined) return value;
    const problem = more.length > 0 ? 'is given more than once' : `cannot be "${pair.value}"`;
    issues.push({
      kind: 'invalid-value',
      diagnostics: `${name} ${problem}. Send ${allowed}.`,
      location: `http.${name}`,
    });
    return undefined;
  };
  const count = one('_count', parseCount, `a whole number from 1 to ${HISTORY_COUNT_MAX}`);
  const sinceMs = one('_since', parseInstant, 'an instant, such as 2026-11-21T09:30:00Z');
  const before = one('_before', parseVersion, 'the number of a version');
  const [first, ...others] = issues;
  if (first !== undefined) throw new FhirError([first, ...others]);
  return {
    ...address,
    count: count ?? HISTORY_COUNT_DEFAULT,
    lengthMax: HISTORY_LENGTH_MAX,
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(before === undefined ? {} : { before }),
  };
}

function parseCount(text: string): number | undefined {
  const count = parseVersion(text);
  return count === undefined || count > HISTORY_COUNT_MAX ? undefined : count;
}

function parseVersion(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** A raw `+` before the zone has become a space. */
function parseInstant(text: string): number | undefined {
  const instant = text.replace(' ', '+');
  return PRIMITIVES.get('instant')?.isValid(instant) ? Date.parse(instant) : undefined;
}

function historyBundle(
  { request, service, route }: Exchange<HistoryRoute>,
  asked: HistoryRequest,
  { versions, total, hasMore }: HistoryPage,
) {
  const { type, id } = route;
  const { definitions } = service.version;
  const url = `${service.baseUrl}/${type.name}/${id}`;
  const kept = parseQueryString(request.query).filter(({ name }) => KEPT.has(name));
  const linkTo = (before: number | undefined) => {
    const pairs = [
      ...kept,
      { name: '_count', value: String(asked.count) },
      ...(before === undefined ? [] : [{ name: '_before', value: String(before) }]),
    ];
    return `${url}/_history?${pairs.map(formatPair).join('&')}`;
  };
  const oldest = versions.at(-1)?.version;
  const newest = versions[0]?.writtenAt;
  return {
    resourceType: 'Bundle',
    id: randomUUID(),
    ...(newest === undefined ? {} : { meta: { lastUpdated: newest } }),
    type: 'history',
    total,
    link: [
      { relation: 'self', url: linkTo(asked.before) },
      ...(hasMore ? [{ relation: 'next', url: linkTo(oldest) }] : []),
    ],
    ...(versions.length === 0
      ? {}
      : {
          entry: versions.map(({ text, method }) => ({
            fullUrl: url,
            resource: parseStored(text, definitions),
            request: { method, url: method === 'POST' ? type.name : `${type.name}/${id}` },
          })),
        }),
  };
}

/** What shapes the answer of a page shapes that of the next. */
const KEPT = new Set(['_since', '_format', '_pretty']);
