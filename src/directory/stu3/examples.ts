/** Requests of the STU3 faces that clients can send as they are. */
import type { RequestExamples } from '../../fhir/statement/open-api-examples.ts';
import { ORGANIZATION_EXAMPLES } from '../organization-examples.ts';

export const STU3_EXAMPLES: RequestExamples = {
  ...ORGANIZATION_EXAMPLES,
  searchCodeSystem: { parameters: { 'name:contains': 'role' } },
  searchValueSet: { parameters: { 'name:contains': 'role' } },
};
