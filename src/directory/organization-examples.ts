/** Requests for organisations that all faces have as examples. */
import type { RequestExamples } from '../fhir/statement/open-api-examples.ts';

/** An NHS trust that is in the national directory and in the sample. */
export const EXAMPLE_CODE = 'RTG';

export const ORGANIZATION_EXAMPLES: RequestExamples = {
  readOrganization: { parameters: { id: EXAMPLE_CODE } },
  searchOrganization: { parameters: { 'name:contains': 'leeds', active: 'true', _count: 5 } },
};
