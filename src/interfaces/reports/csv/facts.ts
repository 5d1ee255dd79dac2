/** What layouts of reports say about a record: its dates, roles and parent on a day. */

import { activeRows } from '../../../directory/edition/edition.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import type { RelatedTarget, Relationship } from '../../../directory/links/edition-links.ts';
import { firstDay, lastDay } from '../../../directory/record/day.ts';
import { prefixedId } from '../../../directory/record/ids.ts';
import { inTime, latestOn, nextAfter } from '../../../directory/record/in-force.ts';
import type {
  OrganizationRecord,
  PeriodKind,
  PeriodRecord,
  RoleRecord,
} from '../../../directory/record/record.ts';
import { firstPeriod } from '../../../directory/record/record-facts.ts';
import type { ReportView } from './report.ts';

/** `YYYYMMDD` of a whole date, or empty. */
export function compactDate(date = ''): string {
  return date.slice(0, 10).replaceAll('-', '');
}

/** The first and the last day of a period, in the same form. */
export function compactPeriod({ start, end }: Partial<PeriodRecord> = {}): {
  readonly start: string;
  readonly end: string;
} {
  return { start: compactDate(firstDay(start)), end: compactDate(lastDay(end)) };
}

/** The period of the kind, or the first one of the other kind. */
export function periodOfKind(
  periods: readonly PeriodRecord[],
  wanted: PeriodKind,
): PeriodRecord | undefined {
  return firstPeriod(periods, wanted) ?? periods[0];
}

/** The national service archived the organisations that had closed before this day. */
export const ARCHIVE_DATE = '2017-03-31';

/**
 * Whether reports list the organisation. Those as at a day leave out what opens later. Those of the
 * present dialect leave out what had closed before the archive date.
 */
export function isListed(
  record: OrganizationRecord,
  { day, isAsAt, dialect }: ReportView,
): boolean {
  const { period: operational } = inTime(record, day);
  if (operational === undefined) return true;
  const { start = '' } = operational;
  const end = lastDay(operational.end);
  if (isAsAt && start > day) return false;
  if (end === undefined || dialect === 'former') return true;
  return end >= (isAsAt && day < ARCHIVE_DATE ? day : ARCHIVE_DATE);
}

/** Whether the national service had archived the organisation. */
export function isArchived(record: OrganizationRecord, { day }: ReportView): boolean {
  const end = lastDay(inTime(record, day).period?.end);
  return end !== undefined && end < ARCHIVE_DATE;
}

/** Whether the organisation is open on the day of the view. */
export function isOpen({ isActive, periods }: OrganizationRecord, view: ReportView): boolean {
  return view.isAsAt ? inTime({ isActive, periods }, view.day).phase === 'now' : isActive;
}

/** The same for the organisation of a row, which is numbered as in `links`. */
export function isRowOpen(row: number, view: ReportView): boolean {
  const { edition, isAsAt } = view;
  return isAsAt ? isOpen(recordAt(edition, row), view) : activeRows(edition)(row);
}

/** The roles besides the primary one: those in force, or all if none is. Each code once. */
export function heldRoles({ roles }: OrganizationRecord, day: string): readonly RoleRecord[] {
  const others = roles.filter(({ isPrimary }) => !isPrimary);
  const held = others.filter((role) => inTime(role, day).phase === 'now');
  return [...new Map((held.length > 0 ? held : others).map((role) => [role.code, role])).values()];
}

/** Their codes. */
export function otherRoles(record: OrganizationRecord, { day }: ReportView): readonly string[] {
  return heldRoles(record, day).map(({ code }) => code);
}

/** `RO80|RO87` */
export function otherRolesText(record: OrganizationRecord, view: ReportView): string {
  return otherRoles(record, view)
    .map((code) => prefixedId('RO', code))
    .join('|');
}

export interface Parent {
  readonly target: RelatedTarget;
  /** The period of the relationship that decides. */
  readonly joined: string;
  readonly left: string;
}

/**
 * The organisation that a relationship of one of these types leads to: one that is in force on the
 * day, else one that has ended, else one that is announced. The first type counts most, and then the
 * latest relationship. A report as at a day has nothing that was only announced.
 */
export function parentOf(
  relationships: readonly Relationship[],
  types: readonly string[],
  { day, isAsAt }: Pick<ReportView, 'day' | 'isAsAt'>,
): Parent | undefined {
  const wanted = relationships.filter(({ type }) => types.includes(type));
  const latest = latestOn(wanted, day);
  const found = latest.length > 0 || isAsAt ? latest : nextAfter(wanted, day);
  const [first] = types.flatMap((each) => found.find(({ type }) => type === each) ?? []);
  return first && { target: first.target, ...datesOf(first, day) };
}

/** The start and the end of a relationship: `YYYYMMDD`, or empty. */
export function datesOf(relationship: Relationship, day: string): { joined: string; left: string } {
  const { period } = inTime(relationship, day);
  const { start: joined, end: left } = compactPeriod(period);
  return { joined, left };
}

/** The name of an organisation that the edition has a record of. */
export function targetName({ edition }: ReportView, target: RelatedTarget | undefined): string {
  return (target?.row === undefined ? undefined : recordAt(edition, target.row).name) ?? '';
}
