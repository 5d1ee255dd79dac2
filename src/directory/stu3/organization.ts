/** A record as an Organization resource: https://hl7.org/fhir/STU3/organization.html */

import {
  contactElements,
  displaysOf,
  present,
  type ResourceObject,
} from '../answer/resource-parts.ts';
import type {
  CodeSystems,
  OrganizationRecord,
  PeriodRecord,
  RoleRecord,
} from '../record/record.ts';
import type { DirectorySettings } from '../settings.ts';

/** The settings, and the displays of an edition's codes. */
interface MappingContext {
  readonly settings: DirectorySettings;
  readonly roleDisplays: ReadonlyMap<string, string>;
  readonly recordClassDisplays: ReadonlyMap<string, string>;
}

/** Maps records of an edition to resources. XML is made of them, and JSON by default. */
export function createStu3Mapping(
  settings: DirectorySettings,
  systems: CodeSystems,
): (record: OrganizationRecord) => ResourceObject {
  const context: MappingContext = {
    settings,
    roleDisplays: displaysOf(systems.roles),
    recordClassDisplays: displaysOf(systems.recordClasses),
  };
  return (record) => toOrganization(record, context);
}

function toOrganization(record: OrganizationRecord, context: MappingContext): ResourceObject {
  const { settings } = context;
  return {
    resourceType: 'Organization',
    id: record.code,
    meta: { lastUpdated: instantOf(record.lastUpdated), profile: [settings.organizationProfile] },
    extension: [
      ...record.periods.map((period) => activePeriod(period, settings.activePeriodUrl, settings)),
      ...record.roles.map((role) => roleExtension(role, context)),
    ],
    identifier: [{ system: settings.organizationCodeSystem, value: record.code }],
    active: record.isActive,
    ...(record.recordClass === undefined
      ? {}
      : { type: [{ coding: [recordClassCoding(record.recordClass, context)] }] }),
    ...contactElements(record, (uprn) => ({ url: settings.uprnUrl, valueString: uprn })),
  };
}

/** A record's last change as a FHIR instant. */
function instantOf(lastUpdated: string): string {
  return lastUpdated.includes('T') ? lastUpdated : `${lastUpdated}T00:00:00+00:00`;
}

function roleExtension(role: RoleRecord, { settings, roleDisplays }: MappingContext) {
  return {
    url: settings.roleUrl,
    extension: [
      {
        url: 'role',
        valueCoding: {
          system: settings.roleSystem,
          code: role.code,
          ...present('display', roleDisplays.get(role.code)),
        },
      },
      { url: settings.primaryRoleUrl, valueBoolean: role.isPrimary },
      ...role.periods.map((period) => activePeriod(period, 'activePeriod', settings)),
      { url: 'status', valueString: role.isActive ? 'Active' : 'Inactive' },
    ],
  };
}

function activePeriod(period: PeriodRecord, url: string, settings: DirectorySettings) {
  return {
    url,
    valuePeriod: {
      extension: [{ url: settings.dateTypeUrl, valueString: period.kind }],
      start: period.start,
      ...present('end', period.end),
    },
  };
}

function recordClassCoding(code: string, { settings, recordClassDisplays }: MappingContext) {
  return {
    system: settings.recordClassSystem,
    code,
    ...present('display', recordClassDisplays.get(code)),
  };
}
