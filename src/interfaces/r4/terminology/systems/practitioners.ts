/** The code systems of practitioners, their roles, memberships and numbers. */
import { IMPORT_PRACTITIONERS } from '../../../../directory/ask/find-practitioners.ts';
import type { Edition } from '../../../../directory/edition/edition.ts';
import {
  FIXED_ROLES,
  practitionerRoleName,
} from '../../../../directory/practitioners/practitioner-roles.ts';
import {
  isMemberOn,
  latestMembership,
  MEMBERSHIP_KINDS,
  type Membership,
  type MembershipKind,
  NUMBER_KINDS,
  type NumberKind,
  type Practitioner,
  type PractitionerNumber,
} from '../../../../directory/practitioners/practitioners.ts';
import { R4_SYSTEMS } from '../../resources/systems.ts';
import { codeSystem, type R4CodeSystem } from './code-system.ts';
import type { CodeItem, CodeSystemRow, PropertyRow } from './code-system-row.ts';
import { codesInArrays } from './codes-in-arrays.ts';
import { codesInMemory } from './codes-in-memory.ts';
import { codingOf, nameOfOrganization, statusCode } from './properties.ts';

function remedyOf({ practitioners }: Edition): string | undefined {
  return practitioners === undefined ? IMPORT_PRACTITIONERS : undefined;
}

function text<Item>(
  code: string,
  description: string,
  textOf: (item: Item) => string | undefined,
): PropertyRow<Item> {
  return { code, type: 'string', description, valuesOf: textOf };
}

interface PractitionerItem extends CodeItem {
  readonly practitioner: Practitioner;
}

function practitionerItem(practitioner: Practitioner): PractitionerItem {
  const { code, name, isActive } = practitioner;
  return { code, display: name, isInactive: !isActive, practitioner };
}

const NUMBER_ROWS = Object.entries(NUMBER_KINDS).map(([kind, description]) =>
  text<PractitionerItem>(kind, `${description}.`, ({ practitioner: { numbers } }) => {
    return numbers.find((each) => each.kind === Number(kind))?.value;
  }),
);

const MEMBERSHIP_ROWS = Object.entries(MEMBERSHIP_KINDS).map(
  ([kind, meaning]): PropertyRow<PractitionerItem> => ({
    code: kind,
    type: 'code',
    description: `${meaning}: the organisation now, or the last one.`,
    valuesOf: ({ practitioner }, { day }) =>
      latestMembership(practitioner.memberships, kind as MembershipKind, day)?.organisation,
    describe: nameOfOrganization,
  }),
);

function rolesOf({ roles }: Practitioner) {
  return roles.map((role) => roleCoding(role));
}

function roleCoding(role: string) {
  return codingOf(R4_SYSTEMS.practitionerRole, role, practitionerRoleName(role));
}

const PRACTITIONERS: CodeSystemRow<PractitionerItem> = {
  id: 'practitioner',
  name: 'Practitioner',
  url: R4_SYSTEMS.practitioner,
  title: 'Practitioner',
  remedyOf,
  filters: [],
  usualProperties: ['type', 'role', 'inactive'],
  properties: [
    text('name', 'The name, as the file has it.', ({ display }) => display),
    {
      code: 'type',
      type: 'code',
      description: 'The type, such as PGP.',
      valuesOf: ({ practitioner }) => practitioner.type,
    },
    {
      code: 'role',
      type: 'Coding',
      description: 'A role, if the code is in use.',
      valuesOf: ({ practitioner }) => (practitioner.isActive ? rolesOf(practitioner) : []),
    },
    {
      code: 'inactiveID',
      type: 'Coding',
      description: 'A role, if the code is no longer in use.',
      valuesOf: ({ practitioner }) => (practitioner.isActive ? [] : rolesOf(practitioner)),
    },
    {
      code: 'inactive',
      type: 'boolean',
      description: 'Whether the code is no longer in use.',
      valuesOf: ({ isInactive }) => isInactive === true,
    },
    ...NUMBER_ROWS,
    ...MEMBERSHIP_ROWS,
  ],
  open: ({ practitioners }) =>
    codesInArrays({
      count: practitioners?.count ?? 0,
      find: (code) => {
        const found = practitioners?.find(code);
        // The case of letters matters.
        return found?.code === code ? practitionerItem(found) : undefined;
      },
      at: (place) => practitionerItem(practitioners!.at(place)),
      isActiveAt: (place) => practitioners!.isActiveAt(place),
    }),
};

const ROLES: CodeSystemRow<CodeItem> = {
  id: 'practitioner-role',
  name: 'PractitionerRole',
  url: R4_SYSTEMS.practitionerRole,
  title: 'Role of a practitioner',
  remedyOf,
  isListed: true,
  filters: [],
  properties: [],
  open: ({ practitioners }) => {
    const codes = [...new Set(FIXED_ROLES.concat(practitioners?.roles ?? []))];
    return codesInMemory(codes.map((code) => ({ code, display: practitionerRoleName(code) })));
  },
};

