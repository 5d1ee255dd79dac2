/** FHIR histories of one resource, of a type and of all types, and their feed. https://hl7.org/fhir/DSTU2/http.html#history */

import { hash } from 'node:crypto';
import { httpDate } from '../http/headers.ts';
import { validForm } from '../http/negotiate.ts';
import { FhirError } from '../request/fhir-error.ts';
import type { FhirResponse } from '../request/request.ts';
import { EVERY_TYPE_PARAMETERS } from '../search/resource-parameter.ts';
import type { ResourceSearch } from '../search/resource-search.ts';
import { answer, answerBody } from '../service/answer.ts';
import { isStoredForm, pageLengthMax } from '../service/bundle-pieces.ts';
import type {
  Interaction,
  ServedType,
  SystemInteraction,
  TypeContext,
} from '../service/interaction.ts';
import { handOver } from '../service/refused-access.ts';
import { authorize, mayRead } from '../service/run-interaction.ts';
import { addressOf, noRecord, storedTypeOf, writtenTypes } from '../service/stored-resource.ts';
import { FORM_PARAMETERS, queryParameter } from '../statement/open-api-answers.ts';
import type { Change, ChangesPage, ChangesRequest, ChangesResult } from '../stored/repository.ts';
import { changesRequestOf, type FeedRequest, parseFeedRequest } from './feed-request.ts';
import {
  encodeHistory,
  HISTORY_PARAMETERS,
  historyUrl,
  newestOf,
  parseHistoryParameters,
  parseVersion,
} from './history-bundle.ts';
import { queryParameters as searchParameters } from './search-type.ts';

export const historyInstance: Interaction = {
  code: 'history-instance',
  method: 'GET',
  path: '[type]/[id]/_history',
  needs: 'read',
  describe: (_service, { name }) => ({
    operationId: `history${name}`,
    summary: 'The versions, newest first.',
    parameters: [
      ...HISTORY_PARAMETERS,
      queryParameter('_before', 'integer', 'Only versions before this one. The link next sets it.'),
      ...FORM_PARAMETERS,
    ],
    returns: 'Bundle',
    errors: ['invalid-value', 'no-record', 'not-acceptable', 'invalid-parameter'],
  }),
  run,
};

async function run(context: TypeContext): Promise<FhirResponse> {
  const { request, service, type, id, negotiated } = context;
  const form = validForm(negotiated);
  const { own, ...asked } = parseHistoryParameters(request.query, [BEFORE]);
  const before = own.get(BEFORE.name);
  const page = await storedTypeOf(type).repository.history(
    {
      ...addressOf(context),
      ...asked,
      lengthMax: pageLengthMax(isStoredForm(form)),
      ...(before !== undefined && { before }),
    },
    handOver(context),
  );
  if (page === undefined) throw noRecord(type.notFound);
  const { versions, total, hasMore } = page;
  const linkTo = (relation: string, version: number | undefined) => ({
    relation,
    url: historyUrl(`${service.baseUrl}/${type.name}/${id}/_history`, request.query, [
      ['_count', String(asked.count)],
      ...(version === undefined ? [] : [[BEFORE.name, String(version)] as const]),
    ]),
  });
  const body = encodeHistory(service, form, {
    versions: versions.map((version) => ({ type: type.name, ...version })),
    total,
    link: [linkTo('self', before), ...(hasMore ? [linkTo('next', versions.at(-1)?.version)] : [])],
  });
  return answerBody(context, form, { body });
}

const BEFORE = { name: '_before', parse: parseVersion, allowed: 'the number of a version' };

export const historyType: Interaction = {
  code: 'history-type',
  method: 'GET',
  path: '[type]/_history',
  needs: 'read',
  describe: (_service, type) => ({
    operationId: `historyOfAll${type.name}`,
    summary: 'The versions of all resources of the type, newest first; or a feed of them.',
    ...changesOperation(storedTypeOf(type).search),
  }),
  run: (context) => {
    const { service, type } = context;
    const { search } = storedTypeOf(type);
    const url = `${service.baseUrl}/${type.name}/_history`;
    return answerChanges(context, { types: [type], search, url });
  },
};

export const historySystem: SystemInteraction = {
  code: 'history-system',
  method: 'GET',
  path: '_history',
  needs: 'read',
  describe: () => ({
    operationId: 'historyOfAll',
    summary:
      'The versions of all resources of the types that the token may read, newest first; or a feed of them.',
    ...changesOperation(EVERY_TYPE),
  }),
  run: async (context) => {
    const { service } = context;
    const all = writtenTypes(service.types);
    // The server has checked that the token may read at least one.
    const isOnly = all.length === 1;
    const allowed = await Promise.all(all.map(({ name }) => isOnly || mayRead(context, name)));
    const types = all.filter((_, at) => allowed[at]);
    const partial = types.length < all.length && {
      system: service.version.observationValues,
      code: 'SUBSETTED',
      display: `Only ${types.map(({ name }) => name).join(', ')}`,
    };
    const url = `${service.baseUrl}/_history`;
    return answerChanges(context, { types, search: EVERY_TYPE, url, tag: partial || undefined });
  },
};

