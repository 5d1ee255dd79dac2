/**
 * The search of a stored type: from the query of a request to a searchset Bundle.
 * https://hl7.org/fhir/DSTU2/http.html#search
 */
import { createHash, randomUUID } from 'node:crypto';
import { type Form, validForm } from '../http/negotiate.ts';
import { FhirError } from '../request/fhir-error.ts';
import { parseSearchQuery } from '../search/parse-search-query.ts';
import {
  COUNT_MAX,
  type ParsedResourceSearch,
  type ResourceSearch,
  resourceSearchDefinition,
} from '../search/resource-search.ts';
import { isWhole, subsetOf } from '../search/subset.ts';
import { encodeBundle, isStoredForm, pageLengthMax } from '../service/bundle-pieces.ts';
import type { TypeContext, TypeSearch } from '../service/interaction.ts';
import { handOver } from '../service/refused-access.ts';
import type { Representation } from '../service/representation.ts';
import { parseStored, storedTypeOf } from '../service/stored-resource.ts';
import type { MatchPage, SearchPageRequest } from '../stored/repository.ts';

/** The limits of searches. */
export interface SearchLimits {
  /** The most resources that a search may look at. */
  readonly candidatesMax: number;
  /** How long the links to other pages work. */
  readonly keepMs: number;
}

export function storedSearch(search: ResourceSearch, limits: SearchLimits): TypeSearch {
  const definition = resourceSearchDefinition(search);
  return {
    parameters: definition.parameters,
    combinations: [],
    run: async (request, context) => {
      const parsed = parseSearchQuery(request, definition, context.service);
      const page = await findPage(parsed, context, limits);
      return {
        etag: etagOf(parsed, page, request.form),
        ...(parsed.hasIgnored && { preferenceApplied: 'handling=lenient' }),
        body: () => bodyOf(parsed, page, context),
      };
    },
  };
}

async function findPage(
  parsed: ParsedResourceSearch,
  context: TypeContext,
  { candidatesMax, keepMs }: SearchLimits,
): Promise<MatchPage> {
  const { repository, search } = storedTypeOf(context.type);
  const request: SearchPageRequest = {
    type: context.type.name,
    count: parsed.count,
    lengthMax: pageLengthMax(isStored(parsed, context)),
    parameters: queryOf(parsed),
    ...(parsed.result === undefined
      ? { criteria: parsed.query.criteria, sort: parsed.sort, candidatesMax, keepMs }
      : { result: parsed.result, offset: parsed.offset, before: parsed.before }),
  };
  requireLink(parsed);
  const found = await repository.search(request, handOver(context));
  switch (found.kind) {
    case 'found':
      return found;
    case 'expired':
      throw EXPIRED;
    case 'too-costly':
      throw FhirError.of('too-costly', search.costly(candidatesMax));
  }
}

/** The parameters of links name a search that began before, so that they stand for its criteria. */
function requireLink({ result, offset, before, query, sort }: ParsedResourceSearch): void {
  const isStart = result === undefined;
  const isLink = query.criteria.length === 0 && sort.length === 0;
  if (isStart ? offset === 0 && before === undefined : isLink) return;
  const ofStart = before === undefined ? '_offset' : '_before';
  const name = isStart ? ofStart : '_result';
  throw FhirError.of(
    'invalid-parameter',
    `${name} is part of the links of a search. Follow the links as they are.`,
    { location: `http.${name}` },
  );
}

const EXPIRED = FhirError.of('gone', 'The pages of this search have expired. Search again.', {
  location: 'http._result',
});

function queryOf({ pairs }: ParsedResourceSearch): string {
  return pairs.map(({ text }) => text).join('&');
}

/** The same matches in the same versions have the same entity tag. */
function etagOf(parsed: ParsedResourceSearch, page: MatchPage, form: Form): string {
  const hash = createHash('sha256').update(`${queryOf(parsed)}\n${page.total}`);
  for (const { id, version } of page.matches) hash.update(`\n${id}/${version}`);
  const pretty = form.isPretty ? '-pretty' : '';
  return `W/"${hash.digest('hex').slice(0, 20)}-${form.format}${pretty}"`;
}

/** Whether the matches are sent as they are stored. */
function isStored(parsed: ParsedResourceSearch, { negotiated }: TypeContext): boolean {
  return isStoredForm(negotiated.form) && isWhole(parsed);
}

function bodyOf(
  parsed: ParsedResourceSearch,
  { matches, total, ...page }: MatchPage,
  context: TypeContext,
): ReturnType<Representation['body']> {
  const { service, type, negotiated } = context;
  const { definitions } = service.version;
  const form = validForm(negotiated);
  const url = `${service.baseUrl}/${type.name}`;
  const head = {
    resourceType: 'Bundle' as const,
    id: randomUUID(),
    meta: { lastUpdated: new Date().toISOString().replace('Z', '+00:00') },
    type: 'searchset',
    total,
    link: linksOf(parsed, url, total, page),
  };
  const { summaryElements } = storedTypeOf(type).search;
  const shown = (text: string) =>
    isStored(parsed, context)
      ? text
      : subsetOf(parseStored(text, definitions), parsed, summaryElements, service.version);
  const entry = matches.map(({ id, text = '' }) => ({
    fullUrl: `${url}/${id}`,
    resource: shown(text),
    search: { mode: 'match' },
  }));
  return encodeBundle({ ...head, ...(entry.length > 0 && { entry }) }, form, definitions);
}

/**
 * The self link lists the parameters that were used. The others name the kept matches. A page can
 * end early because it is long, so those that lead back name their end: no match is left out.
 */
function linksOf(
  parsed: ParsedResourceSearch,
  url: string,
  total: number,
  { result, offset, nextOffset }: Pick<MatchPage, 'result' | 'offset' | 'nextOffset'>,
) {
  const { count, pairs } = parsed;
  // The server may show fewer matches on a page than the client asked for.
  const used = pairs.map(({ name, text }) =>
    name === '_count' && count === COUNT_MAX ? `_count=${COUNT_MAX}` : text,
  );
  const self = { relation: 'self', url: used.length === 0 ? url : `${url}?${used.join('&')}` };
  if (result === undefined || count === 0) return [self];
  const shaping = pairs.filter(({ name }) => SHAPING.has(name)).map(({ text }) => text);
  const linkTo = (relation: string, start: number, before?: number) => {
    const end = before === undefined ? [] : [`_before=${before}`];
    const place = [`_result=${result}`, `_offset=${start}`, ...end, `_count=${count}`];
    return { relation, url: `${url}?${[...place, ...shaping].join('&')}` };
  };
  const last = Math.max(0, Math.ceil(total / count) - 1) * count;
  return [
    self,
    linkTo('first', 0),
    ...(offset > 0 ? [linkTo('previous', Math.max(0, offset - count), offset)] : []),
    ...(nextOffset === undefined ? [] : [linkTo('next', nextOffset)]),
    linkTo('last', last, total),
  ];
}

/** The parameters that links repeat. */
const SHAPING = new Set(['_summary', '_elements', '_format', '_pretty']);
