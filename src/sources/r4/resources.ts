/** Reads the resources of the national R4 service: partial records, relationships and removals. */
import type { PartialRecord, Removal } from '../../directory/import/top-up.ts';
import type { RelationshipRecord } from '../../directory/record/record.ts';
import { type FhirObject, type FhirValue, isObject } from '../../fhir/format/resource.ts';
import { R4_EXTENSIONS, R4_SYSTEMS } from '../../interfaces/r4/resources/systems.ts';
import {
  addressRecord,
  createNotes,
  lastChangeOf,
  type Notes,
  objectsOf,
  type PeriodPart,
  periodsOf,
  type ResourceOutcome,
  stringIn,
  telecomRecords,
} from '../fhir/organization-parts.ts';
import { isCode, printable } from '../text/source-text.ts';

/** The resource is valid R4. */
export function partialFromOrganization(
  organization: FhirObject,
): ResourceOutcome<{ readonly record: PartialRecord }> {
  const code = stringIn(organization.id) ?? '';
  if (!isCode(code)) return { leftOut: 'invalid-code', code: printable(code) };
  const notes = createNotes();
  const lastUpdated = lastChangeIn(organization);
  if (lastUpdated === undefined) {
    return { leftOut: 'invalid-resource', code, detail: 'it has no LastChangeDate' };
  }
  if (typeof organization.active !== 'boolean') {
    return { leftOut: 'invalid-resource', code, detail: 'it does not say whether it is active' };
  }
  const { active: isActive } = organization;
  const roles = rolesIn(organization, isActive, notes);
  const name = notes.text(organization.name);
  const classCoding = typeIn(organization, R4_SYSTEMS.recordClass);
  const recordClass = classCoding && notes.coding('recordClasses', classCoding, 'type.');
  const address = addressRecord(organization, uprnIn, notes);
  const authority = authorityIn(organization, code, notes);
  const record: PartialRecord = {
    code,
    ...(name !== undefined && { name }),
    isActive,
    lastUpdated,
    ...(recordClass !== undefined && { recordClass: recordClass.code }),
    isReferenceOnly: typeIn(organization, R4_SYSTEMS.recordUse)?.code === 'RefOnly',
    roles,
    telecoms: telecomRecords(organization, notes),
    ...(address !== undefined && { address }),
    ...(authority !== undefined && { authority }),
  };
  if (notes.problem !== undefined) {
    return { leftOut: 'invalid-resource', code, detail: notes.problem };
  }
  return { record, ...notes.all() };
}

function rolesIn(
  organization: FhirObject,
  isOrganizationActive: boolean,
  notes: Notes,
): PartialRecord['roles'] {
  return objectsOf(organization.extension).flatMap((extension) => {
    if (extension.url !== R4_EXTENSIONS.role) return [];
    const given = codingIn(partNamed(extension, 'roleCode').valueCodeableConcept, R4_SYSTEMS.role);
    const coding = given && notes.coding('roles', given, 'role.');
    if (coding === undefined) {
      notes.warn('unknown-role', 'a role without a code that is understood');
      return [];
    }
    const { valueBoolean: isActive } = partNamed(extension, 'active');
    if (typeof isActive !== 'boolean') notes.warn('no-status', `role RO${coding.code}`);
    const uniqueId = positiveIn(partNamed(extension, 'instanceID').valueInteger);
    return [
      {
        code: coding.code,
        isActive: typeof isActive === 'boolean' ? isActive : isOrganizationActive,
        periods: periodsOf(typedPeriodsIn(extension), notes),
        ...(uniqueId !== undefined && { uniqueId }),
      },
    ];
  });
}

function positiveIn(value: FhirValue | undefined): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** The first coding of the system among the types. */
function typeIn(organization: FhirObject, system: string): FhirObject | undefined {
  return objectsOf(organization.type)
    .flatMap(({ coding }) => objectsOf(coding))
    .find((coding) => coding.system === system);
}

function authorityIn(organization: FhirObject, code: string, notes: Notes): string | undefined {
  const identifier = objectsOf(organization.identifier).find(({ value }) => value === code);
  const assigner = identifier?.assigner;
  return isObject(assigner) ? notes.text(assigner.display) : undefined;
}

