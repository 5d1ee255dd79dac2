/** The rows of the tables about the JSON searches of Data Search and Export. */
import { GENERAL_SEARCH, REPORT_SEARCH } from '../src/interfaces/reports/search/body.ts';
import type { Member } from '../src/interfaces/reports/search/member.ts';
import { ORGANISATION_MEMBERS } from '../src/interfaces/reports/search/organisation-members.ts';
import { PRACTITIONER_MEMBERS } from '../src/interfaces/reports/search/practitioner-members.ts';
import { INCOMING_MEMBERS, NEIGHBOUR_MEMBERS } from '../src/interfaces/reports/search/single.ts';

/** Each member of the bodies once: its name, the searches that have it, and its meaning. */
export function searchBodyRows(): string[][] {
  const searches = { report: REPORT_SEARCH, general: GENERAL_SEARCH };
  const all = Object.values(searches).flatMap((members) => Object.entries(members));
  return [...new Map(all)].map(([name, { documentation = '' }]) => {
    const having = Object.entries(searches)
      .filter(([, members]) => Object.hasOwn(members, name))
      .map(([search]) => search);
    return [`\`${name}\``, having.join(', '), documentation];
  });
}

/** The members of an object in answers, such as `organisation` or `practitioner`. */
export function searchMemberRows(object: string): string[][] {
  const members = MEMBERS[object];
  if (members === undefined) throw new RangeError(`There are no members of "${object}".`);
  const rows = members.map(([name, kind, meaning]) => {
    const [, prefix] = RELATION_MEMBER.exec(name) ?? [];
    return prefix === undefined
      ? [name, kind, meaning]
      : [`${prefix}…`, '', 'About this organisation or these organisations: see below.'];
  });
  return [...new Map(rows.map((row) => [row[0], row])).values()].map(([name = '', ...cells]) => [
    `\`${name}\``,
    ...cells,
  ]);
}

/** Members of one type of relationship, which share a row. */
const RELATION_MEMBER = /^(is[A-Z]\w*?)(?:Code|(?:PrimaryRole)?Name|Legal(?:Start|End)Date)$/;

const MEMBERS: Readonly<Record<string, readonly Member<never>[]>> = {
  organisation: ORGANISATION_MEMBERS,
  relationship: INCOMING_MEMBERS,
  succession: NEIGHBOUR_MEMBERS,
  practitioner: PRACTITIONER_MEMBERS,
};
