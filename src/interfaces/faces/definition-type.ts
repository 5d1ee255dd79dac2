/** The types of a face with a few resources that describe the directory. */

import { hash } from 'node:crypto';
import { type Edition, perEdition } from '../../directory/edition/edition.ts';
import { dayOf } from '../../directory/record/in-force.ts';
import type { Form } from '../../fhir/http/negotiate.ts';
import { LongResult, operation } from '../../fhir/interactions/operation.ts';
import { read } from '../../fhir/interactions/read.ts';
import { searchType, searchTypeByForm } from '../../fhir/interactions/search-type.ts';
import type { SearchRequest } from '../../fhir/search/parameter.ts';
import { subsetOf } from '../../fhir/search/subset.ts';
import { bodyPieces, encodeBody, hashed } from '../../fhir/service/answer.ts';
import type { ServedType, TypeContext } from '../../fhir/service/interaction.ts';
import type { Representation } from '../../fhir/service/representation.ts';
import { noRecord } from '../../fhir/service/stored-resource.ts';
import type { Pause } from '../../threads/pauses.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import type { ResourceObject } from '../answer/resource-parts.ts';
import {
  createDefinitionSearch,
  type DefinitionSearch,
  matchesDefinition,
  USUAL_PARAMETERS,
} from './definition-search.ts';
import {
  type DefinitionType,
  type DescribedType,
  type EditionResources,
  type FixedResources,
  STANDARD_SEARCHSET,
} from './face.ts';
import type { RenderedEdition, ServedFace } from './rendered-edition.ts';
import {
  notesOnPage,
  type PagedSearch,
  type SearchLink,
  searchLinks,
  selfQueryOf,
} from './search.ts';
import { outcomeEntries } from './searchset.ts';

/** `current` throws if there is no edition. */
export function definitionType(
  type: DefinitionType,
  served: ServedFace,
  current: () => RenderedEdition,
  longAnswers: LongAnswers,
): ServedType {
  return 'resources' in type
    ? fixedType(type, served)
    : editionType(type, served, current, longAnswers);
}

/** The resources do not change with the edition: clients read them by id. */
function fixedType(
  { name, documentation, notFound, resources }: DescribedType & FixedResources,
  { face }: ServedFace,
): ServedType {
  const { definitions } = face.version;
  return {
    name,
    documentation,
    notFound,
    ids: [...resources.keys()],
    interactions: [read],
    read: ({ id }, form) => {
      const resource = resources.get(id);
      return resource && hashed(encodeBody(resource, form, definitions));
    },
  };
}

/** The resources change with the edition: clients also search them, and use their operations. */
function editionType(
  type: DescribedType & EditionResources,
  served: ServedFace,
  current: () => RenderedEdition,
  longAnswers: LongAnswers,
): ServedType {
  const { name, documentation, notFound, ids, operations = [] } = type;
  const { searchedBy = USUAL_PARAMETERS } = type;
  const countMax = served.settings['r4.countMax'];
  const search = createDefinitionSearch(searchedBy, served.face, countMax);
  const source = { current, resourcesOf: createResourcesOf(type), missing: type.missing };
  return {
    name,
    documentation,
    notFound,
    ids,
    ...(type.codeSystems !== undefined && { codeSystems: type.codeSystems }),
    interactions: [
      read,
      searchType,
      searchTypeByForm,
      ...operations.flatMap((each) =>
        operation({
          ...each,
          run: (input, context) => {
            const { id } = context;
            if (id !== '' && !ids.includes(id)) throw noRecord(notFound);
            const { edition } = current();
            if ('run' in each) return each.run(input, edition, id);
            const { longKind: kind, name } = each;
            const make = (pause: Pause) => each.runLong(input, edition, id, pause);
            const asked = [served.face.name, type.name, name];
            return longResult(longAnswers, { kind, asked, edition, context, make });
          },
        }),
      ),
    ],
    read: createRead(name, source, served),
    search: {
      parameters: search.parameters,
      combinations: [],
      run: createSearch(name, search, source, served),
    },
  };
}

type ResourcesById = ReadonlyMap<string, ResourceObject>;

function createResourcesOf({ ids, resourceOf }: EditionResources) {
  return perEdition(
    (edition): ResourcesById =>
      new Map(
        ids.flatMap((id) => {
          const resource = resourceOf(id, edition);
          return resource === undefined ? [] : [[id, resource] as const];
        }),
      ),
  );
}

interface Source {
  readonly current: () => RenderedEdition;
  readonly resourcesOf: (edition: Edition) => ResourcesById;
  readonly missing: EditionResources['missing'];
}

