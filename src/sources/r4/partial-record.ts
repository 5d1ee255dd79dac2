/** Makes a partial record of an Organization of the national R4 service. */
import type { LeftOutReason } from '../../directory/import/source.ts';
import type { PartialRecord } from '../../directory/import/top-up.ts';
import { R4_EXTENSIONS, R4_SYSTEMS } from '../../directory/r4/systems.ts';
import { type FhirObject, type FhirValue, isObject } from '../../fhir/format/resource.ts';
import { addressRecord, telecomRecords } from '../fhir/organization-contact.ts';
import { periodsOf } from '../fhir/organization-dates.ts';
import {
  type Coding,
  codingOf,
  createNotes,
  type Notes,
  objectsOf,
  stringIn,
  type Warning,
} from '../fhir/organization-parts.ts';
import { classCode, roleCode } from '../release-file/source-codes.ts';
import { isCode, printable } from '../release-file/source-text.ts';
import { codingIn, lastChangeIn, partNamed, typedPeriodsIn } from './typed-parts.ts';

export type PartialOutcome =
  | {
      readonly record: PartialRecord;
      readonly warnings: readonly Warning[];
      readonly roleCodings: readonly Coding[];
      readonly recordClassCoding: Coding | undefined;
    }
  | { readonly leftOut: LeftOutReason; readonly code: string; readonly detail?: string };

/** The resource is valid R4. */
export function partialFromOrganization(organization: FhirObject): PartialOutcome {
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
  const recordClass = typeIn(organization, R4_SYSTEMS.recordClass, classCode, notes);
  const recordUse = typeIn(organization, R4_SYSTEMS.recordUse, (text) => text, notes);
  const address = addressRecord(organization, uprnIn, notes);
  const authority = authorityIn(organization, code, notes);
  const record: PartialRecord = {
    code,
    ...(name !== undefined && { name }),
    isActive,
    lastUpdated,
    ...(recordClass !== undefined && { recordClass: recordClass.code }),
    isReferenceOnly: recordUse?.code === 'RefOnly',
    roles: roles.map(({ role }) => role),
    telecoms: telecomRecords(organization, notes),
    ...(address !== undefined && { address }),
    ...(authority !== undefined && { authority }),
  };
  if (notes.problem !== undefined) {
    return { leftOut: 'invalid-resource', code, detail: notes.problem };
  }
  return {
    record,
    warnings: notes.warnings(),
    roleCodings: roles.map(({ coding }) => coding),
    recordClassCoding: recordClass,
  };
}

interface ReadRole {
  readonly role: PartialRecord['roles'][number];
  readonly coding: Coding;
}

function rolesIn(
  organization: FhirObject,
  isOrganizationActive: boolean,
  notes: Notes,
): readonly ReadRole[] {
  return objectsOf(organization.extension).flatMap((extension) => {
    if (extension.url !== R4_EXTENSIONS.role) return [];
    const given = codingIn(partNamed(extension, 'roleCode').valueCodeableConcept, R4_SYSTEMS.role);
    const coding = given && codingOf(given, roleCode, 'role.', notes);
    if (coding === undefined) {
      notes.warn('unknown-role', 'a role without a code that is understood');
      return [];
    }
    const { valueBoolean: isActive } = partNamed(extension, 'active');
    if (typeof isActive !== 'boolean') notes.warn('no-status', `role RO${coding.code}`);
    const uniqueId = positiveIn(partNamed(extension, 'instanceID').valueInteger);
    const role = {
      code: coding.code,
      isActive: typeof isActive === 'boolean' ? isActive : isOrganizationActive,
      periods: periodsOf(typedPeriodsIn(extension), notes),
      ...(uniqueId !== undefined && { uniqueId }),
    };
    return [{ role, coding }];
  });
}

export function positiveIn(value: FhirValue | undefined): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function typeIn(
  organization: FhirObject,
  system: string,
  codeOf: (text: string | undefined) => string | undefined,
  notes: Notes,
): Coding | undefined {
  for (const type of objectsOf(organization.type)) {
    const coding = objectsOf(type.coding).find((each) => each.system === system);
    if (coding !== undefined) return codingOf(coding, codeOf, 'type.', notes);
  }
  return undefined;
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
