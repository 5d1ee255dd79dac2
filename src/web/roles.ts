/** The names of an edition's roles, as pages show them. */
import type { Edition } from '../directory/edition/edition.ts';
import { sentenceCase } from './display.ts';

export interface RolesOf {
  /** The display in sentence case, or the code if there is no display. */
  name(code: string): string;
}

export function rolesOf(edition: Edition): RolesOf {
  let known = ROLES.get(edition);
  if (known === undefined) {
    const names = new Map<string, string>();
    for (const { code, display } of edition.codeSystems.roles) {
      if (display !== undefined && !names.has(code)) names.set(code, sentenceCase(display));
    }
    known = { name: (code) => names.get(code) ?? `Role RO${code}` };
    ROLES.set(edition, known);
  }
  return known;
}

const ROLES = new WeakMap<Edition, RolesOf>();
