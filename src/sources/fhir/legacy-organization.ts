/** Reads the JSON of the retired national service as FHIR: arrays where FHIR has arrays. */
import { type FhirValue, isObject } from '../../fhir/format/resource.ts';

/** Changes the Organization in place, because other data refers to its objects. */
export function fromLegacyOrganization(organization: FhirValue | undefined): void {
  if (!isObject(organization)) return;
  const object: Changeable = organization;
  const { meta, type } = object;
  if (isObject(type)) wrap(type, 'coding');
  for (const name of ['identifier', 'type', 'address']) wrap(object, name);
  if (isObject(meta) && typeof meta.profile === 'string') {
    const changeable: Changeable = meta;
    changeable.profile = [meta.profile];
  }
}

/** An object of the JSON reader, which no other code refers to yet. */
type Changeable = { [name: string]: FhirValue | undefined };

/** A single object becomes an array of one. */
function wrap(object: Changeable, name: string): void {
  const value = object[name];
  if (isObject(value)) object[name] = [value];
}
