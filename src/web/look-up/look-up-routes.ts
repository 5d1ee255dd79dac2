/** The look-up page, the page of an organisation, and suggestions for the search box. */
import type { FastifyInstance } from 'fastify';
import type { Edition } from '../../directory/edition/edition.ts';
import { roleCodesOf } from '../../directory/words/role-words.ts';
import { parameterOf, parametersOf, redirect, setHeaders, withEdition } from '../answers.ts';
import { missingOrganization } from '../organization/missing-organization.ts';
import { organizationPage } from '../organization/organization-page.ts';
import type { Answering, AppOptions } from '../web-options.ts';
import { rowOfCode } from './interpretations.ts';
import { lookUpPage } from './look-up-page.ts';
import { parameterProblems } from './parameter-problems.ts';
import {
  isAsking,
  type LookUpState,
  NO_STATE,
  readCuts,
  readState,
  readText,
  withoutEmpty,
  writeState,
} from './state.ts';
import { suggest } from './suggestions.ts';

export function addLookUpRoutes(
  pages: FastifyInstance,
  options: AppOptions,
  answering: Answering,
): void {
  const { addresses, history, face, today } = options;
  const { show, fail } = answering;
  pages.get(
    '/',
    withEdition(options, answering, async (edition, request, reply) => {
      const parameters = parametersOf(request);
      const state = readState(parameters, (role) => roleCodesOf(edition, role));
      const row = goesToCode(state) ? rowOfCode(edition, state.text) : undefined;
      if (row === undefined) {
        const clean = withoutEmpty(parameters);
        if (clean !== undefined) return redirect(reply, addresses.home + clean);
        const problems = parameterProblems(edition, parameters);
        const page = await lookUpPage(edition, state, options, {
          cuts: readCuts(parameters),
          problems,
        });
        return show(reply, 'look-up.njk', page);
      }
      const target = addresses.organization(edition.index.codeOf(row));
      return redirect(reply, target + writeState({ ...NO_STATE, text: state.text }));
    }),
  );
  pages.get(
    '/organizations/:code',
    withEdition(options, answering, async (edition, request, reply) => {
      const code = parameterOf(request, 'code');
      const row = rowOfCode(edition, code);
      if (row === undefined) {
        return fail(reply, await missingOrganization(edition, code, options));
      }
      const actual = edition.index.codeOf(row);
      if (actual !== code) return redirect(reply, addresses.organization(actual));
      return show(reply, 'organization.njk', {
        ...(await organizationPage(edition, row, {
          addresses,
          history,
          face,
          mapUrl: options.settings.mapUrl,
          today: today(),
        })),
        ...waysOn(readState(parametersOf(request)), edition, row, options),
      });
    }),
  );
  pages.get(
    '/suggestions',
    withEdition(options, answering, async (edition, request, reply) => {
      const text = readText(parametersOf(request).get('q'));
      setHeaders(reply, 'application/json; charset=utf-8');
      return reply.send(JSON.stringify(await suggest(edition, text)));
    }),
  );
}

/**
 * The link back to the results, where a search led to an organisation. Where the search went
 * directly to a code, there were no results, and the link repeats the search among names.
 */
function waysOn(state: LookUpState, edition: Edition, row: number, { addresses }: AppOptions) {
  if (!isAsking(state)) return {};
  const { text } = state;
  const found = goesToCode(state) ? rowOfCode(edition, text) : undefined;
  if (found === undefined) return { results: addresses.home + writeState(state) };
  // Anyone may write an address with another text, and pass it on.
  if (found !== row) return {};
  const href = addresses.home + writeState({ ...NO_STATE, text, as: 'name' });
  return { searched: { text, href } };
}

function goesToCode({ as }: LookUpState): boolean {
  return as === undefined || as === 'code';
}
