/** The members of a practitioner in the answers of searches. */
import { practitionerRoleName } from '../../../directory/practitioners/practitioner-roles.ts';
import {
  latestMembership,
  MEMBERSHIP_KINDS,
  type MembershipKind,
  NUMBER_KINDS,
  type NumberKind,
  type Practitioner,
} from '../../../directory/practitioners/practitioners.ts';
import { type Member, objectText } from './member.ts';

/** A practitioner on a day, `YYYY-MM-DD`. */
interface PractitionerFacts extends Practitioner {
  readonly day: string;
}

const NUMBER_KIND_CODES = Object.keys(NUMBER_KINDS).map(Number) as readonly NumberKind[];
const MEMBERSHIP_KIND_CODES = Object.keys(MEMBERSHIP_KINDS) as readonly MembershipKind[];

export const PRACTITIONER_MEMBERS: readonly Member<PractitionerFacts>[] = [
  ['id', 'text', 'The code.', ({ code }) => code],
  ['name', 'text', 'The name, as the file has it.', ({ name }) => name],
  ['type', 'text', 'The type, such as `PGP`.', ({ type }) => type],
  ['role', 'text', 'The first role, such as `PGP1`.', ({ roles }) => roles[0]],
  [
    'roleName',
    'text',
    'The name of this role.',
    ({ roles: [role] }) => (role === undefined ? undefined : practitionerRoleName(role)),
  ],
  [
    'practitionerInactive',
    'boolean',
    'Whether the code is no longer in use.',
    ({ isActive }) => !isActive,
  ],
  [
    'inactiveRole',
    'list of texts',
    'The roles of a code that is no longer in use.',
    ({ isActive, roles }) => (isActive ? undefined : roles),
  ],
  ...NUMBER_KIND_CODES.map(
    (kind): Member<PractitionerFacts> => [
      String(kind),
      'text',
      `${NUMBER_KINDS[kind]}.`,
      ({ numbers }) => numbers.find((each) => each.kind === kind)?.value,
    ],
  ),
  ...MEMBERSHIP_KIND_CODES.map(
    (kind): Member<PractitionerFacts> => [
      kind,
      'text',
      `${MEMBERSHIP_KINDS[kind]}: the code of the organisation now, or of the last one.`,
      ({ memberships, day }) => latestMembership(memberships, kind, day)?.organisation,
    ],
  ),
];

export function practitionerText(practitioner: Practitioner, day: string): string {
  return objectText(PRACTITIONER_MEMBERS, { ...practitioner, day });
}
