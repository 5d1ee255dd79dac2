/** The invariants of DSTU2's resources and their parts. */
import { DSTU2_INVARIANTS_A_L } from './dstu2-invariants-a-l.ts';
import { DSTU2_INVARIANTS_M_Z } from './dstu2-invariants-m-z.ts';
import type { Invariants } from './invariant.ts';

/**
 * Taken from the StructureDefinitions of 1.0.2. The server does not check warnings, rules of
 * Parameters and FamilyMemberHistory (no element has the name that they test), or the rules of
 * TestScript and StructureDefinition about the structure of definitions.
 */
export const DSTU2_RESOURCE_INVARIANTS: Invariants = {
  ...DSTU2_INVARIANTS_A_L,
  ...DSTU2_INVARIANTS_M_Z,
};