/** What all types can be found by. */
const EVERY_TYPE = { parameters: EVERY_TYPE_PARAMETERS };

/** In the OpenAPI description. */
function changesOperation({ parameters }: Pick<ResourceSearch, 'parameters'>) {
  return {
    parameters: [
      ...HISTORY_PARAMETERS,
      ...FEED_PARAMETERS,
      ...parameters.flatMap(searchParameters),
      ...FORM_PARAMETERS,
    ],
    returns: 'Bundle',
    errors: ['invalid-value', 'invalid-parameter', 'gone', 'not-acceptable', 'unavailable'],
  } as const;
}

const FEED_PARAMETERS = [
  queryParameter(
    '_after',
    'string',
    'Follow: the versions after this position, oldest first. 0 is the start. The link follow sets it.',
  ),
  queryParameter(
    '_wait',
    'integer',
    'With _after: the seconds to wait if there is no version yet, at most 60.',
  ),
  queryParameter('_before', 'string', 'The versions before this position. The link next sets it.'),
  queryParameter('_previous', 'string', 'The page of newer versions. The link previous sets it.'),
];

/** The types of a feed, and what they can be found by. */
interface Feed {
  readonly types: readonly ServedType[];
  readonly search: Pick<ResourceSearch, 'parameters'>;
  /** The address of the history. */
  readonly url: string;
  /** That of the Bundle. */
  readonly tag?: object | undefined;
}

/** A page of the versions of the types. */
async function answerChanges(
  context: TypeContext,
  { types, search, url, tag }: Feed,
): Promise<FhirResponse> {
  const { request, service, negotiated } = context;
  const form = validForm(negotiated);
  const asked = parseFeedRequest(context, search);
  const startMs = performance.now();
  const page = await readPage(context, asked, {
    ...changesRequestOf(asked),
    types: types.map(({ name }) => name),
    lengthMax: pageLengthMax(isStoredForm(form)),
  });
  if (page.kind === 'unknown-position') throw unknownPosition(asked.position ?? '', url);
  const shown = asked.kind === '_previous' ? page.versions.toReversed() : page.versions;
  const link = linksOf(asked, page, shown).map(([relation, own]) => ({
    relation,
    url: historyUrl(url, request.query, [['_count', String(asked.count)], ...own]),
  }));
  const newest = newestOf(shown);
  const waitedMs = asked.waitMs === 0 ? undefined : performance.now() - startMs;
  const answered = answer(context, form, {
    etag: `W/"${digestOf(link, shown)}-${form.format}"`,
    ...(newest !== undefined && { lastModified: httpDate(Date.parse(newest)) }),
    // Versions of the same second may come later.
    isDateAmbiguous: true,
    body: () => encodeHistory(service, form, { versions: shown, link, tag }),
  });
  return { ...answered, waitedMs };
}

/** Waits for a version if the request asks for it. Then the token must still be valid. */
async function readPage(
  context: TypeContext,
  { waitMs }: FeedRequest,
  changes: ChangesRequest,
): Promise<ChangesResult> {
  const { request, service, identity } = context;
  const { repository } = storedTypeOf(context.type);
  if (waitMs === 0) return repository.changes(changes, handOver(context));
  const client = identity && JSON.stringify([identity.client, identity.subject]);
  const wait = request.beginWait?.(client);
  try {
    const { signal } = wait ?? {};
    const page = await repository.changes(changes, handOver(context), { ms: waitMs, signal });
    for (const type of changes.types) await authorize(request, service, [type], 'read');
    return page;
  } finally {
    wait?.end();
  }
}

type Link = readonly [relation: string, own: readonly (readonly [string, string])[]];

function linksOf(
  { kind, position = '' }: FeedRequest,
  page: ChangesPage,
  shown: readonly Change[],
): Link[] {
  const { hasMore, end } = page;
  const first = shown[0]?.position;
  const last = shown.at(-1)?.position;
  const self: Link = ['self', kind === undefined ? [] : [[kind, position]]];
  const link = (relation: string, name: string, at: string | undefined): Link[] =>
    at === undefined ? [] : [[relation, [[name, at]]]];
  const more: typeof link = (...args) => (hasMore ? link(...args) : []);
  const others = {
    _after: [...more('next', '_after', page.next), ...link('follow', '_after', page.next)],
    _before: [
      ...more('next', '_before', last),
      ...link('previous', '_previous', first ?? position),
    ],
    _previous: [
      ...link('next', '_before', last ?? position),
      ...more('previous', '_previous', first),
    ],
    none: [...more('next', '_before', last), ...link('follow', '_after', end)],
  };
  return [self, ...others[kind ?? 'none']];
}

/** Versions never change, except that their content is erased. */
function digestOf(link: readonly object[], shown: readonly Change[]): string {
  const state = shown.map(({ position, text }) => [position, text === undefined]);
  return hash('sha256', JSON.stringify([link, state])).slice(0, 20);
}

function unknownPosition(position: string, url: string): FhirError {
  return FhirError.of(
    'gone',
    `This server has no position ${position}: its database may have been restored from a ` +
      `backup. Read ${url} from the start, and follow its link "follow".`,
  );
}
