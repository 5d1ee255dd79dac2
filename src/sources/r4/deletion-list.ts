/** Reads the Lists in which the national R4 service names what it has removed. */
import type { Removal } from '../../directory/import/top-up.ts';
import { R4_EXTENSIONS } from '../../directory/r4/systems.ts';
import { type FhirObject, isObject } from '../../fhir/format/resource.ts';
import { objectsOf, stringIn } from '../fhir/organization-parts.ts';
import { partNamed } from './typed-parts.ts';

/** The ids of the Lists. */
export const DELETION_LISTS: Readonly<Record<string, Removal['kind']>> = {
  'Organization-deletion': 'organization',
  'OrganizationAffiliation-deletion': 'relationship',
  'Organization-role-deletion': 'role',
  'Organization-succession-deletion': 'succession',
};

/**
 * Undefined for another List. The date of an entry can be in an extension, as in the lists of this
 * program. An entry without an identifier or a date is left out.
 */
export function removalsIn(list: FhirObject): readonly Removal[] | undefined {
  const kind = DELETION_LISTS[stringIn(list.id) ?? ''];
  if (kind === undefined) return undefined;
  return objectsOf(list.entry).flatMap(({ item, date, extension }) => {
    const identifier = isObject(item) ? item.identifier : undefined;
    const id = isObject(identifier) ? stringIn(identifier.value) : undefined;
    const dated = objectsOf(extension).find(({ url }) => url === R4_EXTENSIONS.typedDateTime) ?? {};
    const on = stringIn(date ?? partNamed(dated, 'dateTime').valueDateTime);
    if (id === undefined || on === undefined || Number.isNaN(Date.parse(on))) return [];
    return [{ kind, id, date: on }];
  });
}
