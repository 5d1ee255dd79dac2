/** The type OrganizationAffiliation: the relationships of organisations, read by number and searched. */

import { type Edition, requireLinks } from '../../../directory/edition/edition.ts';
import { relationshipChangedIn, versionIdOf } from '../../../directory/edition/kept-changes.ts';
import type { CriterionOf } from '../../../directory/index/columns/columns.ts';
import type { SearchedRelationshipColumns } from '../../../directory/index/relationship-index.ts';
import type { EditionLinks } from '../../../directory/links/edition-links.ts';
import { R4 } from '../../../fhir/definitions/fhir-version.ts';
import { r4 } from '../../../fhir/definitions/published.ts';
import { httpDate } from '../../../fhir/http/headers.ts';
import type { Form } from '../../../fhir/http/negotiate.ts';
import { read, vreadCurrent } from '../../../fhir/interactions/read.ts';
import { searchType, searchTypeByForm } from '../../../fhir/interactions/search-type.ts';
import { dateParameter } from '../../../fhir/search/date.ts';
import type {
  ParameterDefinition,
  SearchParameter,
  SearchRequest,
} from '../../../fhir/search/parameter.ts';
import { parseSearchQuery } from '../../../fhir/search/parse-search-query.ts';
import { subsetOf } from '../../../fhir/search/subset.ts';
import { tokenParameter } from '../../../fhir/search/token.ts';
import { encodeBody } from '../../../fhir/service/answer.ts';
import { bundlePieces, encodeEntries, joined } from '../../../fhir/service/bundle-pieces.ts';
import type { ServedType, TypeContext } from '../../../fhir/service/interaction.ts';
import type { Representation } from '../../../fhir/service/representation.ts';
import { currentOf, longAnswersOf, numberedOf } from '../../answer/editions.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import { type FaceContext, STANDARD_SEARCHSET } from '../../faces/face.ts';
import {
  type IncludedResource,
  isLargePage,
  LARGE_PAGES,
  notesOnPage,
  offsetOf,
} from '../../faces/search.ts';
import { bundleHead, identityOf, includedEntry, outcomeEntries } from '../../faces/searchset.ts';
import { type AffiliationAt, createAffiliationAt, ordinalOf } from './affiliation.ts';
import { organizationParameters } from './organization-parameters.ts';
import {
  ACTIVE_PARAMETER,
  type AffiliationReference,
  INCLUDES,
  type IncludeOptions,
  includeParameter,
  LAST_UPDATED_PARAMETER,
  R4_LINK_PARAMETERS,
  R4_PAGE_PARAMETERS,
  type R4PageOptions,
  r4PageDefaults,
} from './result-parameters.ts';
import { KNOWN_RELATIONSHIPS, type KnownParameters, searchNotes } from './search-notes.ts';
import { R4_PROFILES, R4_SYSTEMS } from './systems.ts';

export function affiliationType(context: FaceContext): ServedType {
  const { settings, baseUrl } = context;
  const affiliationAt = createAffiliationAt(settings, baseUrl);
  return {
    name: 'OrganizationAffiliation',
    profile: R4_PROFILES.affiliation[0],
    documentation: 'The relationships between organisations, by their numbers.',
    notFound: 'There is no relationship with this number.',
    interactions: [read, vreadCurrent, searchType, searchTypeByForm],
    read: createRead(context, affiliationAt),
    search: {
      parameters: AFFILIATION_PARAMETERS,
      combinations: [],
      includes: INCLUDES,
      run: createSearch(context, affiliationAt),
    },
  };
}

function createRead({ editions, baseUrl }: FaceContext, affiliationAt: AffiliationAt) {
  return ({ id, version }: TypeContext, form: Form): Representation | undefined => {
    const edition = currentOf(editions);
    const links = requireLinks(edition);
    const ordinal = ordinalOf(links, id);
    if (ordinal === undefined) return undefined;
    const published = relationshipChangedIn(edition, links.at(ordinal));
    const current = versionIdOf(published);
    if (version !== '' && version !== current) return undefined;
    return {
      etag: `W/"${current}"`,
      lastModified: httpDate(Date.parse(published.publishedAt)),
      contentLocation: `${baseUrl}/OrganizationAffiliation/${id}/_history/${current}`,
      body: () => encodeBody(affiliationAt(edition, ordinal).resource, form, r4),
    };
  };
}

