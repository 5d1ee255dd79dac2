/** The names of an edition's roles, as pages show them. */
import { perEdition } from '../directory/edition/edition.ts';
import { sentenceCase } from './display.ts';

export interface RolesOf {
  /** The display in sentence case, or the code if there is no display. */
  name(code: string): string;
}

export const rolesOf = perEdition(({ codeSystems }): RolesOf => {
  const names = new Map<string, string>();
  for (const { code, display } of codeSystems.roles) {
    if (display !== undefined && !names.has(code)) names.set(code, sentenceCase(display));
  }
  return { name: (code) => names.get(code) ?? `Role RO${code}` };
});
