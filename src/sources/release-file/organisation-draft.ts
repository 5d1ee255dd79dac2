/** Makes the record of an Organisation element of a release file. */

import type { LeftOutReason } from '../../directory/import/source.ts';
import type { OrganizationRecord, PeriodRecord, RoleRecord } from '../../directory/record.ts';
import type { DateDraft, OrganisationDraft, RoleDraft } from './draft.ts';
import { draftAddress, draftTelecoms } from './draft-contact.ts';
import { cleanText, isCode, isDate, printable, quoted } from './source-text.ts';
import type { Warning } from './warning.ts';

/** A record with its warnings, or the reason why it is left out. */
export type DraftOutcome =
  | { readonly record: OrganizationRecord; readonly warnings: readonly Warning[] }
  | { readonly leftOut: LeftOutReason; readonly code: string; readonly detail?: string };

/** Makes the record of a draft. The publication date replaces a missing LastChangeDate. */
export function recordFromDraft(draft: OrganisationDraft, publicationDate: string): DraftOutcome {
  const code = draft.code?.trim() ?? '';
  if (!isCode(code)) return { leftOut: 'invalid-code', code: printable(code) };
  const warnings: Warning[] = [];
  if (isTrue(draft.refOnly, () => 'refOnly', warnings)) return { leftOut: 'reference-only', code };
  const drafts = draft.roles.filter((role) => hasCode(role, warnings));
  if (drafts.length === 0) return { leftOut: 'no-role', code };
  const primaries = drafts.filter(({ id, primaryRole }) =>
    isTrue(primaryRole, () => `primaryRole of ${roleName(roleCode(id))}`, warnings),
  );
  const [primary] = primaries;
  if (primary === undefined) {
    const unknown = warnings.filter(({ kind }) => kind === 'unknown-value');
    const detail = unknown.map((warning) => warning.detail).join(', ');
    return { leftOut: 'no-primary-role', code, ...(detail !== '' && { detail }) };
  }
  if (primaries.length > 1) {
    const detail = printable(primaries.map((role) => role.id).join(', '));
    return { leftOut: 'several-primary-roles', code, detail };
  }
  const isActive = activity(draft, primary, warnings);
  const ordered =
    drafts[0] === primary ? drafts : [primary, ...drafts.filter((r) => r !== primary)];
  const name = cleanText(draft.name);
  const recordClass = classCode(draft.recordClass);
  if (recordClass === undefined) {
    const detail = `orgRecordClass ${quoted(draft.recordClass ?? '')}`;
    warnings.push({ kind: 'unknown-record-class', detail });
  }
  const address = draftAddress(draft, warnings);
  const record: OrganizationRecord = {
    code,
    ...(name !== undefined && { name }),
    isActive,
    lastUpdated: lastChange(draft.lastChangeDate, publicationDate, warnings),
    ...(recordClass !== undefined && { recordClass }),
    periods: periodsOf(draft.dates, warnings),
    roles: ordered.map((role) => roleOf(role, role === primary, isActive, warnings)),
    telecoms: draftTelecoms(draft, warnings),
    ...(address !== undefined && { address }),
  };
  for (const element of draft.unknownElements) {
    warnings.push({ kind: 'unknown-element', detail: printable(element) });
  }
  return { record, warnings };
}

/** `RO177` → `177`, in any case; undefined where the result is not a code. */
export function roleCode(id: string | undefined): string | undefined {
  const code = (id ?? '').trim().replace(/^RO/i, '');
  return isCode(code) ? code : undefined;
}

/** `177` → `RO177`; a code that is not a number stays the same. */
export function roleName(code: string | undefined): string {
  return code === undefined ? 'a role' : code.replace(/^(?=\d+$)/, 'RO');
}

/** `RC1` → `1`, in any case; undefined where the result is not a code. */
export function classCode(id: string | undefined): string | undefined {
  const code = (id ?? '').trim().replace(/^RC/i, '');
  return isCode(code) ? code : undefined;
}

/** Reads a boolean of XML Schema. Any other value is false, with a warning. */
function isTrue(value: string | undefined, name: () => string, warnings: Warning[]): boolean {
  // Real files have no other values.
  if (value === undefined || value === 'true') return value !== undefined;
  const word = value.trim();
  if (word === 'true' || word === '1') return true;
  if (word !== 'false' && word !== '0') {
    warnings.push({ kind: 'unknown-value', detail: `${name()} ${quoted(value)}` });
  }
  return false;
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
function activity(draft: OrganisationDraft, primary: RoleDraft, warnings: Warning[]): boolean {
  const own = statusOf(draft.status, () => 'Status', warnings);
  if (own !== undefined) return own;
  // The role reports its own warnings.
  const roles = statusOf(primary.status, () => 'Status', []);
  if (roles === undefined) {
    warnings.push({ kind: 'no-status' });
    return false;
  }
  warnings.push({ kind: 'status-from-role', detail: roleName(roleCode(primary.id)) });
  return roles;
}

/**
 * Whether a Status is Active; undefined, with a warning, where it is neither Active nor
 * Inactive.
 */
function statusOf(
  value: string | undefined,
  name: () => string,
  warnings: Warning[],
): boolean | undefined {
  if (value === 'Active') return true;
  if (value === 'Inactive') return false;
  const word = (value ?? '').trim();
  if (/^active$/i.test(word)) return true;
  if (/^inactive$/i.test(word)) return false;
  if (word !== '') warnings.push({ kind: 'unknown-value', detail: `${name()} ${quoted(word)}` });
  return undefined;
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

function dateOf(
  value: string | undefined,
  element: string,
  warnings: Warning[],
): string | undefined {
  const date = cleanText(value);
  if (date === undefined || isDate(date)) return date;
  warnings.push({ kind: 'invalid-date', detail: `${element} ${printable(date)}` });
  return undefined;
}

/** The Operational periods, then the Legal ones, each in the order of the file. */
function periodsOf(dates: readonly DateDraft[], warnings: Warning[]): readonly PeriodRecord[] {
  const operational: PeriodRecord[] = [];
  const legal: PeriodRecord[] = [];
  for (const date of dates) {
    const period = periodOf(date, warnings);
    if (period !== undefined) (period.kind === 'Operational' ? operational : legal).push(period);
  }
  return legal.length === 0 ? operational : [...operational, ...legal];
}

function periodOf(date: DateDraft, warnings: Warning[]): PeriodRecord | undefined {
  const kind = cleanText(date.type);
  if (kind !== 'Operational' && kind !== 'Legal') {
    warnings.push({
      kind: 'element-left-out',
      detail: `a Date of type ${printable(kind ?? '(none)')}`,
    });
    return undefined;
  }
  const start = dateOf(date.start, `${kind} Start`, warnings);
  const end = dateOf(date.end, `${kind} End`, warnings);
  if (start === undefined) {
    warnings.push({ kind: 'period-without-start', detail: kind });
    return undefined;
  }
  if (end === undefined) return { kind, start };
  if (end >= start) return { kind, start, end };
  // FHIR's rule per-1: a period does not end before it starts.
  warnings.push({ kind: 'invalid-date', detail: `${kind} End ${end} before its Start ${start}` });
  return { kind, start };
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
  return {
    code,
    isPrimary,
    isActive,
    periods: periodsOf(role.dates, warnings),
  };
}