function createSearch(context: FaceContext, affiliationAt: AffiliationAt) {
  const { settings, baseUrl, editions, fingerprintOf } = context;
  const typeUrl = `${baseUrl}/OrganizationAffiliation`;
  const known = knownParameters(context);
  return (request: SearchRequest): Representation => {
    const { form } = request;
    const search = parseSearchQuery(request, DEFINITION, { settings, baseUrl });
    const edition = numberedOf(editions, search.edition, `_edition and ${search.paging.parameter}`);
    const rendered = { edition, fingerprint: fingerprintOf(edition) };
    const links = requireLinks(edition);
    const identity = identityOf(search, rendered, form);
    const pieces = () => {
      const page = edition.relationshipIndex.search(search.query, offsetOf(search), search.count);
      const matches = page.rows.values().map((ordinal) => {
        const { fullUrl, resource } = affiliationAt(edition, ordinal);
        const shown = subsetOf(resource, search, SUMMARY_ELEMENTS, R4);
        return { fullUrl, resource: shown, search: { mode: 'match' } };
      });
      const rows = includedRows(links, page.rows, search.includes).values();
      const included = rows.map((row) => includedEntry(organization(context, edition, row)));
      const head = bundleHead({ identity, search, page, rendered }, STANDARD_SEARCHSET, typeUrl);
      const notes = outcomeEntries(notesOnPage(search, () => searchNotes(edition, search, known)));
      const all = joined<object>(matches, joined<object>(included, notes));
      const entries = encodeEntries(all, form, r4);
      return bundlePieces(head, entries, form, r4);
    };
    return {
      etag: identity.etag,
      lastModified: httpDate(Date.parse(edition.publishedAt)),
      ...(search.hasIgnored && { preferenceApplied: 'handling=lenient' }),
      body: () => Buffer.concat([...pieces()]),
      ...(isLargePage(search, search.includes.length > 0) && {
        pieces: longAnswersOf(editions).pieces({
          kind: LARGE_PAGES,
          key: { owner: edition, name: `OrganizationAffiliation ${identity.etag}` },
          isShort: () =>
            !isLargePage({ count: search.count * (1 + search.includes.length) }, false),
          make: pieces,
        }),
      }),
    };
  };
}

/** The values that its parameters can match. */
function knownParameters({ settings, baseUrl }: FaceContext): KnownParameters {
  const systems = [settings.organizationCodeSystem];
  return {
    identifier: { systems: [R4_SYSTEMS.relationshipInstance] },
    'primary-organization': { systems, baseUrl },
    'primary-organization.identifier': { systems },
    'participating-organization': { systems, baseUrl },
    'participating-organization.identifier': { systems },
    role: KNOWN_RELATIONSHIPS,
  };
}

/** The elements that FHIR marks as the summary, besides those that every resource has. */
const SUMMARY_ELEMENTS = [
  'identifier',
  'active',
  'period',
  'organization',
  'participatingOrganization',
  'network',
  'code',
  'specialty',
  'location',
];

/** The rows of the organisations that a page includes, each once. */
function includedRows(
  links: EditionLinks,
  ordinals: readonly number[],
  references: readonly AffiliationReference[],
): readonly number[] {
  const rows = new Set<number>();
  for (const ordinal of references.length === 0 ? [] : ordinals) {
    const { sourceRow, target } = links.at(ordinal);
    if (references.includes('primary-organization')) rows.add(sourceRow);
    if (references.includes('participating-organization') && target.row !== undefined) {
      rows.add(target.row);
    }
  }
  return [...rows];
}

function organization(
  { baseUrl, organizationAt }: FaceContext,
  edition: Edition,
  row: number,
): IncludedResource {
  const fullUrl = `${baseUrl}/Organization/${edition.links.codeOf(row)}`;
  return { fullUrl, resource: organizationAt(edition, row) };
}

interface ParameterContext {
  readonly settings: DirectorySettings;
  readonly baseUrl: string;
}

type RelationshipCriterion = CriterionOf<SearchedRelationshipColumns>;

type Options = R4PageOptions & IncludeOptions;

const TABLE: readonly ParameterDefinition<RelationshipCriterion, Options, ParameterContext>[] = [
  tokenParameter({
    name: '_id',
    field: 'id',
    documentation: 'The number of the relationship.',
    rule: { systems: new Set(), code: /^([A-Za-z0-9.-]{1,64})$/ },
  }),
  tokenParameter({
    name: 'identifier',
    field: 'id',
    documentation: 'The number of the relationship, with or without its system.',
    rule: { systems: new Set([R4_SYSTEMS.relationshipInstance]), code: /^([0-9]+)$/ },
  }),
  ...organizationParameters(
    'primary-organization',
    'source',
    'The organisation that has the relationship',
  ),
  ...organizationParameters(
    'participating-organization',
    'target',
    'The organisation that the relationship leads to',
  ),
  ACTIVE_PARAMETER,
  tokenParameter({
    name: 'role',
    field: 'type',
    documentation: 'The type of the relationship, such as RE4, with or without its system.',
    canNegate: true,
    rule: {
      systems: new Set([R4_SYSTEMS.relationship]),
      code: /^\s*(?:RE)?([0-9]+)\s*$/i,
    },
  }),
  dateParameter({
    name: 'date',
    field: 'period',
    documentation: 'The period of the relationship: eq, gt, ge, lt, le, sa, eb or ne, and a date.',
    // With `ap`, the same address would find more each day.
    prefixes: ['eq', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ne'],
  }),
  LAST_UPDATED_PARAMETER,
  includeParameter('_include', 'Adds the primary or the participating organisation of each match.'),
  ...R4_PAGE_PARAMETERS,
];

const DEFINITION = {
  parameters: TABLE,
  defaultsOf: (context: ParameterContext): Options => ({
    ...r4PageDefaults(context),
    includes: [],
  }),
  linkParameters: R4_LINK_PARAMETERS,
  ignoresEmpty: true,
};

export const AFFILIATION_PARAMETERS: readonly SearchParameter[] = TABLE;
