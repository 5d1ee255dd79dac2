/** A record as an Organization resource: https://hl7.org/fhir/STU3/organization.html */

import type {
  CodeSystems,
  OrganizationRecord,
  PeriodRecord,
  RoleRecord,
} from '../../directory/record/record.ts';
import {
  type CodingElement,
  codings,
  contactElements,
  type ResourceObject,
} from '../answer/resource-parts.ts';
import type { DirectorySettings } from '../answer/settings.ts';

/** The settings, and the Codings of an edition's codes. */
interface Context {
  readonly settings: DirectorySettings;
  readonly roleCoding: (code: string) => CodingElement;
  readonly classCoding: (code: string) => CodingElement;
}

function contextOf(settings: DirectorySettings, { roles, recordClasses }: CodeSystems): Context {
  return {
    settings,
    roleCoding: codings(settings.roleSystem, '', roles),
    classCoding: codings(settings.recordClassSystem, '', recordClasses),
  };
}

/** Maps records of an edition to resources. XML is made of them, and JSON by default. */
export function createStu3Mapping(
  settings: DirectorySettings,
  systems: CodeSystems,
): (record: OrganizationRecord) => ResourceObject {
  const context = contextOf(settings, systems);
  return (record) => toOrganization(record, context);
}

function toOrganization(record: OrganizationRecord, context: Context): ResourceObject {
  const { settings, classCoding } = context;
  const { recordClass } = record;
  return {
    resourceType: 'Organization',
    id: record.code,
    meta: { lastUpdated: instantOf(record.lastUpdated), profile: [settings.organizationProfile] },
    extension: [
      ...activePeriods(record.periods, settings.activePeriodUrl, settings),
      ...record.roles.map((role) => roleExtension(role, context)),
    ],
    identifier: [{ system: settings.organizationCodeSystem, value: record.code }],
    active: record.isActive,
    ...(recordClass !== undefined && { type: [{ coding: [classCoding(recordClass)] }] }),
    ...contactElements(record, (uprn) => ({ url: settings.uprnUrl, valueString: uprn })),
  };
}

/** A record's last change as a FHIR instant. */
function instantOf(lastUpdated: string): string {
  return lastUpdated.includes('T') ? lastUpdated : `${lastUpdated}T00:00:00+00:00`;
}

function roleExtension(role: RoleRecord, { settings, roleCoding }: Context) {
  return {
    url: settings.roleUrl,
    extension: [
      { url: 'role', valueCoding: roleCoding(role.code) },
      { url: settings.primaryRoleUrl, valueBoolean: role.isPrimary },
      ...activePeriods(role.periods, 'activePeriod', settings),
      { url: 'status', valueString: role.isActive ? 'Active' : 'Inactive' },
    ],
  };
}

/** Without the periods that have no start, because the profile requires a start. */
function activePeriods(
  periods: readonly PeriodRecord[],
  url: string,
  { dateTypeUrl }: DirectorySettings,
): readonly object[] {
  return periods
    .filter(({ start }) => start !== undefined)
    .map(({ kind, start, end }) => ({
      url,
      valuePeriod: {
        extension: [{ url: dateTypeUrl, valueString: kind }],
        start,
        ...(end !== undefined && { end }),
      },
    }));
}
