/** The rows of the tables about the JSON searches of Data Search and Export. */
import { GENERAL_SEARCH, REPORT_SEARCH } from '../src/directory/reports/search/body.ts';
import type { Member } from '../src/directory/reports/search/member.ts';
import { ORGANISATION_MEMBERS } from '../src/directory/reports/search/organisation-members.ts';
import { INCOMING_MEMBERS, NEIGHBOUR_MEMBERS } from '../src/directory/reports/search/single.ts';

/** Each member of the bodies once: its name, the searches that have it, and its meaning. */
export function searchBodyRows(): string[][] {
  const searches = { report: REPORT_SEARCH, general: GENERAL_SEARCH };
  const all = Object.values(searches).flat();
  return [...new Map(all.map((member) => [member.name, member])).values()].map(
    ({ name, documentation }) => {
      const having = Object.entries(searches)
        .filter(([, members]) => members.some((each) => each.name === name))
        .map(([search]) => search);
      return [`\`${name}\``, having.join(', '), documentation];
    },
  );
}

/** The members of an object in answers: `organisation`, `relationship` or `succession`. */
export function searchMemberRows(object: string): string[][] {
  const members = MEMBERS[object];
  if (members === undefined) throw new RangeError(`There are no members of "${object}".`);
  return members.map(([name, kind, meaning]) => [`\`${name}\``, kind, meaning]);
}

const MEMBERS: Readonly<Record<string, readonly Member<never>[]>> = {
  organisation: ORGANISATION_MEMBERS,
  relationship: INCOMING_MEMBERS,
  succession: NEIGHBOUR_MEMBERS,
};
