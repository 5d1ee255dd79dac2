/** The type OrganizationAffiliation: the relationships of organisations, read by number and searched. */
import { hash } from 'node:crypto';
import { bundlePieces, encodeEntries, joined } from '../../fhir/bundle/bundle-pieces.ts';
import { R4 } from '../../fhir/definitions/fhir-version.ts';
import { r4 } from '../../fhir/definitions/r4.ts';
import { httpDate } from '../../fhir/http/headers.ts';
import type { Form } from '../../fhir/http/negotiate.ts';
import { read, vreadCurrent } from '../../fhir/interactions/read.ts';
import { searchType, searchTypeByForm } from '../../fhir/interactions/search-type.ts';
import type { SearchRequest } from '../../fhir/search/search-request.ts';
import { subsetOf } from '../../fhir/search/subset.ts';
import type { ServedType, TypeContext } from '../../fhir/service/interaction.ts';
import { encodeBody, type Representation } from '../../fhir/service/representation.ts';
import { type IncludedResource, isLargePage, offsetOf } from '../answer/search.ts';
import { bundleHead, identityOf, includedEntry } from '../answer/searchset.ts';
import type { Edition } from '../edition/edition.ts';
import { currentOf, numberedOf } from '../edition/editions.ts';
import type { Relations } from '../edition/relations.ts';
import { requireRelations } from '../edition/require-relations.ts';
import { type FaceContext, STANDARD_SEARCHSET } from '../face.ts';
import { type AffiliationAt, createAffiliationAt, ordinalOf } from './affiliation.ts';
import { AFFILIATION_PARAMETERS, parseAffiliationSearch } from './affiliation-parameters.ts';
import { type AffiliationReference, INCLUDES } from './include-parameter.ts';
import { R4_PROFILES } from './systems.ts';

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
    const relations = requireRelations(edition);
    const ordinal = ordinalOf(relations, id);
    if (ordinal === undefined) return undefined;
    const { number, publishedAt } = edition.changedIn(relations.at(ordinal).sourceRow);
    if (version !== '' && version !== String(number)) return undefined;
    const body = encodeBody(affiliationAt(edition, ordinal).resource, form, r4);
    return {
      etag: `W/"${hash('sha256', body).slice(0, 16)}"`,
      lastModified: httpDate(Date.parse(publishedAt)),
      contentLocation: `${baseUrl}/OrganizationAffiliation/${id}/_history/${number}`,
      body: () => body,
    };
  };
}

function createSearch(context: FaceContext, affiliationAt: AffiliationAt) {
  const { settings, baseUrl, editions, fingerprintOf } = context;
  const typeUrl = `${baseUrl}/OrganizationAffiliation`;
  return (request: SearchRequest): Representation => {
    const { form } = request;
    const search = parseAffiliationSearch(request, { settings, baseUrl });
    const newest = currentOf(editions);
    const edition =
      search.edition === undefined
        ? newest
        : numberedOf(editions, search.edition, search.paging.parameter);
    const rendered = { edition, fingerprint: fingerprintOf(edition) };
    const relations = requireRelations(edition);
    const identity = identityOf(search, rendered, form);
    const pieces = () => {
      const page = edition.relationshipIndex.search(search.query, offsetOf(search), search.count);
      const matches = page.rows.values().map((ordinal) => {
        const { fullUrl, resource } = affiliationAt(edition, ordinal);
        const shown = subsetOf(resource, search, SUMMARY_ELEMENTS, R4);
        return { fullUrl, resource: shown, search: { mode: 'match' } };
      });
      const rows = includedRows(relations, page.rows, search.includes).values();
      const included = rows.map((row) => includedEntry(organization(context, edition, row)));
      const head = bundleHead({ identity, search, page, rendered }, STANDARD_SEARCHSET, typeUrl);
      const entries = encodeEntries(joined<object>(matches, included), form, r4);
      return bundlePieces(head, entries, form, r4);
    };
    return {
      etag: identity.etag,
      lastModified: httpDate(Date.parse(edition.publishedAt)),
      ...(search.hasIgnored ? { preferenceApplied: 'handling=lenient' } : {}),
      body: () => Buffer.concat([...pieces()]),
      ...(isLargePage(search, search.includes.length > 0) && { pieces }),
    };
  };
}

/** The elements that FHIR marks as the summary, besides those that every resource has. */
const SUMMARY_ELEMENTS = [
  ...['identifier', 'active', 'period', 'organization', 'participatingOrganization'],
  ...['network', 'code', 'specialty', 'location'],
];

/** The rows of the organisations that a page includes, each once. */
function includedRows(
  relations: Relations,
  ordinals: readonly number[],
  references: readonly AffiliationReference[],
): readonly number[] {
  const rows = new Set<number>();
  for (const ordinal of references.length === 0 ? [] : ordinals) {
    const { sourceRow, target } = relations.at(ordinal);
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
  const fullUrl = `${baseUrl}/Organization/${edition.relations.codeOf(row)}`;
  return { fullUrl, resource: organizationAt(edition, row) };
}
