/**
 * The properties of organisation codes. Their names and types are those of the national service, which
 * lacks some of these.
 */

import {
  type GeographyAreas,
  geographyOfOrganization,
} from '../../../../directory/ask/geography-areas.ts';
import { allSuccessions, successorsOf } from '../../../../directory/ask/successors.ts';
import { relationshipConcepts } from '../../../../directory/edition/code-systems.ts';
import { type Edition, perEdition, requireLinks } from '../../../../directory/edition/edition.ts';
import { recordAt } from '../../../../directory/edition/edition-records.ts';
import { prefixedId } from '../../../../directory/record/ids.ts';
import type {
  OrganizationRecord,
  SuccessionKind,
  TelecomRecord,
} from '../../../../directory/record/record.ts';
import { recordClassId } from '../../../../directory/record/record-facts.ts';
import type { PropertyDeclaration } from '../../../faces/code-system-types.ts';
import { R4_SYSTEMS } from '../../resources/systems.ts';
import type { CodeContext, CodeItem, PropertyRow } from './code-system-row.ts';
import {
  codingOf,
  dateProperties,
  geographyProperties,
  nameOfOrganization,
  roleCoding,
  statusCode,
} from './properties.ts';

/** An organisation. What several properties need is found once, when it is first needed. */
export interface OrganizationItem extends CodeItem {
  readonly row: number;
  readonly record: OrganizationRecord;
  readonly isReferenceOnly: boolean;
  /** The targets of the active relationships of a type, such as `RE4`. */
  targets(type: string): readonly string[];
  successions(): ReturnType<typeof allSuccessions>;
  geography(context: CodeContext): GeographyAreas;
}

export function organizationAt(edition: Edition, row: number): OrganizationItem {
  const record = recordAt(edition, row);
  let targets: ReadonlyMap<string, readonly string[]> | undefined;
  let successions: ReturnType<typeof allSuccessions> | undefined;
  let geography: GeographyAreas | undefined;
  return {
    code: record.code,
    display: record.name,
    isInactive: !record.isActive,
    row,
    record,
    isReferenceOnly: row >= edition.rows.count,
    targets: (type) => {
      targets ??= targetsByType(edition, row);
      return targets.get(type) ?? [];
    },
    successions: () => {
      successions ??= allSuccessions(edition, row);
      return successions;
    },
    geography: ({ day }) => {
      geography ??= geographyOfOrganization(edition, row, record, day);
      return geography;
    },
  };
}

const readers = perEdition(({ links }) => links.scan());

function targetsByType(edition: Edition, row: number): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const relationshipAt = readers(edition);
  const { first, end } = edition.links.ofRow(row);
  for (let ordinal = first; ordinal < end; ordinal++) {
    const { isActive, type, targetNumber } = relationshipAt(ordinal);
    if (!isActive) continue;
    const id = prefixedId('RE', type);
    const known = found.get(id);
    const code = edition.links.codeOfTarget(targetNumber);
    if (known === undefined) found.set(id, [code]);
    else known.push(code);
  }
  return found;
}

type Row = PropertyRow<OrganizationItem>;
type ValueOf = (record: OrganizationRecord) => string | readonly string[] | undefined;

function ofRecord(
  code: string,
  type: PropertyDeclaration['type'],
  description: string,
  textOf: ValueOf,
): Row {
  return { code, type, description, valuesOf: ({ record }) => textOf(record) };
}

function telecoms(system: TelecomRecord['system']): ValueOf {
  return (record) =>
    record.telecoms.filter((telecom) => telecom.system === system).map(({ value }) => value);
}

const ROLES: readonly Row[] = [
  {
    code: 'primaryRole',
    type: 'Coding',
    description: 'The primary role, such as RO197.',
    valuesOf: ({ record }, { edition }) =>
      record.roles
        .filter(({ isPrimary }) => isPrimary)
        .map(({ code }) => roleCoding(edition, code)),
  },
  {
    code: 'role',
    type: 'Coding',
    description:
      'Each active role, such as RO197, including the primary one; without any, each role.',
    valuesOf: ({ record: { roles } }, { edition }) => {
      const active = roles.filter(({ isActive }) => isActive);
      const held = active.length > 0 ? active : roles;
      const codes = new Set(held.map(({ code }) => code));
      return Array.from(codes, (code) => roleCoding(edition, code));
    },
  },
];

