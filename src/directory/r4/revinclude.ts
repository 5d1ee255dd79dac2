/** The affiliations of a page of organisations: `_revinclude`. */
import { FhirError } from '../../fhir/service/fhir-error.ts';
import type { IncludedResource } from '../answer/search.ts';
import type { Edition } from '../edition/edition.ts';
import { requireRelations } from '../edition/require-relations.ts';
import type { AffiliationAt } from './affiliation.ts';
import type { AffiliationReference } from './include-parameter.ts';

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
  const relations = requireRelations(edition);
  const found = new Set<number>();
  for (const row of rows) {
    if (references.includes('primary-organization')) {
      const { first, end } = relations.ofRow(row);
      for (let ordinal = first; ordinal < end; ordinal++) found.add(ordinal);
    }
    if (references.includes('participating-organization')) {
      for (const ordinal of relations.incoming(relations.codeOf(row))) found.add(ordinal);
    }
    if (found.size > INCLUDED_MAX) throw TOO_MANY_INCLUDED;
  }
  return found.values().map((ordinal) => affiliationAt(edition, ordinal));
}

/** About 50 ms and six megabytes. Of single organisations, only regions have more affiliations. */
const INCLUDED_MAX = 5000;

const TOO_MANY_INCLUDED = new FhirError([
  {
    kind: 'too-costly',
    diagnostics:
      `_revinclude would add more than ${INCLUDED_MAX} affiliations to the page. Use a smaller ` +
      '_count, or search OrganizationAffiliation for one organisation.',
    location: 'http._revinclude',
  },
]);
