/** Makes a record of an Organization resource, the inverse of `organization.ts`, and names the URIs that it understands. */
import type { OrganizationRecord, RoleRecord } from '../../directory/record/record.ts';
import { type FhirObject, isObject } from '../../fhir/format/resource.ts';
import type { DirectorySettings } from '../../interfaces/answer/settings.ts';
import { roleSystemsOf } from '../../interfaces/stu3/role-systems.ts';
import { isCode, printable, quoted } from '../text/source-text.ts';
import {
  addressRecord,
  type Coding,
  createNotes,
  lastChangeOf,
  type Notes,
  noteOthers,
  objectsOf,
  type PeriodPart,
  periodsOf,
  type ResourceOutcome,
  stringIn,
  telecomRecords,
} from './organization-parts.ts';

export type OrganizationOutcome = ResourceOutcome<{ readonly record: OrganizationRecord }>;

/**
 * Makes the record of a resource that is valid STU3. `defaultLastUpdated` replaces a missing
 * `meta.lastUpdated`. The code is empty if the resource has none.
 */
export function recordFromOrganization(
  organization: FhirObject,
  uris: UnderstoodUris,
  defaultLastUpdated: string,
): OrganizationOutcome {
  const code = stringIn(organization.id) ?? '';
  const notes = createNotes();
  const problem = identityProblem(organization, code, uris, notes);
  if (problem !== undefined) return { leftOut: 'invalid-resource', code, detail: problem };
  if (!isCode(code)) return { leftOut: 'invalid-code', code: printable(code) };

  const { periods, roles } = extensionsOf(organization, uris, notes);
  if (roles.length === 0) return { leftOut: 'no-role', code };
  const primaries = roles.filter((role) => role.isPrimary);
  const [primary] = primaries;
  if (primary === undefined) return { leftOut: 'no-primary-role', code };
  if (primaries.length > 1) {
    const detail = printable(primaries.map((role) => role.coding.code).join(', '));
    return { leftOut: 'several-primary-roles', code, detail };
  }
  const ordered = roles[0] === primary ? roles : [primary, ...roles.filter((r) => r !== primary)];
  const isActive = activity(organization, primary, notes);
  const name = notes.text(organization.name);
  const recordClass = recordClassOf(organization, uris, notes);
  const uprnIn = ({ url, valueString }: FhirObject) =>
    uris.uprn.has(stringIn(url) ?? '') ? (valueString ?? '') : undefined;
  const address = addressRecord(organization, uprnIn, notes);
  const record: OrganizationRecord = {
    code,
    ...(name !== undefined && { name }),
    isActive,
    lastUpdated: lastUpdatedOf(organization, defaultLastUpdated, notes),
    ...(recordClass !== undefined && { recordClass: recordClass.code }),
    periods: periodsOf(periods, notes),
    roles: ordered.map((role) => roleRecord(role, isActive, notes)),
    telecoms: telecomRecords(organization, notes),
    ...(address !== undefined && { address }),
  };
  noteOthers(organization, KNOWN.organization, '', notes);
  if (notes.problem !== undefined) {
    return { leftOut: 'invalid-resource', code, detail: notes.problem };
  }
  return { record, ...notes.all() };
}

/** The elements that become part of a record. The import leaves out all others with a note. */
const KNOWN = {
  organization: new Set([
    'resourceType',
    'id',
    'meta',
    'extension',
    'identifier',
    'active',
    'type',
    'name',
    'telecom',
    'address',
  ]),
  // The version and the profiles belong to the server that the resource comes from.
  meta: new Set(['lastUpdated', 'versionId', 'profile']),
  identifier: new Set(['system', 'value']),
  type: new Set(['coding']),
} as const;

/** Why the id is not the organisation code of an identifier; undefined if it is. */
function identityProblem(
  organization: FhirObject,
  id: string,
  uris: UnderstoodUris,
  notes: Notes,
): string | undefined {
  if (id === '') return 'it has no id';
  const values: (string | undefined)[] = [];
  for (const identifier of objectsOf(organization.identifier)) {
    if (!uris.organizationCodeSystem.has(stringIn(identifier.system) ?? '')) {
      notes.leftOut('another identifier');
      continue;
    }
    values.push(notes.text(identifier.value));
    noteOthers(identifier, KNOWN.identifier, 'identifier.', notes);
  }
  if (values.includes(id)) {
    if (values.length > 1) notes.leftOut('another identifier');
    return undefined;
  }
  const [value] = values;
  if (value !== undefined) return `its id and its identifier ${quoted(value)} differ`;
  const [system = ''] = uris.organizationCodeSystem;
  return `it has no identifier of the system ${system}`;
}

interface RoleDraft {
  readonly coding: Coding;
  readonly isPrimary: boolean;
  /** Undefined if the resource does not state it. */
  readonly isActive: boolean | undefined;
  readonly periods: readonly PeriodPart[];
}

function extensionsOf(organization: FhirObject, uris: UnderstoodUris, notes: Notes) {
  const periods: PeriodPart[] = [];
  const roles: RoleDraft[] = [];
  for (const extension of objectsOf(organization.extension)) {
    const url = stringIn(extension.url) ?? '';
    if (uris.role.has(url)) {
      const role = roleDraft(extension, uris, notes);
      if (role !== undefined) roles.push(role);
    } else if (uris.activePeriod.has(url)) {
      periods.push(periodPart(extension, uris, notes));
    } else {
      notes.leftOut(`extension ${printable(url)}`);
    }
  }
  return { periods, roles };
}

