/** A record as an Organization resource: https://hl7.org/fhir/R4/organization.html */

import type {
  CodeSystems,
  OrganizationRecord,
  PeriodRecord,
  RoleRecord,
} from '../../../directory/record/record.ts';
import {
  type CodingElement,
  coding,
  codings,
  contactElements,
  type ResourceObject,
} from '../../answer/resource-parts.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import type { RecordState, ToOrganization } from '../../faces/face.ts';
import { R4_EXTENSIONS, R4_PROFILES, R4_SYSTEMS } from './systems.ts';

/** The Codings of an edition's codes, and the system of organisation codes. */
interface Context {
  readonly codeSystem: string;
  readonly roleCoding: (code: string) => CodingElement;
  readonly classCoding: (code: string) => CodingElement;
}

function contextOf(codeSystem: string, { roles, recordClasses }: CodeSystems): Context {
  return {
    codeSystem,
    roleCoding: codings(R4_SYSTEMS.role, 'RO', roles),
    classCoding: codings(R4_SYSTEMS.recordClass, 'RC', recordClasses),
  };
}

export function createR4Mapping(
  { organizationCodeSystem }: DirectorySettings,
  systems: CodeSystems,
): ToOrganization {
  const context = contextOf(organizationCodeSystem, systems);
  return (record, state) => toOrganization(record, state, context);
}

function toOrganization(
  record: OrganizationRecord,
  { isReferenceOnly, versionId, lastUpdated }: RecordState,
  context: Context,
): ResourceObject {
  const { codeSystem, classCoding } = context;
  const { code, authority, recordClass } = record;
  return {
    resourceType: 'Organization',
    id: code,
    meta: { versionId, lastUpdated, profile: R4_PROFILES.organization },
    extension: [
      ...record.roles.map((role) => roleExtension(role, context)),
      typedDateTime(LAST_CHANGE, record.lastUpdated),
    ],
    identifier: [
      {
        use: 'official',
        system: codeSystem,
        value: code,
        ...(authority !== undefined && { assigner: { display: authority } }),
      },
    ],
    active: record.isActive,
    type: [
      { coding: [isReferenceOnly ? REFERENCE_ONLY : FULL] },
      ...(recordClass === undefined ? [] : [{ coding: [classCoding(recordClass)] }]),
    ],
    ...contactElements(record, addressKeyExtension),
  };
}

const LAST_CHANGE = coding(R4_SYSTEMS.dateTimeType, 'LastChangeDate', 'Last Change Date');
const FULL = coding(R4_SYSTEMS.recordUse, 'Full', 'Full');
const REFERENCE_ONLY = coding(R4_SYSTEMS.recordUse, 'RefOnly', 'RefOnly');

function roleExtension({ code, uniqueId, periods, isActive }: RoleRecord, { roleCoding }: Context) {
  return {
    url: R4_EXTENSIONS.role,
    extension: [
      ...(uniqueId === undefined ? [] : [{ url: 'instanceID', valueInteger: uniqueId }]),
      { url: 'roleCode', valueCodeableConcept: { coding: [roleCoding(code)] } },
      ...typedPeriods(periods),
      { url: 'active', valueBoolean: isActive },
    ],
  };
}

function addressKeyExtension(uprn: string) {
  return {
    url: R4_EXTENSIONS.addressKey,
    extension: [
      { url: 'type', valueCodeableConcept: { coding: [UPRN] } },
      { url: 'value', valueString: uprn },
    ],
  };
}

const UPRN = coding(R4_SYSTEMS.addressKeyType, 'UPRN', 'Unique Property Reference Number');

/** The periods of a role or relationship: Legal first, then Operational. */
export function typedPeriods(periods: readonly PeriodRecord[]): readonly object[] {
  return periods.toSorted((a, b) => rank(a) - rank(b)).map(typedPeriod);
}

/** `type` is a Coding. */
export function typedDateTime(type: object, dateTime: string): object {
  return {
    url: R4_EXTENSIONS.typedDateTime,
    extension: [
      { url: 'type', valueCoding: type },
      { url: 'dateTime', valueDateTime: dateTime },
    ],
  };
}

export function periodElement({ start, end }: PeriodRecord): Pick<PeriodRecord, 'start' | 'end'> {
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

function rank({ kind }: PeriodRecord): number {
  return kind === 'Legal' ? 0 : 1;
}

function typedPeriod(period: PeriodRecord) {
  const dateType = coding(R4_SYSTEMS.periodType, period.kind, period.kind);
  return {
    url: R4_EXTENSIONS.typedPeriod,
    extension: [
      { url: 'dateType', valueCoding: dateType },
      { url: 'period', valuePeriod: periodElement(period) },
    ],
  };
}
