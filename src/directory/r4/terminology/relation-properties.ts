/** The properties of an organisation code, for `$lookup`, that are found by its relations to others. */
import type { CodeProperty, PropertyDeclaration } from '../../edition/code-systems.ts';
import type { Edition } from '../../edition/edition.ts';
import { perEdition } from '../../edition/per-edition.ts';
import type { Relations, Relationship } from '../../edition/relations.ts';
import { requireRelations } from '../../edition/require-relations.ts';
import {
  createFindGeography,
  type FindGeography,
  type Geography,
  relationshipsOf,
} from '../../export/relation-columns.ts';
import type { SuccessionKind } from '../../record/record.ts';
import { recordAt } from '../../record/record-at.ts';
import { prefixedId } from '../../release/ids.ts';
import { dayOf } from '../../time/in-force.ts';
import { isWanted, type WantedProperties } from './found-code.ts';

/** Found by the relationships that are in force today. */
const GEOGRAPHY_PROPERTIES: Readonly<Record<keyof Geography, PropertyDeclaration>> = {
  board: {
    code: 'ICB',
    description: 'The integrated care board that the organisation belongs to.',
    type: 'code',
  },
  region: {
    code: 'NHSER',
    description: 'The region of NHS England that the organisation belongs to.',
    type: 'code',
  },
};

const SUCCESSION_PROPERTIES: Readonly<Record<SuccessionKind, PropertyDeclaration>> = {
  Predecessor: {
    code: 'predecessor',
    description: 'Each organisation that this one succeeded.',
    type: 'code',
  },
  Successor: {
    code: 'successor',
    description: 'Each organisation that succeeded this one.',
    type: 'code',
  },
};

/** Those that do not depend on the edition. */
export const RELATION_PROPERTIES: readonly PropertyDeclaration[] = [
  ...Object.values(SUCCESSION_PROPERTIES),
  ...Object.values(GEOGRAPHY_PROPERTIES),
];

/** The code of a type of relationship. */
export const RELATIONSHIP = /^RE\d+$/;

/** The active relationships, the successions and the geography, with the names of the others. */
export function relationProperties(
  row: number,
  edition: Edition,
  wanted: WantedProperties,
): readonly CodeProperty[] {
  if (![...wanted].some(isRelation)) return [];
  const relations = requireRelations(edition);
  const relationships = relationshipsOf(edition, row);
  const active = relationships
    .filter(({ isActive }) => isActive)
    .map(({ type, target }) => ({ code: prefixedId('RE', type), target: target.code }));
  return [...active, ...successionsOf(row, relations), ...geographyOf(relationships, edition)]
    .filter(({ code }) => isWanted(wanted, code))
    .map(({ code, target }) => ({
      code,
      value: { valueCode: target },
      ...nameOf(target, edition),
    }));
}

function isRelation(property: string): boolean {
  return property === '*' || RELATIONSHIP.test(property) || FOUND_BY_RELATIONS.has(property);
}

const FOUND_BY_RELATIONS = new Set(RELATION_PROPERTIES.map(({ code }) => code));

function geographyOf(relationships: readonly Relationship[], edition: Edition) {
  const { board, region } = findGeography(edition)(relationships);
  const { board: ofBoard, region: ofRegion } = GEOGRAPHY_PROPERTIES;
  return [
    ...(board === undefined ? [] : [{ code: ofBoard.code, target: board }]),
    ...(region === undefined ? [] : [{ code: ofRegion.code, target: region }]),
  ];
}

/** Kept for the day, because the codes of an expansion belong to the same few organisations. */
const findGeography = perEdition((edition) => {
  let known = '';
  let find: FindGeography = () => ({});
  return (relationships: readonly Relationship[]) => {
    const today = dayOf(new Date());
    if (today !== known) find = createFindGeography(edition, today);
    known = today;
    return find(relationships);
  };
});

/** The successions that either organisation states, each once. */
function successionsOf(row: number, relations: Relations) {
  const stated = relations
    .successionsOf(row)
    .map(({ kind, target }) => ({ kind, target: target.code }));
  const others = relations
    .successionsTo(relations.codeOf(row))
    .map(({ kind, sourceRow }) => ({ kind: REVERSED[kind], target: relations.codeOf(sourceRow) }));
  const all = [...stated, ...others].map(({ kind, target }) => ({
    code: SUCCESSION_PROPERTIES[kind].code,
    target,
  }));
  return [...new Map(all.map((each) => [`${each.code} ${each.target}`, each])).values()];
}

const REVERSED = { Predecessor: 'Successor', Successor: 'Predecessor' } as const;

function nameOf(code: string, edition: Edition): { readonly description?: string } {
  const row = edition.relations.rowOf(code);
  const name = row === undefined ? undefined : recordAt(edition, row).name;
  return name === undefined ? {} : { description: name };
}