function uprnIn(extension: FhirObject) {
  if (extension.url !== R4_EXTENSIONS.addressKey) return undefined;
  const type = codingIn(
    partNamed(extension, 'type').valueCodeableConcept,
    R4_SYSTEMS.addressKeyType,
  );
  return type?.code === 'UPRN' ? partNamed(extension, 'value').valueString : undefined;
}

/** The resource is valid R4. */
export function relationshipFromAffiliation(affiliation: FhirObject): ResourceOutcome<{
  /** The organisation that the relationship belongs to. */
  readonly code: string;
  readonly relationship: RelationshipRecord & { readonly uniqueId: number };
}> {
  const notes = createNotes();
  const id = stringIn(affiliation.id) ?? '';
  const without = (detail: string) => ({ leftOut: 'invalid-resource', code: id, detail }) as const;
  const uniqueId = positiveIn(id);
  if (uniqueId === undefined) return without('its id is not the number of a relationship');
  const code = codeOf(affiliation.organization);
  const target = codeOf(affiliation.participatingOrganization);
  if (code === undefined || target === undefined) {
    return without('it does not name two organisations by their codes');
  }
  const given = codingIn(objectsOf(affiliation.code)[0], R4_SYSTEMS.relationship);
  const coding = given && notes.coding('relationships', given, 'code.');
  if (coding === undefined) return without('it has no type of relationship');
  const { active } = affiliation;
  if (typeof active !== 'boolean') return without('it does not say whether it is active');
  return {
    code,
    relationship: {
      type: coding.code,
      uniqueId,
      isActive: active,
      periods: periodsOf(typedPeriodsIn(affiliation), notes),
      target: { code: target },
    },
    ...notes.all(),
  };
}

/** The code of an organisation, which has no record if there is no `reference`. */
function codeOf(reference: FhirValue | undefined): string | undefined {
  if (!isObject(reference)) return undefined;
  const { identifier } = reference;
  const code =
    (isObject(identifier) ? stringIn(identifier.value) : undefined) ??
    stringIn(reference.reference)?.replace(/^.*\//, '');
  return code !== undefined && isCode(code) ? code : undefined;
}

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

/** The parts of an extension by their URL; of several with one URL the first. */
function partNamed(extension: FhirObject, url: string): FhirObject {
  return objectsOf(extension.extension).find((part) => part.url === url) ?? {};
}

/** The periods among the extensions of an element. */
function typedPeriodsIn(element: FhirObject): readonly PeriodPart[] {
  return objectsOf(element.extension)
    .filter(({ url }) => url === R4_EXTENSIONS.typedPeriod)
    .map((extension) => {
      const { valuePeriod } = partNamed(extension, 'period');
      const { start, end } = isObject(valuePeriod) ? valuePeriod : {};
      const kind = codeIn(partNamed(extension, 'dateType').valueCoding);
      return { kind, start: stringIn(start), end: stringIn(end) };
    });
}

function codeIn(coding: FhirValue | undefined): string | undefined {
  return isObject(coding) ? stringIn(coding.code) : undefined;
}

/** The first coding of a system in a CodeableConcept. A coding without a system has the right one. */
function codingIn(concept: FhirValue | undefined, system: string): FhirObject | undefined {
  if (!isObject(concept)) return undefined;
  return objectsOf(concept.coding).find((coding) => (coding.system ?? system) === system);
}

/** The LastChangeDate of an organisation. */
function lastChangeIn(organization: FhirObject): string | undefined {
  for (const extension of objectsOf(organization.extension)) {
    const isDate = extension.url === R4_EXTENSIONS.typedDateTime;
    if (!isDate || codeIn(partNamed(extension, 'type').valueCoding) !== 'LastChangeDate') continue;
    const date = stringIn(partNamed(extension, 'dateTime').valueDateTime);
    return /^\d{4}-\d\d-\d\d$/.test(date ?? '') ? date : lastChangeOf(date);
  }
  return undefined;
}
