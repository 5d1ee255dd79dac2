/** Makes the record of an Organisation element of a release file. */

import type {
  AddressRecord,
  RoleRecord,
  SourceRecord,
  TelecomRecord,
} from '../../../directory/record/record.ts';
import type { LeftOutReason, Warning } from '../../../directory/record/source.ts';
import { makeAddress } from '../../text/make-address.ts';
import { classCode, roleCode, roleName } from '../../text/source-codes.ts';
import { cleanText, isCode, printable, quoted } from '../../text/source-text.ts';
import type { OrganisationDraft, RoleDraft } from './draft.ts';
import { draftRelationships, draftSuccessions } from './draft-links.ts';
import { dateOf, draftPeriods, isTrue, statusOf, uniqueIdOf } from './draft-parts.ts';

/** A record with its warnings, or the reason why it is left out. */
type DraftOutcome =
  | { readonly record: SourceRecord; readonly warnings: readonly Warning[] }
  | { readonly leftOut: LeftOutReason; readonly code: string; readonly detail?: string };

/** Makes the record of a draft. The publication date replaces a missing LastChangeDate. */
export function recordFromDraft(draft: OrganisationDraft, publicationDate: string): DraftOutcome {
  const code = draft.code?.trim() ?? '';
  if (!isCode(code)) return { leftOut: 'invalid-code', code: printable(code) };
  const warnings: Warning[] = [];
  const isReferenceOnly = isTrue(draft.refOnly, () => 'refOnly', warnings);
  const roles = rolesOf(draft, isReferenceOnly, warnings);
  if ('leftOut' in roles) return { code, ...roles };
  const { primary, ordered } = roles;
  const isActive = activity(draft, primary, warnings);
  const name = cleanText(draft.name);
  const recordClass = classCode(draft.recordClass);
  if (recordClass === undefined) {
    const detail = `orgRecordClass ${quoted(draft.recordClass ?? '')}`;
    warnings.push({ kind: 'unknown-record-class', detail });
  }
  const address = draftAddress(draft, warnings);
  const authority = cleanText(draft.authority);
  const relationships = draftRelationships(draft, isActive, warnings);
  const successions = draftSuccessions(draft, warnings);
  const record: SourceRecord = {
    code,
    ...(name !== undefined && { name }),
    isActive,
    lastUpdated: lastChange(draft.lastChangeDate, publicationDate, warnings),
    ...(recordClass !== undefined && { recordClass }),
    periods: draftPeriods(draft.dates, warnings),
    roles: ordered.map((role) => roleOf(role, role === primary, isActive, warnings)),
    telecoms: draftTelecoms(draft, warnings),
    ...(address !== undefined && { address }),
    ...(authority !== undefined && { authority }),
    ...(isReferenceOnly && { isReferenceOnly }),
    ...(relationships.length > 0 && { relationships }),
    ...(successions.length > 0 && { successions }),
  };
  for (const element of draft.unknownElements) {
    warnings.push({ kind: 'unknown-element', detail: printable(element) });
  }
  return { record, warnings };
}

interface RoleDrafts {
  readonly primary: RoleDraft | undefined;
  /** The primary role first. */
  readonly ordered: readonly RoleDraft[];
}

/** The roles of a draft, or the reason why its record is left out. Reference-only records are not. */
function rolesOf(
  draft: OrganisationDraft,
  isReferenceOnly: boolean,
  warnings: Warning[],
): RoleDrafts | { readonly leftOut: LeftOutReason; readonly detail?: string } {
  const drafts = draft.roles.filter((role) => hasCode(role, warnings));
  if (drafts.length === 0 && !isReferenceOnly) return { leftOut: 'no-role' };
  const primaries = drafts.filter(({ id, primaryRole }) =>
    isTrue(primaryRole, () => `primaryRole of ${roleName(roleCode(id))}`, warnings),
  );
  const [primary] = primaries;
  if (isReferenceOnly) return { primary, ordered: primaryFirst(drafts, primary) };
  if (primary === undefined) {
    const unknown = warnings.filter(({ kind }) => kind === 'unknown-value');
    const detail = unknown.map((warning) => warning.detail).join(', ');
    return { leftOut: 'no-primary-role', ...(detail !== '' && { detail }) };
  }
  if (primaries.length > 1) {
    const detail = printable(primaries.map((role) => role.id).join(', '));
    return { leftOut: 'several-primary-roles', detail };
  }
  return { primary, ordered: primaryFirst(drafts, primary) };
}