interface MembershipItem extends CodeItem {
  readonly practitioner: Practitioner;
  readonly membership: Membership;
}

/** `G1234567_A81001_20010401`; without the date if the file has none. */
function membershipItem(
  practitioner: Practitioner,
  membership: Membership,
  day: string,
): MembershipItem {
  const { organisation, from } = membership;
  const parts = [practitioner.code, organisation];
  if (from !== undefined) parts.push(from.replaceAll('-', ''));
  const code = parts.join('_');
  const isInactive = !isMemberOn(membership, day);
  return { code, display: code, isInactive, practitioner, membership };
}

function dateRow(
  code: 'joinDate' | 'leftDate',
  description: string,
  textOf: (membership: Membership) => string | undefined,
): PropertyRow<MembershipItem> {
  return { code, type: 'dateTime', description, valuesOf: (item) => textOf(item.membership) };
}

const MEMBERSHIPS: CodeSystemRow<MembershipItem> = {
  id: 'practitioner-relationship-instance',
  name: 'PractitionerRelationshipInstance',
  url: R4_SYSTEMS.practitionerRelationship,
  title: 'Membership of a practitioner',
  remedyOf,
  filters: [],
  usualProperties: ['practitionerCode', 'orgCode', 'status'],
  properties: [
    {
      code: 'practitionerCode',
      type: 'Coding',
      description: 'The practitioner.',
      valuesOf: ({ practitioner: { code, name } }) => codingOf(R4_SYSTEMS.practitioner, code, name),
    },
    {
      code: 'orgCode',
      type: 'code',
      description: 'The organisation.',
      valuesOf: ({ membership }) => membership.organisation,
      describe: nameOfOrganization,
    },
    dateRow('joinDate', 'The first day.', ({ from }) => from),
    dateRow('leftDate', 'The last day.', ({ to }) => to),
    {
      code: 'status',
      type: 'code',
      description: 'active or inactive: whether the membership is in force.',
      valuesOf: ({ isInactive }) => statusCode(isInactive !== true),
    },
  ],
  open: ({ practitioners }) =>
    codesInArrays({
      count: practitioners?.about.memberships ?? 0,
      find: (code, day) => {
        const practitioner = practitioners?.find(code.split('_')[0] ?? '');
        return practitioner?.memberships
          .map((each) => membershipItem(practitioner, each, day))
          .find((item) => item.code === code);
      },
      at: (place, day) => {
        const { row, item } = practitioners!.membershipAt(place);
        return membershipItem(practitioners!.at(row), item, day);
      },
      isActiveAt: (place, day) => isMemberOn(practitioners!.membershipAt(place).item, day),
    }),
};

interface NumberItem extends CodeItem {
  readonly number: PractitionerNumber;
}

/** `G1234567_6` */
function numberItem({ code, isActive }: Practitioner, number: PractitionerNumber): NumberItem {
  const own = `${code}_${number.kind}`;
  return { code: own, display: own, isInactive: !isActive, number };
}

/** The authorities that issue numbers, as far as the files tell. */
const AUTHORITIES: Readonly<Partial<Record<NumberKind, string>>> = {
  6: 'General Medical Council',
  7: 'General Dental Council',
};

const NUMBERS: CodeSystemRow<NumberItem> = {
  id: 'practitioner-additional-attribute',
  name: 'PractitionerAdditionalAttribute',
  url: R4_SYSTEMS.practitionerAttribute,
  title: 'Number of a practitioner',
  remedyOf,
  filters: [],
  usualProperties: ['attribute', 'attributeTypeID', 'odsStatus'],
  properties: [
    text('attribute', 'The number.', ({ number }) => number.value),
    text('attributeTypeID', 'The kind of number, 1 to 8.', ({ number }) => String(number.kind)),
    text('attributeType', 'The name of the kind.', ({ number }) => NUMBER_KINDS[number.kind]),
    text('issuingAuthorityName', 'Who issued it.', ({ number }) => AUTHORITIES[number.kind]),
    {
      code: 'odsStatus',
      type: 'code',
      description: 'active or inactive: whether the code of the practitioner is in use.',
      valuesOf: ({ isInactive }) => statusCode(isInactive !== true),
    },
  ],
  open: ({ practitioners }) => {
    const at = (place: number): NumberItem => {
      const { row, item } = practitioners!.numberAt(place);
      return numberItem(practitioners!.at(row), item);
    };
    return codesInArrays({
      count: practitioners?.numberCount ?? 0,
      find: (code) => {
        const practitioner = practitioners?.find(code.split('_')[0] ?? '');
        return practitioner?.numbers
          .map((each) => numberItem(practitioner, each))
          .find((item) => item.code === code);
      },
      at,
      isActiveAt: (place) => at(place).isInactive !== true,
    });
  },
};

export const PRACTITIONER_SYSTEMS: readonly R4CodeSystem[] = [
  codeSystem(PRACTITIONERS),
  codeSystem(ROLES),
  codeSystem(MEMBERSHIPS),
  codeSystem(NUMBERS),
];