function roleDraft(
  extension: FhirObject,
  uris: UnderstoodUris,
  notes: Notes,
): RoleDraft | undefined {
  let coding: Coding | undefined;
  let isPrimary = false;
  let isActive: boolean | undefined;
  const periods: PeriodPart[] = [];
  for (const part of objectsOf(extension.extension)) {
    const url = stringIn(part.url) ?? '';
    if (url === 'role') coding = roleCoding(part, uris, notes);
    else if (uris.primaryRole.has(url)) isPrimary = part.valueBoolean === true;
    else if (url === 'activePeriod') periods.push(periodPart(part, uris, notes));
    else if (url === 'status') isActive = statusOf(notes.text(part.valueString));
    else notes.leftOut(`extension ${printable(url)} of a role`);
  }
  if (coding === undefined) {
    notes.warn('unknown-role', 'a role without a code that is understood');
    return undefined;
  }
  return { coding, isPrimary, isActive, periods };
}

/** The period of an ActivePeriod extension; its kind is an extension of the Period. */
function periodPart(extension: FhirObject, uris: UnderstoodUris, notes: Notes): PeriodPart {
  const { valuePeriod } = extension;
  if (!isObject(valuePeriod)) return { kind: undefined, start: undefined, end: undefined };
  noteOthers(valuePeriod, PERIOD, 'activePeriod.', notes);
  let kind: string | undefined;
  for (const part of objectsOf(valuePeriod.extension)) {
    const url = stringIn(part.url) ?? '';
    if (uris.dateType.has(url)) kind = notes.text(part.valueString);
    else notes.leftOut(`extension ${printable(url)} of a period`);
  }
  return { kind, start: stringIn(valuePeriod.start), end: stringIn(valuePeriod.end) };
}

const PERIOD = new Set(['extension', 'start', 'end']);

function roleCoding(part: FhirObject, uris: UnderstoodUris, notes: Notes): Coding | undefined {
  const { valueCoding } = part;
  if (!isObject(valueCoding)) return undefined;
  const { system } = valueCoding;
  if (system !== undefined && !uris.roleSystem.has(stringIn(system) ?? '')) {
    notes.warn('unknown-role', `a code of the system ${printable(stringIn(system) ?? '')}`);
    return undefined;
  }
  return notes.coding('roles', valueCoding, 'role.');
}

/** Undefined for a value that is neither active nor inactive. */
function statusOf(value: string | undefined): boolean | undefined {
  const word = value?.toLowerCase();
  return word === 'active' ? true : word === 'inactive' ? false : undefined;
}

/** Uses its own status, or else that of its primary role, or else inactive, as for release files. */
function activity(organization: FhirObject, primary: RoleDraft, notes: Notes): boolean {
  if (typeof organization.active === 'boolean') return organization.active;
  if (primary.isActive === undefined) {
    notes.warn('no-status');
    return false;
  }
  notes.warn('status-from-role', `RO${primary.coding.code}`);
  return primary.isActive;
}

function roleRecord(role: RoleDraft, isOrganizationActive: boolean, notes: Notes): RoleRecord {
  const { code } = role.coding;
  if (role.isActive === undefined) notes.warn('no-status', `role RO${code}`);
  return {
    code,
    isPrimary: role.isPrimary,
    isActive: role.isActive ?? isOrganizationActive,
    periods: periodsOf(role.periods, notes),
  };
}

function lastUpdatedOf(organization: FhirObject, defaultLastUpdated: string, notes: Notes): string {
  const { meta } = organization;
  const instant = isObject(meta) ? stringIn(meta.lastUpdated) : undefined;
  if (isObject(meta)) noteOthers(meta, KNOWN.meta, 'meta.', notes);
  const lastChange = lastChangeOf(instant);
  if (lastChange !== undefined) return lastChange;
  if (instant !== undefined) notes.warn('invalid-date', `meta.lastUpdated ${printable(instant)}`);
  notes.warn('no-last-change-date');
  return defaultLastUpdated;
}

/** The first coding of the system of record classes. */
function recordClassOf(
  organization: FhirObject,
  uris: UnderstoodUris,
  notes: Notes,
): Coding | undefined {
  let found: Coding | undefined;
  for (const type of objectsOf(organization.type)) {
    noteOthers(type, KNOWN.type, 'type.', notes);
    for (const coding of objectsOf(type.coding)) {
      const isRecordClass = uris.recordClassSystem.has(stringIn(coding.system) ?? '');
      if (!isRecordClass || found !== undefined) notes.leftOut('another type');
      else found = notes.coding('recordClasses', coding, 'type.');
    }
  }
  return found;
}

/** The URIs that the elements of an Organization may have. */
export type UnderstoodUris = Readonly<
  Record<
    | 'organizationCodeSystem'
    | 'activePeriod'
    | 'dateType'
    | 'role'
    | 'primaryRole'
    | 'roleSystem'
    | 'recordClassSystem'
    | 'uprn',
    ReadonlySet<string>
  >
>;

/** Combines the URIs of several settings: the configured ones and the defaults. */
export function understoodUris(settings: readonly DirectorySettings[]): UnderstoodUris {
  const all = (uriOf: (each: DirectorySettings) => string): ReadonlySet<string> =>
    new Set(settings.map(uriOf));
  return {
    organizationCodeSystem: all((each) => each.organizationCodeSystem),
    activePeriod: all((each) => each.activePeriodUrl),
    dateType: all((each) => each.dateTypeUrl),
    role: all((each) => each.roleUrl),
    // The profile and the description of the service spell it differently.
    primaryRole: new Set([...all((each) => each.primaryRoleUrl), 'primaryRole', 'primaryrole']),
    roleSystem: new Set(settings.flatMap((each) => [...roleSystemsOf(each)])),
    recordClassSystem: all((each) => each.recordClassSystem),
    uprn: all((each) => each.uprnUrl),
  };
}
