/** A record as an Organization resource: https://hl7.org/fhir/STU3/organization.html */
import type { CodeSystems, OrganizationRecord, PeriodRecord, RoleRecord } from '../record.ts';
import type { DirectorySettings } from '../settings.ts';

/** How records become resources: the settings and the displays of an edition's codes. */
export interface Rendering {
  readonly settings: DirectorySettings;
  readonly roleDisplays: ReadonlyMap<string, string>;
  readonly recordClassDisplays: ReadonlyMap<string, string>;
}

/** A resource in FHIR JSON form, its properties in the order of the definition. */
export type ResourceObject = { readonly resourceType: string; readonly [element: string]: unknown };

export function renderingOf(settings: DirectorySettings, systems: CodeSystems): Rendering {
  const displays = (concepts: CodeSystems['roles']) =>
    new Map(
      concepts.flatMap(({ code, display }) => (display === undefined ? [] : [[code, display]])),
    );
  return {
    settings,
    roleDisplays: displays(systems.roles),
    recordClassDisplays: displays(systems.recordClasses),
  };
}

/** The FHIR form of a record, which is what XML is made of and JSON by default. */
export function toOrganization(record: OrganizationRecord, rendering: Rendering): ResourceObject {
  const { settings } = rendering;
  const { address } = record;
  return {
    resourceType: 'Organization',
    id: record.code,
    meta: { lastUpdated: instantOf(record.lastUpdated), profile: [settings.organizationProfile] },
    extension: [
      ...record.periods.map((period) => activePeriod(period, settings.activePeriodUrl, settings)),
      ...record.roles.map((role) => roleExtension(role, rendering)),
    ],
    identifier: [{ system: settings.organizationCodeSystem, value: record.code }],
    active: record.isActive,
    ...(record.recordClass === undefined
      ? {}
      : { type: [{ coding: [recordClassCoding(record.recordClass, rendering)] }] }),
    ...present('name', record.name),
    ...(record.telecoms.length === 0
      ? {}
      : { telecom: record.telecoms.map(({ system, value }) => ({ system, value })) }),
    ...(address === undefined
      ? {}
      : {
          address: [
            {
              ...(address.uprn === undefined
                ? {}
                : { extension: [{ url: settings.uprnUrl, valueString: address.uprn }] }),
              ...(address.lines.length === 0 ? {} : { line: address.lines }),
              ...present('city', address.city),
              ...present('district', address.district),
              ...present('postalCode', address.postalCode),
              ...present('country', address.country),
            },
          ],
        }),
  };
}

/** The JSON form of the retired national service: single objects where FHIR has arrays. */
export function toLegacyOrganization(organization: ResourceObject): ResourceObject {
  const { meta, identifier, type, address, ...rest } = organization as LegacySource;
  const { resourceType, id, extension, active, ...others } = rest;
  return {
    resourceType,
    id,
    meta: { ...meta, profile: meta.profile[0] },
    extension,
    identifier: identifier[0],
    active,
    ...(type === undefined ? {} : { type: { coding: type[0]?.coding[0] } }),
    ...others,
    ...(address === undefined ? {} : { address: address[0] }),
  };
}

/** A record's last change as a FHIR instant. */
export function instantOf(lastUpdated: string): string {
  return lastUpdated.includes('T') ? lastUpdated : `${lastUpdated}T00:00:00+00:00`;
}

interface LegacySource extends ResourceObject {
  readonly id: string;
  readonly meta: { readonly profile: readonly string[] };
  readonly extension: unknown;
  readonly identifier: readonly unknown[];
  readonly active: boolean;
  readonly type?: readonly { readonly coding: readonly unknown[] }[];
  readonly address?: readonly unknown[];
}

function roleExtension(role: RoleRecord, { settings, roleDisplays }: Rendering) {
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

function recordClassCoding(code: string, { settings, recordClassDisplays }: Rendering) {
  return {
    system: settings.recordClassSystem,
    code,
    ...present('display', recordClassDisplays.get(code)),
  };
}

function present<K extends string>(key: K, value: string | undefined): { [key in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [key in K]?: string };
}
