/** Roles as assistants write them, and the tool that lists them. */

import { rolesMeant, unknownRole } from '../../../directory/ask/role-words.ts';
import type { Edition } from '../../../directory/edition/edition.ts';
import { refuse } from '../../json/json-parameters.ts';
import { arrayOf, TEXT } from '../../json/json-schema.ts';
import { rolesNamed } from '../../questions/roles.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { optionalInput, textInput } from './inputs.ts';
import { nextOf, PAGE_INPUTS, pageOf } from './pages.ts';
import { COUNT, resultOf } from './schemas.ts';
import { createTool, type Tool } from './tool.ts';

export const ROLE_INPUT = textInput(
  'A role: its code such as RO182, its name, or an everyday word such as pharmacy or GP.',
);

/** The codes without `RO`, at least one. Throws a FhirError. */
export function roleCodesNamed(edition: Edition, role: string): readonly string[] {
  const codes = rolesMeant(edition, role);
  if (codes.length > 0) return codes;
  throw refuse(unknownRole(edition, role, 'the tool roles'));
}

export function rolesTool({ editions }: AssistantDirectory): Tool {
  return createTool({
    name: 'roles',
    title: 'Roles',
    description:
      'Lists the roles of organisations with their codes, and how many organisations have each ' +
      '(as any of their roles); the most frequent first. With role: only those that it means.',
    inputs: { role: optionalInput(ROLE_INPUT), ...PAGE_INPUTS },
    output: resultOf(
      {
        total: COUNT,
        roles: arrayOf(
          resultOf({ code: TEXT, name: TEXT, organisations: COUNT, active: COUNT }, [
            'code',
            'organisations',
            'active',
          ]),
        ),
        next: TEXT,
      },
      ['total', 'roles'],
    ),
    answer: async ({ role, ...paging }) => {
      const page = pageOf(editions, paging);
      const { edition, offset, limit } = page;
      if (role !== undefined) roleCodesNamed(edition, role);
      const found = await rolesNamed(edition, role);
      const roles = found.toSorted((a, b) => b.organisations - a.organisations);
      return {
        total: roles.length,
        roles: roles.slice(offset, offset + limit),
        ...nextOf(page, offset + limit < roles.length),
      };
    },
  });
}
