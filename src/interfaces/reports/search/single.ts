/** One organisation, with the organisations that have a relationship to it. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { allSuccessions } from '../../../directory/ask/successors.ts';
import { recordAt } from '../../../directory/edition/edition-records.ts';
import type { Relationship } from '../../../directory/links/edition-links.ts';
import type { Practitioners } from '../../../directory/practitioners/practitioners.ts';
import { prefixedId, statusText } from '../../../directory/record/ids.ts';
import type { OrganizationRecord, SuccessionKind } from '../../../directory/record/record.ts';
import { primaryRoleId, primaryRoleOf } from '../../../directory/record/record-facts.ts';
import { periodOfKind } from '../csv/facts.ts';
import { type Member, objectText, periodMembers } from './member.ts';
import { listedRoles, organisationText } from './organisation-members.ts';
import { practitionerText } from './practitioner-members.ts';
import type { SearchView } from './view.ts';

/** What the members of a relationship to the organisation are made from. */
interface Incoming {
  readonly view: SearchView;
  readonly relationship: Relationship;
  /** The organisation that has the relationship. */
  readonly source: OrganizationRecord;
  /** The codes of the roles of the organisation that was asked for. */
  readonly targetRoles: readonly string[];
}

export const INCOMING_MEMBERS: readonly Member<Incoming>[] = [
  [
    'id',
    'text',
    'The number of the relationship.',
    ({ relationship }) => relationship.uniqueId?.toString(),
  ],
  ['name', 'text', 'The name of the source.', ({ source }) => source.name],
  ['primaryRole', 'text', 'The code of its primary role.', ({ source }) => primaryRoleId(source)],
  [
    'primaryRoleName',
    'text',
    'The name of its primary role.',
    ({ source, view }) => view.roleName(primaryRoleOf(source)?.code),
  ],
  [
    'role',
    'list of texts',
    'The codes of its roles, the primary one first.',
    ({ source, view }) => roleIds(source, view),
  ],
  [
    'nonPrimaryRoleName',
    'list of texts',
    'The names of these roles without the primary role.',
    ({ source, view }) =>
      listedRoles(source, view.day)
        .filter(({ isPrimary }) => !isPrimary)
        .map(({ code }) => view.roleName(code) ?? null),
  ],
  ['town', 'text', 'Its town.', ({ source }) => source.address?.city],
  ['address1', 'text', 'The first line of its address.', ({ source }) => source.address?.lines[0]],
  ['postcode', 'text', 'Its postcode.', ({ source }) => source.address?.postalCode],
  [
    'inactive',
    'boolean',
    'Whether the release states the relationship as inactive.',
    ({ relationship }) => !relationship.isActive,
  ],
  [
    'status',
    'text',
    '`active` or `inactive`, as the release states it.',
    ({ relationship }) => statusText(relationship.isActive).toLowerCase(),
  ],
  ...periodMembers('relationship', ({ relationship }: Incoming) => relationship),
  [
    'relationshipTypeCode',
    'text',
    'The type of the relationship, such as `RE8`.',
    ({ relationship }) => prefixedId('RE', relationship.type),
  ],
  ['sourceOrgCode', 'text', 'The code of the source.', ({ source }) => source.code],
  [
    'sourceOrgRole',
    'text',
    'The first of its roles besides the primary one; the primary role if it has no other.',
    ({ source, view }) => prefixedId('RO', furtherRole(source, view)),
  ],
  [
    'sourceOrgRoleName',
    'text',
    'The name of this role.',
    ({ source, view }) => view.roleName(furtherRole(source, view)),
  ],
  ['targetOrgCode', 'text', 'The code of `main`.', ({ relationship }) => relationship.target.code],
  ['targetOrgRole', 'list of texts', 'The roles of `main`.', ({ targetRoles }) => targetRoles],
  ['lastChangeDate', 'text', 'Always empty, as in the national service.', () => ''],
];