function primaryFirst(
  drafts: readonly RoleDraft[],
  primary: RoleDraft | undefined,
): readonly RoleDraft[] {
  if (primary === undefined || drafts[0] === primary) return drafts;
  return [primary, ...drafts.filter((draft) => draft !== primary)];
}

function hasCode(role: RoleDraft, warnings: Warning[]): boolean {
  if (roleCode(role.id) !== undefined) return true;
  warnings.push({
    kind: 'unknown-role',
    detail: `a role without a code: ${printable(role.id ?? 'no id')}`,
  });
  return false;
}

/** Uses the Status of the organisation, or else that of its primary role, or else inactive. */
function activity(
  draft: OrganisationDraft,
  primary: RoleDraft | undefined,
  warnings: Warning[],
): boolean {
  const own = statusOf(draft.status, () => 'Status', warnings);
  if (own !== undefined) return own;
  // The role reports its own warnings.
  const roles = statusOf(primary?.status, () => 'Status', []);
  if (roles === undefined) {
    warnings.push({ kind: 'no-status' });
    return false;
  }
  warnings.push({ kind: 'status-from-role', detail: roleName(roleCode(primary?.id)) });
  return roles;
}

function lastChange(
  value: string | undefined,
  publicationDate: string,
  warnings: Warning[],
): string {
  const date = dateOf(value, 'LastChangeDate', warnings);
  if (date !== undefined) return date;
  warnings.push({ kind: 'no-last-change-date' });
  return publicationDate;
}

function roleOf(
  role: RoleDraft,
  isPrimary: boolean,
  isOrganisationActive: boolean,
  warnings: Warning[],
): RoleRecord {
  const code = roleCode(role.id) ?? '';
  let isActive = statusOf(role.status, () => `Status of ${roleName(code)}`, warnings);
  if (isActive === undefined) {
    isActive = isOrganisationActive;
    warnings.push({ kind: 'no-status', detail: `role ${roleName(code)}` });
  }
  const uniqueId = uniqueIdOf(role.uniqueId, 'uniqueRoleId', warnings);
  return {
    code,
    isPrimary,
    isActive,
    periods: draftPeriods(role.dates, warnings),
    ...(uniqueId !== undefined && { uniqueId }),
  };
}

function draftTelecoms(draft: OrganisationDraft, warnings: Warning[]): readonly TelecomRecord[] {
  const telecoms: TelecomRecord[] = [];
  for (const contact of draft.contacts) {
    const value = cleanText(contact.value);
    if (value === undefined) continue;
    const system = contactSystems.get(contact.type?.trim().toLowerCase() ?? '');
    if (system === undefined) {
      warnings.push({ kind: 'unknown-contact-type', detail: printable(contact.type ?? '(none)') });
    }
    telecoms.push({ system: system ?? 'other', value });
  }
  return telecoms;
}

const contactSystems: ReadonlyMap<string, TelecomRecord['system']> = new Map([
  ['tel', 'phone'],
  ['fax', 'fax'],
  ['mailto', 'email'],
  ['http', 'url'],
  // As an export writes the contacts of unknown types.
  ['other', 'other'],
]);

function draftAddress(draft: OrganisationDraft, warnings: Warning[]): AddressRecord | undefined {
  const [location, ...others] = draft.locations;
  if (others.length > 0)
    warnings.push({ kind: 'element-left-out', detail: 'all but the first Location' });
  if (location === undefined) return undefined;
  const { lines, town: city, county: district, postCode: postalCode, country, uprn } = location;
  return makeAddress({ lines, city, district, postalCode, country, uprn }, cleanText);
}
