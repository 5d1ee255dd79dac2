/** Organisations as compact rows: what an assistant needs to name one and to choose between several. */

import { roleConcepts } from '../../../directory/edition/code-systems.ts';
import { type Edition, perEdition } from '../../../directory/edition/edition.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import { prefixedId } from '../../../directory/record/ids.ts';
import type { OrganizationRecord } from '../../../directory/record/record.ts';
import { primaryRoleOf } from '../../../directory/record/record-facts.ts';
import { arrayOf, type JsonSchema, oneOf, TEXT } from '../../json/json-schema.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { FHIR_ORGANIZATION, resultOf } from './schemas.ts';

export interface OrganizationRow {
  readonly code: string;
  readonly name?: string;
  /** Of the primary role: `RO197`. */
  readonly role?: string;
  readonly roleName?: string;
  readonly town?: string;
  readonly postcode?: string;
  readonly status: Status;
}

type Status = 'active' | 'inactive';

export const STATUSES: readonly Status[] = ['active', 'inactive'];

/** `row` is numbered over both sections of the edition. */
export function rowAt(edition: Edition, row: number): OrganizationRow {
  return compactRowOf(edition, recordAt(edition, row));
}

export function compactRowOf(edition: Edition, record: OrganizationRecord): OrganizationRow {
  const { code, name, address, isActive } = record;
  const role = primaryRoleOf(record)?.code;
  return {
    code,
    ...(name !== undefined && { name }),
    ...(role !== undefined && roleNamed(edition, role)),
    ...(address?.city !== undefined && { town: address.city }),
    ...(address?.postalCode !== undefined && { postcode: address.postalCode }),
    status: isActive ? 'active' : 'inactive',
  };
}

/** `code` without `RO`. */
export function roleNamed(
  edition: Edition,
  code: string,
): { readonly role: string; readonly roleName?: string } {
  const roleName = roleNames(edition).get(code);
  return { role: prefixedId('RO', code), ...(roleName !== undefined && { roleName }) };
}

const roleNames = perEdition(
  (edition) =>
    new Map(
      roleConcepts(edition).flatMap(({ code, display }) =>
        display === undefined ? [] : [[code, display]],
      ),
    ),
);

export const ROW_PROPERTIES = {
  code: TEXT,
  name: TEXT,
  role: TEXT,
  roleName: TEXT,
  town: TEXT,
  postcode: TEXT,
  status: oneOf(STATUSES),
} satisfies Readonly<Record<keyof OrganizationRow, JsonSchema>>;

const ROW_SCHEMA = resultOf(ROW_PROPERTIES, ['code', 'status']);

/** The members of an answer that lists organisations: as rows, or as whole resources. */
export const LISTED_ORGANIZATIONS = {
  organisations: arrayOf(ROW_SCHEMA),
  resources: arrayOf(FHIR_ORGANIZATION),
};

export function listedOrganizations(
  { face }: AssistantDirectory,
  edition: Edition,
  rows: readonly number[],
  isFull: boolean | undefined,
):
  | { readonly organisations: readonly OrganizationRow[] }
  | { readonly resources: readonly object[] } {
  if (isFull !== true) return { organisations: rows.map((row) => rowAt(edition, row)) };
  const rendered = face.render(edition);
  return { resources: rows.map(rendered.organizationAt) };
}
