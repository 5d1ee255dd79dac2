/** The differences between two states of a record, field by field, in words. */
import type {
  CodeSystems,
  OrganizationRecord,
  PeriodRecord,
  RoleRecord,
} from '../../directory/record/record.ts';
import type { RolesOf } from '../parts/code-names.ts';
import { formatDate, formatPeriod } from '../parts/display.ts';

export interface FieldDifference {
  readonly field: string;
  /** Absent if the field had, or has, no value. */
  readonly before?: string;
  readonly after?: string;
}

export function recordDifferences(
  before: OrganizationRecord,
  after: OrganizationRecord,
  roles: Pick<RolesOf, 'name'>,
  codeSystems: CodeSystems,
): FieldDifference[] {
  const old = fieldsOf(before, roles, codeSystems);
  const now = fieldsOf(after, roles, codeSystems);
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((field) => {
    const [was, is] = [old.get(field), now.get(field)];
    if (was === is) return [];
    return [
      {
        field,
        ...(was !== undefined && { before: was }),
        ...(is !== undefined && { after: is }),
      },
    ];
  });
}

/** The fields with a value, in the order of the page. */
function fieldsOf(
  record: OrganizationRecord,
  roles: Pick<RolesOf, 'name'>,
  { recordClasses }: CodeSystems,
): Map<string, string> {
  const { address } = record;
  const recordClass = recordClasses.find(({ code }) => code === record.recordClass)?.display;
  const fields: [string, string | undefined][] = [
    ['Name', record.name],
    ['Status', status(record.isActive)],
    ['Address', address?.lines.join(', ')],
    ['Town', address?.city],
    ['County', address?.district],
    ['Postcode', address?.postalCode],
    ['Country', address?.country],
    ['UPRN', address?.uprn],
    ['Contacts', record.telecoms.map(({ value }) => value).join('; ')],
    ['Dates', record.periods.map(period).join('; ')],
    ['Record type', recordClass ?? record.recordClass],
    ...roleFields(record.roles, roles),
    ['Last changed', formatDate(record.lastUpdated)],
  ];
  return new Map(
    fields.flatMap(([field, value]): [string, string][] => (value ? [[field, value]] : [])),
  );
}

/** A role may be held more than once: its fields are then numbered. */
function roleFields(held: readonly RoleRecord[], roles: Pick<RolesOf, 'name'>): [string, string][] {
  const met = new Map<string, number>();
  return held.map((role) => {
    const times = (met.get(role.code) ?? 0) + 1;
    met.set(role.code, times);
    const name = `Role: ${roles.name(role.code)}${times === 1 ? '' : ` (${times})`}`;
    const parts = [
      status(role.isActive),
      ...(role.isPrimary ? ['main role'] : []),
      ...role.periods.map(period),
    ];
    return [name, parts.join('; ')];
  });
}

function status(isActive: boolean): string {
  return isActive ? 'Active' : 'Inactive';
}

function period(one: PeriodRecord): string {
  return `${one.kind === 'Legal' ? 'legal' : 'operational'} ${formatPeriod(one)}`;
}
