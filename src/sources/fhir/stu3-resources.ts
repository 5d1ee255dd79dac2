/** The resources of STU3 as sources have them, also in the JSON of the retired service. */
import { STU3 } from '../../fhir/definitions/fhir-version.ts';
import { fromLegacyOrganization } from './legacy-organization.ts';
import type { ResourceKind } from './resource-events.ts';

export const STU3_RESOURCES: ResourceKind = {
  definitions: STU3.definitions,
  prepare: (value) => {
    if (value.resourceType === 'Organization') fromLegacyOrganization(value);
  },
};
