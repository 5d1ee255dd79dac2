/**
 * A relationship as an OrganizationAffiliation, and those that `_revinclude` adds to a page.
 * https://hl7.org/fhir/R4/organizationaffiliation.html
 */

import { type Edition, perEdition, requireLinks } from '../../../directory/edition/edition.ts';
import { relationshipChangedIn, versionIdOf } from '../../../directory/edition/kept-changes.ts';
import type {
  EditionLinks,
  RelatedTarget,
  Relationship,
} from '../../../directory/links/edition-links.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { codings, type ResourceObject } from '../../answer/resource-parts.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import type { IncludedResource } from '../../faces/search.ts';
import { periodElement, typedPeriods } from './organization.ts';
import type { AffiliationReference } from './result-parameters.ts';
import { R4_PROFILES, R4_SYSTEMS } from './systems.ts';

/** The affiliation of a relationship, by its ordinal, with its address. */
export type AffiliationAt = (edition: Edition, ordinal: number) => IncludedResource;

/** `baseUrl` is the absolute address of the face. */
export function createAffiliationAt(
  { organizationCodeSystem }: DirectorySettings,
  baseUrl: string,
): AffiliationAt {
  return (edition, ordinal) => {
    const resource = affiliation(edition, edition.links.at(ordinal), organizationCodeSystem);
    return { fullUrl: `${baseUrl}/OrganizationAffiliation/${resource.id}`, resource };
  };
}

/** The ordinal of the relationship with this id. */
export function ordinalOf(links: EditionLinks, id: string): number | undefined {
  const isOrdinal = id.startsWith(ORDINAL);
  const digits = isOrdinal ? id.slice(ORDINAL.length) : id;
  const number = Number(digits);
  // Other spellings of a number, such as 07, are not ids.
  if (!Number.isSafeInteger(number) || String(number) !== digits || number < 0) return undefined;
  if (!isOrdinal) return links.byUniqueId(number);
  const isKnown = number < links.count && links.at(number).uniqueId === undefined;
  return isKnown ? number : undefined;
}

/** Begins the id of a relationship to which its source gives no number. It is valid in one edition. */
const ORDINAL = 'ordinal-';

const relationshipCodings = perEdition(({ codeSystems }) =>
  codings(R4_SYSTEMS.relationship, 'RE', codeSystems.relationships),
);

function affiliation(
  edition: Edition,
  relationship: Relationship,
  codeSystem: string,
): ResourceObject & { readonly id: string } {
  const { type, uniqueId, isActive, periods, sourceRow, target, ordinal } = relationship;
  const published = relationshipChangedIn(edition, relationship);
  const id = uniqueId === undefined ? `${ORDINAL}${ordinal}` : String(uniqueId);
  const [period] = periods;
  const source = { code: edition.links.codeOf(sourceRow), row: sourceRow };
  return {
    resourceType: 'OrganizationAffiliation',
    id,
    meta: {
      versionId: versionIdOf(published),
      lastUpdated: published.publishedAt,
      profile: R4_PROFILES.affiliation,
    },
    ...(periods.length > 0 && { extension: typedPeriods(periods) }),
    ...(uniqueId !== undefined && {
      identifier: [{ system: R4_SYSTEMS.relationshipInstance, value: id }],
    }),
    active: isActive,
    ...(period && { period: periodElement(period) }),
    organization: organizationReference(source, codeSystem),
    participatingOrganization: organizationReference(target, codeSystem),
    code: [{ coding: [relationshipCodings(edition)(type)] }],
  };
}

/** An organisation without a record has an identifier alone. */
function organizationReference({ code, row }: RelatedTarget, system: string) {
  return {
    ...(row !== undefined && { reference: `Organization/${code}` }),
    identifier: { system, value: code },
  };
}

/**
 * Each affiliation once, in the order of the organisations, made when it is read. Throws if there
 * are too many.
 */
export function affiliationsOf(
  edition: Edition,
  rows: readonly number[],
  references: readonly AffiliationReference[],
  affiliationAt: AffiliationAt,
): Iterable<IncludedResource> {
  const links = requireLinks(edition);
  const found = new Set<number>();
  for (const row of rows) {
    if (references.includes('primary-organization')) {
      const { first, end } = links.ofRow(row);
      for (let ordinal = first; ordinal < end; ordinal++) found.add(ordinal);
    }
    if (references.includes('participating-organization')) {
      for (const ordinal of links.incoming(links.codeOf(row))) found.add(ordinal);
    }
    if (found.size > INCLUDED_MAX) throw TOO_MANY_INCLUDED;
  }
  return found.values().map((ordinal) => affiliationAt(edition, ordinal));
}

/** About 50 ms and six megabytes. Of single organisations, only regions have more affiliations. */
const INCLUDED_MAX = 5000;

const TOO_MANY_INCLUDED = FhirError.of(
  'too-costly',
  `_revinclude would add more than ${INCLUDED_MAX} affiliations to the page. Use a smaller ` +
    '_count, or search OrganizationAffiliation for one organisation.',
  { location: 'http._revinclude' },
);
