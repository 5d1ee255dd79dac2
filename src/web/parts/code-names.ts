/** The names of an edition's roles and relationships, as pages show them. */
import { type Edition, perEdition } from '../../directory/edition/edition.ts';
import type { RoleRecord } from '../../directory/record/record.ts';
import { sentenceCase } from './display.ts';

export interface RolesOf {
  /** The display in sentence case, or the code if there is no display. */
  name(code: string): string;
  /**
   * The code of the role by which people know an organisation, of its roles, of which the primary one
   * is the first. GP practices are prescribing cost centres, and have their own role beside this one.
   */
  mainOf(held: readonly Pick<RoleRecord, 'code' | 'isActive'>[]): string | undefined;
}

const PRESCRIBING_COST_CENTRE = '177';
const GP_PRACTICE = '76';

export const rolesOf = perEdition(({ codeSystems }): RolesOf => {
  const names = new Map<string, string>();
  for (const { code, display } of codeSystems.roles) {
    if (display !== undefined && !names.has(code)) names.set(code, sentenceCase(display));
  }
  return {
    name: (code) => names.get(code) ?? `Role RO${code}`,
    mainOf: ([main, ...others]) => {
      const isPractice = others.some(({ code, isActive }) => code === GP_PRACTICE && isActive);
      return main?.code === PRESCRIBING_COST_CENTRE && isPractice ? GP_PRACTICE : main?.code;
    },
  };
});

/** `IS COMMISSIONED BY` as `Commissioned by`; the code of a type that has no display. */
export function relationshipWords({ codeSystems }: Edition, type: string): string {
  const display = codeSystems.relationships.find(({ code }) => code === type)?.display;
  if (display === undefined) return `Relationship RE${type}`;
  const words = sentenceCase(display.replace(/^IS (?:AN? )?/, ''));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The order of the types on pages: commissioned by, operated by, partner to (a network), located in
 * the geography of, sub-division of, directed by. Others follow by their codes.
 */
export function byRelationshipType(one: string, other: string): number {
  return placeOf(one) - placeOf(other) || Number(one) - Number(other);
}

const ORDER = ['4', '6', '8', '5', '2', '3'];

function placeOf(type: string): number {
  const place = ORDER.indexOf(type);
  return place < 0 ? ORDER.length : place;
}
