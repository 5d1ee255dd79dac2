/**
 * The members of an organisation that come from its relationships to others. An edition without
 * relationships has none of them.
 */

import type { Geography } from '../../../directory/ask/geography.ts';
import type { Relationship } from '../../../directory/links/edition-links.ts';
import { prefixedId } from '../../../directory/record/ids.ts';
import { inTime, latestOn } from '../../../directory/record/in-force.ts';
import type { Member } from './member.ts';
import type { SearchView } from './view.ts';

export interface Related {
  readonly view: SearchView;
  /** By type: those in force, or those that have ended if none is. The latest first. */
  readonly byType: ReadonlyMap<string, readonly Relationship[]>;
  readonly geography: Geography;
}

export function relatedOf(
  view: SearchView,
  relationships: readonly Relationship[],
  geography: Geography,
): Related {
  const byType = Map.groupBy(relationships, ({ type }) => type);
  for (const [type, ofType] of byType) byType.set(type, latestOn(ofType, view.day));
  return { view, byType, geography };
}

/** A type of relationships, and the beginning of the names of its members. */
interface RelationshipType {
  readonly type: string;
  readonly name: string;
  readonly meaning: string;
  /** Whether an organisation can have several at the same time. */
  readonly isList?: true;
}

const RELATIONSHIP_TYPES: readonly RelationshipType[] = [
  { type: '2', name: 'isASubDivisionOf', meaning: 'that it is a sub-division of' },
  { type: '3', name: 'isDirectedBy', meaning: 'that directs it' },
  { type: '4', name: 'isCommissionedBy', meaning: 'that commissions it' },
  { type: '6', name: 'isOperatedBy', meaning: 'that operates it' },
  { type: '8', name: 'isPartnerTo', meaning: 'that it is a partner to', isList: true },
  { type: '9', name: 'isNominatedPayeeFor', meaning: 'that it is the payee for', isList: true },
  { type: '11', name: 'isConstituentOf', meaning: 'that it is a constituent of' },
];

/** What a member says about a relationship. */
type RelationshipPart = readonly [
  name: string,
  kind: 'text' | 'date',
  meaning: string,
  read: (relationship: Relationship, view: SearchView) => string | undefined,
];

const CODE: RelationshipPart = ['Code', 'text', 'The code of', ({ target }) => target.code];

const OTHER_PARTS: readonly RelationshipPart[] = [
  ['Name', 'text', 'The name of', ({ target }, view) => view.nameOf(target.row)],
  [
    'PrimaryRoleName',
    'text',
    'The name of the primary role of',
    ({ target: { primaryRole, row } }, view) =>
      view.roleName(primaryRole ?? view.primaryRoleOf(row)),
  ],
  [
    'LegalStartDate',
    'date',
    'The start of the relationship to',
    (relationship, { day }) => inTime(relationship, day, 'Legal').period?.start,
  ],
  [
    'LegalEndDate',
    'date',
    'The end of the relationship to',
    (relationship, { day }) => inTime(relationship, day, 'Legal').period?.end,
  ],
];

/** A list has only what is in force. Otherwise the last one that ended counts too. */
function relationshipMember(
  name: string,
  { type, isList, meaning: which }: RelationshipType,
  [, kind, what, read]: RelationshipPart,
): Member<Related> {
  const meaning = `${what} the organisation${isList ? 's' : ''} ${which}.`;
  return isList
    ? [
        name,
        `list of ${kind}s`,
        meaning,
        ({ byType, view }) =>
          byType
            .get(type)
            ?.filter((each) => inTime(each, view.day).phase === 'now')
            .map((each) => read(each, view) ?? null) ?? NONE,
      ]
    : [
        name,
        kind,
        meaning,
        ({ byType, view }) => {
          const latest = byType.get(type)?.[0];
          return latest && read(latest, view);
        },
      ];
}

const NONE: readonly string[] = [];

const GEOGRAPHIES = [
  ['ICB', 'board', 'integrated care board'],
  ['NHSER', 'region', 'region of NHS England'],
] as const;

export const RELATIONSHIP_MEMBERS: readonly Member<Related>[] = [
  ...RELATIONSHIP_TYPES.map((type) => relationshipMember(prefixedId('RE', type.type), type, CODE)),
  ...RELATIONSHIP_TYPES.flatMap((type) =>
    [...(type.isList ? [CODE] : []), ...OTHER_PARTS].map((part) =>
      relationshipMember(type.name + part[0], type, part),
    ),
  ),
  ...GEOGRAPHIES.flatMap(([name, level, title]): readonly Member<Related>[] => [
    [
      name,
      'text',
      `The code of the ${title} of its postcode. If that is not known, of the one that it belongs to.`,
      ({ geography }) => geography[level],
    ],
    [
      `${name}Name`,
      'text',
      `The name of this ${title}.`,
      ({ geography, view }) => view.nameOf(view.edition.links.rowOf(geography[level] ?? '')),
    ],
  ]),
];
