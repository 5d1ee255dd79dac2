/** Merges a partial record over the record that an edition has. */
import type { AddressRecord, PeriodRecord, RoleRecord, SourceRecord } from '../record/record.ts';
import type { LeftOutReason } from './source.ts';
import type { PartialRecord } from './top-up.ts';

export type MergeOutcome =
  | {
      readonly record: SourceRecord;
      /** What the partial record does not state, and what replaces it. */
      readonly notStated: readonly string[];
    }
  | { readonly leftOut: LeftOutReason; readonly detail: string };

type PartialRole = PartialRecord['roles'][number];

/**
 * `primaryCodes` are the codes of roles that can be primary. Fax numbers, relationships, successions
 * and the organisation's own periods stay as they are, because the partial record has none.
 */
export function mergeRecord(
  before: SourceRecord | undefined,
  partial: PartialRecord,
  primaryCodes: ReadonlySet<string>,
): MergeOutcome {
  const notStated: string[] = [];
  const primary = primaryRole(before, partial, primaryCodes, notStated);
  if (primary !== undefined && 'leftOut' in primary) return primary;
  const { isReferenceOnly, roles, telecoms, address, ...rest } = partial;
  const authority = partial.authority ?? before?.authority;
  const recordClass = partial.recordClass ?? before?.recordClass;
  const merged = mergeAddress(before?.address, address);
  return {
    record: {
      ...rest,
      ...(recordClass !== undefined && { recordClass }),
      periods: periodsOf(before, partial, primary, notStated),
      roles: primaryFirst(roles, primary),
      telecoms: [...telecoms, ...keptTelecoms(before, partial)],
      ...(merged !== undefined && { address: merged }),
      ...(authority !== undefined && { authority }),
      ...(isReferenceOnly && { isReferenceOnly }),
      ...(before?.relationships !== undefined && { relationships: before.relationships }),
      ...(before?.successions !== undefined && { successions: before.successions }),
    },
    notStated,
  };
}

/** Undefined for a reference-only record, which needs no primary role. */
function primaryRole(
  before: SourceRecord | undefined,
  { roles, isReferenceOnly }: PartialRecord,
  primaryCodes: ReadonlySet<string>,
  notStated: string[],
): PartialRole | Extract<MergeOutcome, { leftOut: LeftOutReason }> | undefined {
  const known = before?.roles.find(({ isPrimary }) => isPrimary);
  const same =
    roles.find(({ uniqueId }) => uniqueId !== undefined && uniqueId === known?.uniqueId) ??
    roles.find(({ code, isActive }) => code === known?.code && isActive) ??
    roles.find(({ code }) => code === known?.code);
  if (same !== undefined) return same;
  const possible = roles.filter(({ code }) => primaryCodes.has(code));
  const active = possible.filter(({ isActive }) => isActive);
  const [only, ...others] = active.length > 0 ? active : possible;
  if (only !== undefined && others.every(({ code }) => code === only.code)) {
    notStated.push(`the primary role, taken from its code RO${only.code}`);
    return only;
  }
  if (isReferenceOnly) return undefined;
  const detail = roles.map(({ code }) => `RO${code}`).join(', ');
  if (roles.length === 0) return { leftOut: 'no-role', detail: 'the source states no role' };
  return only === undefined
    ? { leftOut: 'no-primary-role', detail: `none of ${detail} is a primary role elsewhere` }
    : { leftOut: 'several-primary-roles', detail: `more than one of ${detail} can be primary` };
}

function primaryFirst(
  roles: readonly PartialRole[],
  primary: PartialRole | undefined,
): readonly RoleRecord[] {
  const ordered =
    primary === undefined ? roles : [primary, ...roles.filter((role) => role !== primary)];
  return ordered.map((role) => ({ ...role, isPrimary: role === primary }));
}

/** An organisation opens and closes with its primary role, in nearly all records. */
function periodsOf(
  before: SourceRecord | undefined,
  { isActive }: PartialRecord,
  primary: PartialRole | undefined,
  notStated: string[],
): readonly PeriodRecord[] {
  if (before !== undefined && before.isActive === isActive) return before.periods;
  if (primary === undefined) return before?.periods ?? [];
  notStated.push(`its own periods, taken from its role RO${primary.code}`);
  return primary.periods;
}

/** The service has no fax numbers. */
function keptTelecoms(before: SourceRecord | undefined, { telecoms }: PartialRecord) {
  if (before === undefined || telecoms.some(({ system }) => system === 'fax')) return [];
  return before.telecoms.filter(({ system }) => system === 'fax');
}

/** The service does not state counties. A county stays if the place is the same. */
function mergeAddress(
  before: AddressRecord | undefined,
  now: AddressRecord | undefined,
): AddressRecord | undefined {
  if (now === undefined || now.district !== undefined || before?.district === undefined) return now;
  const isSamePlace = now.postalCode === before.postalCode && now.city === before.city;
  return isSamePlace ? { ...now, district: before.district } : now;
}