function createRead(name: string, { current, resourcesOf, missing }: Source, { face }: ServedFace) {
  const { definitions } = face.version;
  return ({ id }: TypeContext, form: Form): Representation | undefined => {
    const { edition, fingerprint, publishedDate, reads } = current();
    const key = `${name} ${form.format} ${form.isPretty}/${id}`;
    const known = reads.get(key);
    if (known !== undefined) return known;
    const resource = resourcesOf(edition).get(id);
    if (resource === undefined) {
      const problem = missing?.(id, edition);
      if (problem !== undefined) throw noRecord(problem);
      return undefined;
    }
    return reads.note(key, {
      etag: `W/"${fingerprint.slice(0, 16)}-${form.format}"`,
      lastModified: publishedDate,
      body: () => encodeBody(resource, form, definitions),
    });
  };
}

/** Without pages, all matches are in one Bundle, because there are few resources. */
function createSearch(
  name: string,
  { parse, hasPages }: DefinitionSearch,
  { current, resourcesOf }: Source,
  { face, settings, baseUrl }: ServedFace,
) {
  const { definitions } = face.version;
  const typeUrl = `${baseUrl}/${name}`;
  const json = face.jsonFormOf(settings).searchset;
  return (request: SearchRequest): Representation => {
    const { form } = request;
    const search = parse(request);
    const { edition, publishedDate } = current();
    const matches = [...resourcesOf(edition)].filter(([, resource]) =>
      matchesDefinition(resource, search.query),
    );
    const { isTotalText, hasSearchMode, hasEmptyEntry, hasLinksWithCount } =
      form.format === 'json' ? json : STANDARD_SEARCHSET;
    const total = matches.length;
    const link = hasPages
      ? searchLinks({
          search,
          typeUrl,
          total,
          selfQuery: selfQueryOf(search),
          editionNumber: undefined,
        })
      : [selfLink(typeUrl, search)];
    const page = hasPages ? matches.slice(search.start, search.start + search.count) : matches;
    const entry = page.map(([id, resource]) => ({
      fullUrl: `${typeUrl}/${id}`,
      resource: subsetOf(resource, search, SUMMARY_ELEMENTS, face.version),
      ...(hasSearchMode && { search: { mode: 'match' } }),
    }));
    const notes = outcomeEntries(notesOnPage(search, () => []));
    const entries = search.isCountOnly ? notes : [...entry, ...notes];
    const hasEntry = entries.length > 0 || (hasEmptyEntry && !search.isCountOnly);
    const bundle = {
      resourceType: 'Bundle',
      meta: { lastUpdated: edition.publishedAt },
      type: 'searchset',
      total: isTotalText ? String(total) : total,
      ...((hasLinksWithCount || !search.isCountOnly) && { link }),
      ...(hasEntry && { entry: entries }),
    };
    return {
      ...hashed(encodeBody(bundle, form, definitions)),
      lastModified: publishedDate,
      ...(search.hasIgnored && { preferenceApplied: 'handling=lenient' }),
    };
  };
}

/** The elements of code systems, value sets and lists that FHIR marks as the summary. */
const SUMMARY_ELEMENTS = [
  'url',
  'identifier',
  'version',
  'name',
  'title',
  'status',
  'experimental',
  'date',
  'publisher',
  'useContext',
  'jurisdiction',
  'caseSensitive',
  'valueSet',
  'hierarchyMeaning',
  'compositional',
  'versionNeeded',
  'content',
  'supplements',
  'count',
  'filter',
  'property',
  'immutable',
  'mode',
  'code',
];

function selfLink(typeUrl: string, { pairs }: PagedSearch): SearchLink {
  const query = pairs.map(({ text }) => text).join('&');
  return { relation: 'self', url: query === '' ? typeUrl : `${typeUrl}?${query}` };
}

interface LongOperationRun {
  readonly kind: string;
  /** The names of the face, the type and the operation. */
  readonly asked: readonly string[];
  readonly edition: Edition;
  readonly context: TypeContext;
  make(pause: Pause): Promise<ResourceObject>;
}

/** The result as a long answer, which is kept for the same request on the same day. */
function longResult(
  longAnswers: LongAnswers,
  { kind, asked, edition, context, make }: LongOperationRun,
): LongResult {
  const { request, service, negotiated, id, body } = context;
  const { form } = negotiated;
  const { format, isPretty } = form;
  const sent = [id, format, isPretty, request.query, hash('sha256', body)];
  const key = { owner: edition, name: JSON.stringify([asked, sent, dayOf(new Date())]) };
  const encode = async (pause: Pause): Promise<string> => {
    const resource = await make(pause);
    let text = '';
    for (const piece of bodyPieces(resource, form, service.version.definitions)) {
      text += piece;
      await pause();
    }
    return text;
  };
  return new LongResult(async () =>
    hashed(await longAnswers.keptText({ kind, request, key }, encode)),
  );
}
