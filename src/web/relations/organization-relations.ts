/** The relations of an organisation on its page: what it belongs to, its members, its history. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { OrganizationRecord } from '../../directory/record/record.ts';
import type { Addresses } from '../addresses.ts';
import { formatCount, formatDate, formatNumber } from '../display.ts';
import { NO_STATE, writeState } from '../look-up/state.ts';
import { rolesOf } from '../roles.ts';
import { type Belonging, belongsTo } from './belongs-to.ts';
import { memberGroups } from './members.ts';
import { relationWords } from './relation-words.ts';
import { closedOn, successionsOf } from './successions.ts';

interface Surroundings {
  readonly addresses: Addresses;
  readonly today: string;
}

export function organizationRelations(
  edition: Edition,
  row: number,
  record: OrganizationRecord,
  { addresses, today }: Surroundings,
): object {
  const { code, isActive } = record;
  const { current, later, past, leftOut } = belongsTo(edition, row, addresses, today);
  const { predecessors, successors } = successionsOf(edition, code, addresses);
  const closed = closedOn(record);
  return {
    isKnown: edition.hasRelations,
    current: current.map(shown),
    later: later.map(shown),
    past: past.map(shown),
    leftOut: leftOut === 0 ? undefined : formatCount(leftOut, 'more relationship'),
    members: membersOf(edition, code, { addresses, today }),
    predecessors,
    successors,
    opened: openedOn(record),
    closed,
    closing: isActive ? undefined : { date: closed, successors },
  };
}

function shown({ period, ...belonging }: Belonging) {
  return {
    ...belonging,
    start: period && formatDate(period.start),
    end: period?.end && formatDate(period.end),
  };
}

function membersOf(edition: Edition, code: string, { addresses, today }: Surroundings) {
  const groups = memberGroups(edition, code, today);
  if (groups.length === 0) return undefined;
  const roles = rolesOf(edition);
  const to = (change: object) => addresses.home + writeState({ ...NO_STATE, of: code, ...change });
  return {
    all: to({ direct: true }),
    through: to({}),
    groups: groups.map(({ type, role, count }) => ({
      role: roles.name(role),
      words: relationWords(edition, type),
      count: formatNumber(count),
      href: to({ by: type, roles: [role] }),
    })),
  };
}

function openedOn({ periods }: OrganizationRecord): string | undefined {
  const [period] = periods;
  return period && formatDate(period.start);
}
