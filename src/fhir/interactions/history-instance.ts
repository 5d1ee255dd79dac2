/** FHIR history of one resource, newest first. https://hl7.org/fhir/DSTU2/http.html#history */
import { randomUUID } from 'node:crypto';
import { headersOf } from '../answer.ts';
import { PRIMITIVES } from '../definitions/primitives.ts';
import { encodeBody } from '../encode-body.ts';
import { FhirError, type Issue } from '../fhir-error.ts';
import type { Interaction, TypeContext } from '../interaction.ts';
import { validForm } from '../negotiate.ts';
import { FORM_PARAMETERS, queryParameter, responses } from '../open-api-answers.ts';
import { formatPair, parseQueryString } from '../query-string.ts';
import { handOver } from '../refused-access.ts';
import type { HistoryPage, HistoryRequest, ResourceAddress } from '../repository.ts';
import type { FhirResponse } from '../request.ts';
import { addressOf, noRecord, parseStored, storedTypeOf } from '../stored-resource.ts';
import { READ_ERRORS } from './read.ts';

export const historyInstance: Interaction = {
  code: 'history-instance',
  method: 'GET',
  path: '[type]/[id]/_history',
  needs: 'read',
  describe: (service, { name }) => ({
    operationId: `history${name}`,
    summary: 'The versions, newest first.',
    parameters: [...HISTORY_PARAMETERS, ...FORM_PARAMETERS],
    responses: responses(service, 'Bundle', READ_ERRORS),
  }),
  run,
};

const HISTORY_PARAMETERS = [
  queryParameter('_count', 'integer', 'Versions on a page, 1 to 100.'),
  queryParameter('_since', 'string', 'An instant: only versions written at or after it.'),
  queryParameter('_before', 'integer', 'Only versions before this one. The link next sets it.'),
];

async function run(context: TypeContext): Promise<FhirResponse> {
  const { request, service, type, interaction, negotiated } = context;
  const form = validForm(negotiated);
  const asked = parseHistory(request.query, addressOf(context));
  const page = await storedTypeOf(type).repository.history(asked, handOver(context));
  if (page === undefined) throw noRecord(type.notFound);
  const bundle = historyBundle(context, asked, page);
  return {
    status: 200,
    headers: [...headersOf(service, request), 'Content-Type', form.contentType],
    body: encodeBody(bundle, form, service.version.definitions),
    interaction: interaction.code,
    format: form.format,
  };
}

/** In characters, because encoding more would take longer than a few tenths of a second. A hundred versions may have 100 MiB. */
const HISTORY_LENGTH_MAX = 4 * 1024 ** 2;

const HISTORY_COUNT_MAX = 100;
const HISTORY_COUNT_DEFAULT = 20;

/** Throws a FhirError with every problem. Parameters that a history does not have are ignored. */
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
  { request, service, type, id }: TypeContext,
  asked: HistoryRequest,
  { versions, total, hasMore }: HistoryPage,
) {
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
            ...(text !== undefined && { resource: parseStored(text, definitions) }),
            request: { method, url: method === 'POST' ? type.name : `${type.name}/${id}` },
          })),
        }),
  };
}

/** The parameters that links to other pages repeat. */
const KEPT = new Set(['_since', '_format', '_pretty']);
