/** Values of a record that several parts of the directory show. */
import { prefixedId } from './ids.ts';
import type { OrganizationRecord, PeriodKind, PeriodRecord, TelecomRecord } from './record.ts';

/** Undefined for a reference-only record without a primary role. */
export function primaryRoleOf<Role extends { readonly isPrimary: boolean }>({
  roles,
}: {
  readonly roles: readonly Role[];
}): Role | undefined {
  return roles.find(({ isPrimary }) => isPrimary);
}

export function firstPeriod(
  periods: readonly PeriodRecord[],
  wanted: PeriodKind,
): PeriodRecord | undefined {
  return periods.find(({ kind }) => kind === wanted);
}

/** The first value of the system: the first telephone number. */
export function telecomOf(
  { telecoms }: OrganizationRecord,
  wanted: TelecomRecord['system'],
): string | undefined {
  return telecoms.find(({ system }) => system === wanted)?.value;
}

/** Three lines, town and county. A record has at most three lines; more go into the third. */
export function addressCells({ address }: OrganizationRecord): readonly string[] {
  const { lines = [], city = '', district = '' } = address ?? {};
  const [first = '', second = '', ...others] = lines;
  return [first, second, others.join(', '), city, district];
}

/** `RO177`. */
export function primaryRoleId(record: Pick<OrganizationRecord, 'roles'>): string | undefined {
  return prefixedId('RO', primaryRoleOf(record)?.code);
}

/** `RC1`. */
export function recordClassId({ recordClass }: OrganizationRecord): string | undefined {
  return prefixedId('RC', recordClass);
}
