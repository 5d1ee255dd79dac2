/** FHIR read: one resource by its id. https://hl7.org/fhir/STU3/http.html#read */
import { FhirError } from '../fhir-error.ts';
import type { Form } from '../negotiate.ts';
import type { Representation, ServedType } from '../service.ts';

/** Throws `no-record` where no resource has the id. */
export function read(type: ServedType, id: string, form: Form): Representation {
  const representation = type.read?.(id, form);
  if (representation === undefined) {
    throw new FhirError([{ kind: 'no-record', diagnostics: type.notFound }]);
  }
  return representation;
}
