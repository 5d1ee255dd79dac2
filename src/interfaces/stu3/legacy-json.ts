/** The JSON of the retired national service, which had single objects where FHIR has arrays. */

import type { ResourceObject } from '../answer/resource-parts.ts';
import type { JsonForm } from '../faces/face.ts';

export const LEGACY_JSON: JsonForm = {
  organization: toLegacyOrganization,
  outcome: toLegacyOutcome,
  searchset: {
    isTotalText: true,
    hasSearchMode: false,
    hasEmptyEntry: true,
    hasLinksWithCount: false,
  },
};

interface OrganizationParts {
  readonly meta: { readonly profile: readonly string[] };
  readonly identifier: readonly unknown[];
  readonly type?: readonly { readonly coding: readonly unknown[] }[];
  readonly address?: readonly unknown[];
}

/** Each property keeps its place. */
function toLegacyOrganization(organization: ResourceObject): ResourceObject {
  const { meta, identifier, type, address } = organization as ResourceObject & OrganizationParts;
  return {
    ...organization,
    meta: { ...meta, profile: meta.profile[0] },
    identifier: identifier[0],
    ...(type !== undefined && { type: { coding: type[0]?.coding[0] } }),
    ...(address !== undefined && { address: address[0] }),
  };
}

interface OutcomeParts {
  readonly resourceType: string;
  readonly meta?: { readonly profile?: readonly string[] };
  readonly issue?: readonly {
    readonly details?: { readonly coding?: readonly object[] };
    readonly location?: unknown;
  }[];
}

function toLegacyOutcome(outcome: OutcomeParts): ResourceObject {
  const { meta, issue = [] } = outcome;
  return {
    ...outcome,
    ...(meta !== undefined && { meta: { ...meta, profile: meta.profile?.[0] } }),
    issue: issue.map(({ location: _, ...one }) => ({
      ...one,
      ...(one.details !== undefined && {
        details: { ...one.details, coding: one.details.coding?.[0] },
      }),
    })),
  };
}
