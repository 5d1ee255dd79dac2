/** The links of an organisation on its page: what it belongs to, its members, its successions. */

import { belongsTo, LEVEL_NAMES, levelNamed } from '../../directory/ask/belongs-to.ts';
import { successorsOf } from '../../directory/ask/successors.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { inTime, type Phase } from '../../directory/record/in-force.ts';
import type { OrganizationRecord } from '../../directory/record/record.ts';
import { directMemberGroups } from '../matches/members.ts';
import { NO_STATE, writeState } from '../matches/state.ts';
import type { Addresses } from '../parts/addresses.ts';
import { closedSuccessors } from '../parts/closed-successors.ts';
import { byRelationshipType, relationshipWords, rolesOf } from '../parts/code-names.ts';
import { formatCount, formatDate, formatNumber } from '../parts/display.ts';
import { LEVEL_WORDS } from '../parts/level-words.ts';
import {
  type RelatedOrganization,
  relatedOrganization,
  relatedTarget,
} from '../parts/related-organization.ts';
import type { WebContext } from '../parts/web-options.ts';

export async function organizationLinks(
  edition: Edition,
  row: number,
  record: OrganizationRecord,
  options: WebContext,
): Promise<object> {
  const { code, isActive } = record;
  const successors = successorsOnPage(edition, code, options.addresses);
  const closed = closedSuccessors(edition, code, options.today());
  return {
    isKnown: edition.hasLinks,
    levels: levelsOnPage(edition, row, options),
    ...relationshipsOnPage(edition, row, options),
    members: await membersOnPage(edition, code, options),
    closing: isActive
      ? undefined
      : {
          date: closedOn(record),
          successors,
          words: closed?.successors.length === successors.length ? closed.words : '.',
        },
  };
}

/** What it belongs to now. If it has closed, its last relationships count. */
function levelsOnPage(edition: Edition, row: number, { addresses, today }: WebContext) {
  const levels = belongsTo(edition, row, today());
  return LEVEL_NAMES.flatMap((name) => {
    const level = levelNamed(levels, name);
    if (level === undefined) return [];
    return [{ kind: LEVEL_WORDS[name], ...relatedOrganization(edition, level.code, addresses) }];
  });
}

async function membersOnPage(edition: Edition, code: string, { addresses, today }: WebContext) {
  const groups = await directMemberGroups(edition, code, today());
  if (groups.length === 0) return undefined;
  const roles = rolesOf(edition);
  const to = (change: object) => addresses.home + writeState({ ...NO_STATE, of: code, ...change });
  return {
    all: to({ direct: true }),
    through: to({}),
    groups: groups.map(({ type, role, count }) => ({
      role: roles.name(role),
      words: relationshipWords(edition, type),
      count: formatNumber(count),
      href: to({ by: type, roles: [role] }),
    })),
  };
}

/** The national file has at most about 60 for a record. */
const RELATIONSHIPS_MAX = 500;

/** The organisations that it has a relationship to now, later (the next one first) and before. */
function relationshipsOnPage(edition: Edition, row: number, { addresses, today }: WebContext) {
  const { links } = edition;
  const { first, end } = links.ofRow(row);
  const count = Math.min(end - first, RELATIONSHIPS_MAX);
  const day = today();
  const all = Array.from({ length: count }, (_, i) => {
    const relationship = links.at(first + i);
    const { phase, period } = inTime(relationship, day);
    return { ...relationship, phase, period, start: period?.start ?? '' };
  });
  const shown = (wanted: Phase) =>
    all
      .filter(({ phase }) => phase === wanted)
      .toSorted((a, b) => byRelationshipType(a.type, b.type) || b.start.localeCompare(a.start));
  const described = ({ target, type, period }: (typeof all)[number]) => ({
    ...relatedTarget(edition, target, addresses),
    words: relationshipWords(edition, type),
    start: period?.start && formatDate(period.start),
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

/** The most successors on a page. The directory has few for a code. */
const SUCCESSORS_MAX = 100;

/** The organisations that replaced the code, the earliest first. */
export function successorsOnPage(
  edition: Edition,
  code: string,
  addresses: Addresses,
): readonly RelatedOrganization[] {
  return successorsOf(edition, code)
    .toSorted((a, b) => (a.day ?? '').localeCompare(b.day ?? ''))
    .slice(0, SUCCESSORS_MAX)
    .map(({ to }) => relatedOrganization(edition, to, addresses));
}

/** When an inactive organisation closed; undefined if it is active or the date is not known. */
function closedOn({ isActive, periods }: OrganizationRecord): string | undefined {
  if (isActive) return undefined;
  const end = periods.find((period) => period.end !== undefined)?.end;
  return end === undefined ? undefined : formatDate(end);
}
