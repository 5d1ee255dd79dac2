/** A record as an Organization resource: https://hl7.org/fhir/R4/organization.html */

import {
  contactElements,
  displaysOf,
  present,
  type ResourceObject,
} from '../answer/resource-parts.ts';
import type { RecordState, ToOrganization } from '../face.ts';
import type {
  CodeSystems,
  OrganizationRecord,
  PeriodRecord,
  RoleRecord,
} from '../record/record.ts';
import type { DirectorySettings } from '../settings.ts';
import { R4_EXTENSIONS, R4_PROFILES, R4_SYSTEMS } from './systems.ts';

/** The displays of an edition's codes, and the system of organisation codes. */
interface MappingContext {
  readonly codeSystem: string;
  readonly roleDisplays: ReadonlyMap<string, string>;
  readonly recordClassDisplays: ReadonlyMap<string, string>;
}

export function createR4Mapping(
  { organizationCodeSystem }: DirectorySettings,
  { roles, recordClasses }: CodeSystems,
): ToOrganization {
  const context: MappingContext = {
    codeSystem: organizationCodeSystem,
    roleDisplays: displaysOf(roles),
    recordClassDisplays: displaysOf(recordClasses),
  };
  return (record, state) => toOrganization(record, state, context);
}

function toOrganization(
  record: OrganizationRecord,
  { isReferenceOnly, versionId, lastUpdated }: RecordState,
  context: MappingContext,
): ResourceObject {
  const { code, authority, recordClass } = record;
  return {
    resourceType: 'Organization',
    id: code,
    meta: { versionId, lastUpdated, profile: R4_PROFILES.organization },
    extension: [
      ...record.roles.map((role) => roleExtension(role, context)),
      lastChangeExtension(record),
    ],
    identifier: [
      {
        use: 'official',
        system: context.codeSystem,
        value: code,
        ...(authority === undefined ? {} : { assigner: { display: authority } }),
      },
    ],
    active: record.isActive,
    type: [
      { coding: [recordUseCoding(isReferenceOnly)] },
      ...(recordClass === undefined ? [] : [{ coding: [recordClassCoding(recordClass, context)] }]),
    ],
    ...contactElements(record, addressKeyExtension),
  };
}

function roleExtension(role: RoleRecord, { roleDisplays }: MappingContext) {
  const { code, uniqueId, periods, isActive } = role;
  const coding = {
    system: R4_SYSTEMS.role,
    code: `RO${code}`,
    ...present('display', roleDisplays.get(code)),
  };
  return {
    url: R4_EXTENSIONS.role,
    extension: [
      ...(uniqueId === undefined ? [] : [{ url: 'instanceID', valueInteger: uniqueId }]),
      { url: 'roleCode', valueCodeableConcept: { coding: [coding] } },
      ...typedPeriods(periods),
      { url: 'active', valueBoolean: isActive },
    ],
  };
}

function lastChangeExtension({ lastUpdated }: OrganizationRecord) {
  const type = {
    system: R4_SYSTEMS.dateTimeType,
    code: 'LastChangeDate',
    display: 'Last Change Date',
  };
  return typedDateTime(type, lastUpdated);
}

function recordUseCoding(isReferenceOnly: boolean) {
  const code = isReferenceOnly ? 'RefOnly' : 'Full';
  return { system: R4_SYSTEMS.recordUse, code, display: code };
}

function recordClassCoding(code: string, { recordClassDisplays }: MappingContext) {
  return {
    system: R4_SYSTEMS.recordClass,
    code: `RC${code}`,
    ...present('display', recordClassDisplays.get(code)),
  };
}

function addressKeyExtension(uprn: string) {
  const type = {
    system: R4_SYSTEMS.addressKeyType,
    code: 'UPRN',
    display: 'Unique Property Reference Number',
  };
  return {
    url: R4_EXTENSIONS.addressKey,
    extension: [
      { url: 'type', valueCodeableConcept: { coding: [type] } },
      { url: 'value', valueString: uprn },
    ],
  };
}

/** The periods of a role or relationship: Legal first, then Operational. */
export function typedPeriods(periods: readonly PeriodRecord[]): readonly object[] {
  return periods.toSorted((a, b) => rank(a) - rank(b)).map(typedPeriod);
}

/** `type` is a Coding. */
export function typedDateTime(type: object, dateTime: string) {
  return {
    url: R4_EXTENSIONS.typedDateTime,
    extension: [
      { url: 'type', valueCoding: type },
      { url: 'dateTime', valueDateTime: dateTime },
    ],
  };
}

export function periodElement({ start, end }: PeriodRecord) {
  return { start, ...present('end', end) };
}

function rank({ kind }: PeriodRecord): number {
  return kind === 'Legal' ? 0 : 1;
}

function typedPeriod(period: PeriodRecord) {
  const { kind } = period;
  const dateType = { system: R4_SYSTEMS.periodType, code: kind, display: kind };
  return {
    url: R4_EXTENSIONS.typedPeriod,
    extension: [
      { url: 'dateType', valueCoding: dateType },
      { url: 'period', valuePeriod: periodElement(period) },
    ],
  };
}
