/** The records of both sections of an edition, and its relations, for answers that need them. */
import { FhirError } from '../fhir/fhir-error.ts';
import type { Edition } from './edition.ts';
import type { OrganizationRecord } from './record.ts';
import type { Relations } from './relations.ts';

/** Rows are numbered as in `relations`: full records, then reference-only ones. */
export function recordAt({ rows, references }: Edition, row: number): OrganizationRecord {
  return row < rows.count ? rows.recordAt(row) : references.rows.recordAt(row - rows.count);
}

/** Throws a FhirError if the edition does not know its relationships and successions. */
export function requireRelations({ hasRelations, relations }: Edition): Relations {
  if (!hasRelations) throw RELATIONS_UNKNOWN;
  return relations;
}

/** A record without its relationships would look as if there were none. */
const RELATIONS_UNKNOWN = new FhirError([
  {
    kind: 'unavailable',
    diagnostics:
      'The directory does not know the relationships of organisations: its edition comes from a ' +
      'source without them, or from an earlier version of the program. Import a release file.',
  },
]);