const ADDRESS: readonly Row[] = [
  ofRecord('address1', 'string', 'Line 1 of the address.', ({ address }) => address?.lines[0]),
  ofRecord('address2', 'string', 'Line 2 of the address.', ({ address }) => address?.lines[1]),
  ofRecord('address3', 'string', 'Line 3 of the address.', ({ address }) => address?.lines[2]),
  ofRecord('town', 'string', 'The town or city.', ({ address }) => address?.city),
  ofRecord('county', 'string', 'The county.', ({ address }) => address?.district),
  ofRecord('postcode', 'string', 'The postcode.', ({ address }) => address?.postalCode),
  ofRecord('country', 'string', 'The country.', ({ address }) => address?.country),
  ofRecord(
    'uprn',
    'string',
    'The Unique Property Reference Number of the address.',
    ({ address }) => address?.uprn,
  ),
];

function succession(code: string, kind: SuccessionKind, description: string): Row {
  return {
    code,
    type: 'code',
    description,
    needsLinks: true,
    valuesOf: ({ successions }) =>
      successions().flatMap((each) => (each.kind === kind ? [each.code] : [])),
    describe: nameOfOrganization,
  };
}

const SUCCESSIONS: readonly Row[] = [
  succession('predecessor', 'Predecessor', 'Each organisation that this one succeeded.'),
  succession('successor', 'Successor', 'Each organisation that succeeded this one.'),
  {
    code: 'forwardSuccession',
    type: 'boolean',
    description: 'Whether a successor has a successor too. Absent without a successor.',
    needsLinks: true,
    valuesOf: ({ row, successions }, { edition }) => {
      const successors = successions().filter(({ kind }) => kind === 'Successor');
      if (successors.length === 0) return undefined;
      const isStated = edition.links.successionsOf(row).some(({ isForward }) => isForward === true);
      return isStated || successors.some(({ code }) => successorsOf(edition, code).length > 0);
    },
  },
];

const GEOGRAPHY = geographyProperties<OrganizationItem>(({ geography }, context) => {
  // Without postcodes, the areas come from relationships.
  if (context.edition.postcodes === undefined) requireLinks(context.edition);
  return geography(context);
});

/** The properties that do not depend on the edition. */
export const ORGANIZATION_PROPERTIES: readonly Row[] = [
  ofRecord('name', 'string', 'The name of the organisation.', ({ name }) => name),
  ofRecord('status', 'code', 'active or inactive.', ({ isActive }) => statusCode(isActive)),
  {
    code: 'inactive',
    type: 'boolean',
    description: 'Whether the organisation is not active.',
    valuesOf: ({ record }) => !record.isActive,
  },
  ofRecord(
    'lastChangeDate',
    'dateTime',
    'When the record changed last.',
    ({ lastUpdated }) => lastUpdated,
  ),
  {
    code: 'refOnly',
    type: 'boolean',
    description: 'Whether the record is reference-only.',
    valuesOf: ({ isReferenceOnly }) => isReferenceOnly,
  },
  {
    code: 'orgRecordClass',
    type: 'Coding',
    description: 'The record class, such as RC1.',
    valuesOf: ({ record }) => {
      const id = recordClassId(record);
      return id === undefined ? undefined : codingOf(R4_SYSTEMS.recordClass, id);
    },
  },
  ofRecord(
    'assigningAuth',
    'string',
    'The authority that assigned the code.',
    ({ authority }) => authority,
  ),
  ...ROLES,
  ...dateProperties<OrganizationItem>('organisation', ({ record }) => record.periods),
  ...ADDRESS,
  ofRecord('telephone', 'string', 'Each telephone number.', telecoms('phone')),
  ofRecord('fax', 'string', 'Each fax number.', telecoms('fax')),
  ofRecord('email', 'string', 'Each email address.', telecoms('email')),
  ofRecord('website', 'string', 'Each website.', telecoms('url')),
  ...GEOGRAPHY,
  ...SUCCESSIONS,
];

/** Each type of relationship is a property, whose values are the targets. */
export function relationshipProperties(edition: Edition): readonly Row[] {
  return relationshipConcepts(edition).map(({ code, display }) =>
    relationshipProperty(prefixedId('RE', code), display ?? code),
  );
}

/** Records can have relationships of types that the code system lacks. */
export function undeclaredRelationship(code: string): Row | undefined {
  return /^RE\d+$/.test(code) ? relationshipProperty(code, code) : undefined;
}

function relationshipProperty(code: string, name: string): Row {
  return {
    code,
    type: 'code',
    description: `Each organisation to which this one has the active relationship ${name}.`,
    needsLinks: true,
    valuesOf: ({ targets }) => targets(code),
    describe: nameOfOrganization,
  };
}
