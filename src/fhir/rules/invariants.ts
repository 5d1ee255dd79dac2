/** The invariants of FHIR's types: which rules hold for an element, by the name of its type. */
import type { FhirVersionName } from '../definitions/definitions.ts';
import { DATA_TYPE_INVARIANTS, DSTU2_DATA_TYPE_INVARIANTS } from './data-type-invariants.ts';
import { DSTU2_RESOURCE_INVARIANTS } from './dstu2-invariants.ts';
import type { Invariants } from './invariant.ts';

/**
 * Contained resources (dom-1 to dom-4), references (ref-1) and narratives (txt-1 to txt-3) are
 * checked apart: they need more than their own element. The codec itself has ele-1 and ext-1.
 */
export function invariantsOf(version: FhirVersionName): Invariants {
  return INVARIANTS[version];
}

const INVARIANTS: Readonly<Record<FhirVersionName, Invariants>> = {
  DSTU2: {
    ...DATA_TYPE_INVARIANTS,
    ...DSTU2_DATA_TYPE_INVARIANTS,
    ...DSTU2_RESOURCE_INVARIANTS,
  },
  STU3: DATA_TYPE_INVARIANTS,
};
