/** The relations of an organisation on its page: what it belongs to, its members, its successions. */
import type { Edition } from '../../directory/edition/edition.ts';
import type { RelatedTarget } from '../../directory/edition/relations.ts';
import type {
  OrganizationRecord,
  PeriodRecord,
  SuccessionKind,
} from '../../directory/record/record.ts';
import { inTime, type Phase } from '../../directory/time/in-force.ts';
import type { Addresses } from '../addresses.ts';
import { formatCount, formatDate, formatNumber } from '../display.ts';
import { NO_STATE, writeState } from '../look-up/state.ts';
import { rolesOf } from '../roles.ts';
import { memberGroups } from './members.ts';
import { relatedOrganization } from './related-organization.ts';
import { byRelationType, relationWords } from './relation-words.ts';

interface Surroundings {
  readonly addresses: Addresses;
  readonly today: string;
}

export function organizationRelations(
  edition: Edition,
  row: number,
  record: OrganizationRecord,
  surroundings: Surroundings,
): object {
  const { code, isActive } = record;
  const { predecessors, successors } = successionsOf(edition, code, surroundings.addresses);
  const closed = closedOn(record);
  return {
    isKnown: edition.hasRelations,
    ...belongsTo(edition, row, surroundings),
    members: membersOf(edition, code, surroundings),
    predecessors,
    successors,
    opened: openedOn(record),
    closed,
    closing: isActive ? undefined : { date: closed, successors },
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

/** The national file has at most about 60 for a record. */
const RELATIONSHIPS_MAX = 500;

/** The organisations that it belongs to now, later (the next one first) and before. */
function belongsTo(edition: Edition, row: number, { addresses, today }: Surroundings) {
  const { relations } = edition;
  const { first, end } = relations.ofRow(row);
  const count = Math.min(end - first, RELATIONSHIPS_MAX);
  const all = Array.from({ length: count }, (_, i) => {
    const relationship = relations.at(first + i);
    const { phase, period } = inTime(relationship, today);
    return { ...relationship, phase, period, start: period?.start ?? '' };
  });
  const shown = (wanted: Phase) =>
    all
      .filter(({ phase }) => phase === wanted)
      .toSorted((a, b) => byRelationType(a.type, b.type) || b.start.localeCompare(a.start));
  const described = ({ target, type, period }: (typeof all)[number]) => ({
    ...relatedOrganization(edition, target, addresses),
    words: relationWords(edition, type),
    start: period && formatDate(period.start),
    end: period?.end && formatDate(period.end),
  });
  const leftOut = end - first - count;
  return {
    current: shown('now').map(described),
    later: shown('later')
      .toSorted((a, b) => a.start.localeCompare(b.start))
      .map(described),
    past: shown('past').map(described),
    leftOut: leftOut === 0 ? undefined : formatCount(leftOut, 'more relationship'),
  };
}

/** The most successors or predecessors on a page. The directory has few for a code. */
const SUCCESSIONS_MAX = 100;

/** The successions that records of the edition state about the code, the earliest first. */
export function successionsOf(edition: Edition, code: string, addresses: Addresses) {
  const { relations } = edition;
  const row = relations.rowOf(code);
  const stated = row === undefined ? [] : relations.successionsOf(row);
  const found = [
    ...stated.map(({ kind, periods, target }) => ({ kind, periods, target })),
    ...relations.successionsTo(code).map(({ kind, periods, sourceRow }) => ({
      kind: OTHER_SIDE[kind],
      periods,
      target: { code: relations.codeOf(sourceRow), row: sourceRow },
    })),
  ];
  const shown = (wanted: SuccessionKind) =>
    distinct(found.filter(({ kind, target }) => kind === wanted && target.code !== code))
      .toSorted((a, b) => startOf(a).localeCompare(startOf(b)))
      .slice(0, SUCCESSIONS_MAX)
      .map((one) => ({
        ...relatedOrganization(edition, one.target, addresses),
        date: startOf(one) === '' ? undefined : formatDate(startOf(one)),
      }));
  return { predecessors: shown('Predecessor'), successors: shown('Successor') };
}

const OTHER_SIDE = { Predecessor: 'Successor', Successor: 'Predecessor' } as const;

/** When an inactive organisation closed; undefined if it is active or the date is not known. */
function closedOn({ isActive, periods }: OrganizationRecord): string | undefined {
  if (isActive) return undefined;
  const end = periods.find((period) => period.end !== undefined)?.end;
  return end === undefined ? undefined : formatDate(end);
}

interface Stated {
  readonly kind: SuccessionKind;
  readonly periods: readonly PeriodRecord[];
  readonly target: RelatedTarget;
}

/** Both organisations can state the same succession. */
function distinct(found: readonly Stated[]): Stated[] {
  const byCode = new Map<string, Stated>();
  for (const one of found) {
    const known = byCode.get(one.target.code);
    if (known === undefined || known.periods.length === 0) byCode.set(one.target.code, one);
  }
  return [...byCode.values()];
}

function startOf({ periods }: Stated): string {
  return periods[0]?.start ?? '';
}