/** The code of the role by which the source has the relationship, as the national service states it. */
function furtherRole(record: OrganizationRecord, { day }: SearchView): string | undefined {
  const [primary, further] = listedRoles(record, day);
  return (further ?? primary)?.code;
}

function roleIds(record: OrganizationRecord, { day }: SearchView): readonly string[] {
  return listedRoles(record, day).map(({ code }) => prefixedId('RO', code));
}

/** The members of `predecessor` and `successor`. */
interface Neighbour {
  readonly code: string;
  readonly name: string | undefined;
  readonly start: string | undefined;
}

export const NEIGHBOUR_MEMBERS: readonly Member<Neighbour>[] = [
  ['code', 'text', 'The code of the other organisation.', ({ code }) => code],
  ['name', 'text', 'Its name.', ({ name }) => name],
  ['startDate', 'date', 'The legal start of the succession.', ({ start }) => start],
];

/** The JSON text in parts, because an organisation can have many relationships to it. */
export async function* singleTexts(
  view: SearchView,
  row: number,
  practitioners: Practitioners | undefined,
): AsyncGenerator<string, void, undefined> {
  const { edition } = view;
  const targetRoles = roleIds(recordAt(edition, row), view);
  yield `{"main":${organisationText(view, row)},"relationships":{`;
  for (const [at, [name, ordinals]] of (await incomingOf(view, row)).entries()) {
    yield `${at > 0 ? ',' : ''}${JSON.stringify(name)}:[`;
    for (const [place, ordinal] of ordinals.entries()) {
      const relationship = edition.links.at(ordinal);
      const source = recordAt(edition, relationship.sourceRow);
      const text = objectText(INCOMING_MEMBERS, { view, relationship, source, targetRoles });
      yield place > 0 ? `,${text}` : text;
    }
    yield ']';
  }
  const [predecessor, successor] = SUCCESSION_KINDS.map((kind) => neighbourText(view, row, kind));
  yield `},"predecessor":${predecessor},"successor":${successor},`;
  yield '"igManagement":[],"practitioners":[';
  const code = edition.links.codeOf(row);
  for (const [at, each] of (practitioners?.ofOrganisation(code, view.day) ?? []).entries()) {
    yield (at > 0 ? ',' : '') + practitionerText(each, view.day);
  }
  yield ']}';
}

const SUCCESSION_KINDS = ['Predecessor', 'Successor'] as const;

type Group = readonly [roleName: string, ordinals: readonly number[]];

/** The relationships to the row, by the name of the primary role of their source. */
async function incomingOf(view: SearchView, row: number): Promise<readonly Group[]> {
  const { links } = view.edition;
  const moveTo = links.scan();
  const groups = new Map<string, number[]>();
  for (const [at, ordinal] of links.incoming(links.codeOf(row)).entries()) {
    if ((at + 1) % ORDINALS_IN_TURN === 0) await nextTurn();
    const role = view.primaryRoleOf(moveTo(ordinal).sourceRow);
    const name = view.roleName(role) ?? prefixedId('RO', role) ?? NO_ROLE;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [ordinal]);
    else group.push(ordinal);
  }
  return [...groups].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
}

/** They take a few milliseconds. A region can have 100,000. */
const ORDINALS_IN_TURN = 4096;

/** Only a reference-only record can lack a primary role. */
const NO_ROLE = 'UNKNOWN';

/** The last succession of the kind that has begun, or `null`. */
function neighbourText({ edition, day, nameOf }: SearchView, row: number, wanted: SuccessionKind) {
  const [latest] = allSuccessions(edition, row)
    .filter(({ kind }) => kind === wanted)
    .map(({ code, periods }) => ({ code, start: periodOfKind(periods, 'Legal')?.start }))
    .filter(({ start = '' }) => start <= day)
    .toSorted((a, b) => (b.start ?? '').localeCompare(a.start ?? ''));
  if (latest === undefined) return 'null';
  const name = nameOf(edition.links.rowOf(latest.code));
  return objectText(NEIGHBOUR_MEMBERS, { ...latest, name });
}
