/** Questions about practitioners: who has a code, and who works for an organisation on a day. */
import type { Edition } from '../edition/edition.ts';
import { namedCode } from '../edition/source-record.ts';
import { practitionerRoleName, practitionerTypeName } from '../practitioners/practitioner-roles.ts';
import {
  isMemberOn,
  MEMBERSHIP_KINDS,
  type Membership,
  type MembershipKind,
  NUMBER_KINDS,
  type Practitioner,
  type Practitioners,
} from '../practitioners/practitioners.ts';
import type { NamedCode } from '../record/named-code.ts';

/** A practitioner in words. */
export interface PractitionerAnswer {
  readonly code: string;
  readonly name: string;
  readonly registeredName?: string;
  readonly type: string;
  readonly roles: readonly { readonly code: string; readonly name: string }[];
  readonly active: boolean;
  readonly numbers: readonly { readonly kind: string; readonly value: string }[];
  /** Those of the day first, and the latest first. */
  readonly memberships: readonly MembershipAnswer[];
}

export interface MembershipAnswer {
  readonly kind: MembershipKind;
  readonly meaning: string;
  readonly organisation: NamedCode;
  /** `YYYY-MM-DD` */
  readonly from?: string;
  readonly to?: string;
  /** Whether it is in force on the day. */
  readonly current: boolean;
}

/** The text if none were imported. */
export const IMPORT_PRACTITIONERS =
  'The directory has no practitioners. Import them with "gazetteer import-practitioners FILE".';

/** The codes of the person with the code or number, the one that was asked first. */
export function practitionersWith(
  practitioners: Practitioners,
  text: string,
): readonly Practitioner[] {
  const asked = text.trim().toUpperCase();
  return practitioners
    .withNumber(asked)
    .toSorted((a, b) => Number(b.code === asked) - Number(a.code === asked));
}

export function practitionerAnswer(
  edition: Edition,
  { code, name, registeredName, type, roles, isActive, numbers, memberships }: Practitioner,
  day: string,
): PractitionerAnswer {
  const answers = memberships.map((each) => membershipAnswer(edition, each, day));
  const rank = ({ current, from = '' }: MembershipAnswer) => `${Number(current)} ${from}`;
  return {
    code,
    name,
    ...(registeredName !== undefined && { registeredName }),
    type: practitionerTypeName(type),
    roles: roles.map((role) => ({ code: role, name: practitionerRoleName(role) })),
    active: isActive,
    numbers: numbers.map(({ kind, value }) => ({ kind: NUMBER_KINDS[kind], value })),
    memberships: answers.toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1)),
  };
}

function membershipAnswer(edition: Edition, membership: Membership, day: string): MembershipAnswer {
  const { kind, organisation, from, to } = membership;
  return {
    kind,
    meaning: MEMBERSHIP_KINDS[kind],
    organisation: namedCode(edition, organisation),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    current: isMemberOn(membership, day),
  };
}
