/** An organisation at the other end of a relationship, as pages name it. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { RelatedTarget } from '../../directory/links/edition-links.ts';
import type { OrganizationRecord } from '../../directory/record/record.ts';
import type { Addresses } from './addresses.ts';
import { rolesOf } from './code-names.ts';

export interface RelatedOrganization {
  readonly code: string;
  /** Absent if the edition has no record of it. */
  readonly name: string | undefined;
  /** The page of the organisation. Absent if the directory has only references to it. */
  readonly href: string | undefined;
  /** The name of its main role. */
  readonly role: string | undefined;
  /** Absent if the edition has no record of it. */
  readonly isActive: boolean | undefined;
}

export function relatedOrganization(
  edition: Edition,
  code: string,
  addresses: Addresses,
): RelatedOrganization {
  const row = edition.links.rowOf(code);
  return relatedTarget(edition, { code, ...(row !== undefined && { row }) }, addresses);
}

/** The target of a relationship, which can state the role of a code without a record. */
export function relatedTarget(
  edition: Edition,
  { code, row, primaryRole }: RelatedTarget,
  addresses: Addresses,
): RelatedOrganization {
  const record = row === undefined ? undefined : recordOfRow(edition, row);
  const roles = rolesOf(edition);
  const role = roles.mainOf(record?.roles ?? []) ?? primaryRole;
  const isFull = row !== undefined && row < edition.index.count;
  return {
    code,
    name: record?.name,
    href: isFull ? addresses.organization(code) : undefined,
    role: role && roles.name(role),
    isActive: record?.isActive,
  };
}

/** Rows are numbered over both sections, as in the links of the edition. */
export function recordOfRow({ rows, index, references }: Edition, row: number): OrganizationRecord {
  return row < index.count ? rows.recordAt(row) : references.rows.recordAt(row - index.count);
}
