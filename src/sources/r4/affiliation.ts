/** Makes a relationship of an OrganizationAffiliation of the national R4 service. */

import { R4_SYSTEMS } from '../../directory/r4/systems.ts';
import type { RelationshipRecord } from '../../directory/record/record.ts';
import { type FhirObject, type FhirValue, isObject } from '../../fhir/format/resource.ts';
import { periodsOf } from '../fhir/organization-dates.ts';
import {
  type Coding,
  codingOf,
  createNotes,
  objectsOf,
  stringIn,
  type Warning,
} from '../fhir/organization-parts.ts';
import { relationshipCode } from '../release-file/source-codes.ts';
import { isCode } from '../release-file/source-text.ts';
import { positiveIn } from './partial-record.ts';
import { codingIn, typedPeriodsIn } from './typed-parts.ts';

export type AffiliationOutcome =
  | {
      /** The organisation that the relationship belongs to. */
      readonly code: string;
      readonly relationship: RelationshipRecord & { readonly uniqueId: number };
      readonly coding: Coding;
      readonly warnings: readonly Warning[];
    }
  | { readonly problem: string };

/** The resource is valid R4. */
export function relationshipFromAffiliation(affiliation: FhirObject): AffiliationOutcome {
  const notes = createNotes();
  const uniqueId = positiveIn(affiliation.id);
  if (uniqueId === undefined) return { problem: 'its id is not the number of a relationship' };
  const code = codeOf(affiliation.organization);
  const target = codeOf(affiliation.participatingOrganization);
  if (code === undefined || target === undefined) {
    return { problem: 'it does not name two organisations by their codes' };
  }
  const given = codingIn(objectsOf(affiliation.code)[0], R4_SYSTEMS.relationship);
  const coding = given && codingOf(given, relationshipCode, 'code.', notes);
  if (coding === undefined) return { problem: 'it has no type of relationship' };
  const { active } = affiliation;
  if (typeof active !== 'boolean') return { problem: 'it does not say whether it is active' };
  return {
    code,
    relationship: {
      type: coding.code,
      uniqueId,
      isActive: active,
      periods: periodsOf(typedPeriodsIn(affiliation), notes),
      target: { code: target },
    },
    coding,
    warnings: notes.warnings(),
  };
}

/** The code of an organisation, which has no record if there is no `reference`. */
function codeOf(reference: FhirValue | undefined): string | undefined {
  if (!isObject(reference)) return undefined;
  const { identifier } = reference;
  const code =
    (isObject(identifier) ? stringIn(identifier.value) : undefined) ??
    stringIn(reference.reference)?.replace(/^.*\//, '');
  return code !== undefined && isCode(code) ? code : undefined;
}
