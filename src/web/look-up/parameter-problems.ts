/** Finds the problems of the parameters of a search page, as sentences. */

import { rolesMeant, unknownRole } from '../../directory/ask/role-words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { unknownParameter } from '../../interfaces/json/json-parameters.ts';
import type { ParameterRow } from '../../interfaces/json/parameter-table.ts';
import { parameterProblemOf } from '../../interfaces/json/read-parameters.ts';
import { LOOK_UP_PARAMETERS, NEEDED_PARAMETERS } from '../matches/parameters.ts';
import {
  type LookUpState,
  ROLES_MAX,
  readCuts,
  readState,
  readText,
  TYPED_LENGTH_MAX,
} from '../matches/state.ts';
import { type BelongingFilter, isUnknown } from './belonging.ts';
import { parseNearness } from './nearness.ts';

/** Empty values are no problem, because forms send them. */
export function parameterProblems(edition: Edition, parameters: URLSearchParams): string[] {
  const unknown = [...new Set(parameters.keys())].filter((name) => !NAMES.includes(name));
  const roles = parameters
    .getAll('role')
    .slice(0, ROLES_MAX)
    .filter((role) => role !== '' && rolesMeant(edition, readText(role)).length === 0);
  return [
    ...unknown.slice(0, TEXTS_SHOWN).map((name) => unknownParameter(name, NAMES)),
    ...Object.entries(LOOK_UP_PARAMETERS).flatMap(([name, row]: [string, ParameterRow]) => {
      const value = parameters.get(name) ?? '';
      return value === '' ? [] : (parameterProblemOf(name, value, row) ?? []);
    }),
    ...Object.entries(LOOK_UP_PARAMETERS).flatMap(
      ([name, { isRepeatable }]: [string, ParameterRow]) =>
        isRepeatable !== true && parameters.getAll(name).length > 1
          ? [`${name} can be used only once.`]
          : [],
    ),
    ...NEEDED_PARAMETERS.flatMap(([name, needed]) =>
      (parameters.get(name) ?? '') !== '' && !parameters.has(needed)
        ? [`${name} needs the parameter ${needed}.`]
        : [],
    ),
    ...nearProblems(edition, parameters),
    ...roles.slice(0, TEXTS_SHOWN).map((role) => unknownRole(edition, readText(role))),
  ];
}

const NAMES = Object.keys(LOOK_UP_PARAMETERS);

/** Those of the place, without which there are no results. */
export function nearProblems(edition: Edition, parameters: URLSearchParams): string[] {
  if (parameters.get('near')?.includes('|') === true && (parameters.get('within') ?? '') !== '') {
    return ['within cannot be used, because near already has a distance.'];
  }
  const parsed = parseNearness(edition, readState(parameters));
  return parsed && 'issues' in parsed ? parsed.issues.map(({ diagnostics }) => diagnostics) : [];
}

/** The problems for programs, for which nothing is shortened or ignored: downloads and commands. */
export function searchProblems(edition: Edition, parameters: URLSearchParams): string[] {
  return [...parameterProblems(edition, parameters), ...cutProblems(parameters)];
}

/** Why a search has no results, if no organisation has the code or the name of `of`. */
export function targetProblem(
  edition: Edition,
  { of }: Pick<LookUpState, 'of'>,
  belonging: BelongingFilter | undefined,
): string | undefined {
  if (belonging === undefined || !isUnknown(edition, of, belonging)) return undefined;
  return 'of must be the code of an organisation, or the name of one that has members.';
}

/** What the page shortens, and a download refuses. */
function cutProblems(parameters: URLSearchParams): string[] {
  const { text, roles } = readCuts(parameters);
  return [
    ...(text ? [`q, town and of can have at most ${TYPED_LENGTH_MAX} characters.`] : []),
    ...(roles ? [`role can be used at most ${ROLES_MAX} times.`] : []),
  ];
}

const TEXTS_SHOWN = 5;
