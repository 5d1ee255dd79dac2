/** The relations of an edition, for answers that would be wrong without them. */
import { FhirError } from '../../fhir/service/fhir-error.ts';
import type { Edition } from './edition.ts';
import type { Relations } from './relations.ts';

/** Throws a FhirError if the edition does not know its relationships and successions. */
export function requireRelations({ hasRelations, relations }: Edition): Relations {
  if (!hasRelations) throw RELATIONS_UNKNOWN;
  return relations;
}

/** Why an edition does not know relations, and the remedy. */
export const RELATIONS_UNKNOWN_TEXT =
  'The directory does not know the relationships of organisations: its edition comes from a ' +
  'source without them, or from an earlier version of the program. Import a release file.';

/** A record without its relationships would look as if there were none. */
const RELATIONS_UNKNOWN = FhirError.of('unavailable', RELATIONS_UNKNOWN_TEXT);
