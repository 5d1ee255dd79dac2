/** Finds the problems of the parameters of a search page, as sentences. */

import { roleCodesOf } from '../../directory/ask/role-words.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { shownText, unknownValue } from '../../fhir/request/unknown-name.ts';
import { OPENAPI, unknownParameter } from '../../interfaces/json/json-parameters.ts';
import {
  PARAMETERS,
  READING_KINDS,
  ROLES_MAX,
  readCuts,
  readState,
  readText,
  type StateParameter,
  TYPED_LENGTH_MAX,
} from '../matches/state.ts';
import { parseNearness } from './nearness.ts';

/** Empty values are no problem, because forms send them. */
export function parameterProblems(edition: Edition, parameters: URLSearchParams): string[] {
  const names: ReadonlySet<string> = new Set(PARAMETERS);
  const unknown = [...new Set(parameters.keys())].filter((name) => !names.has(name));
  const roles = parameters
    .getAll('role')
    .slice(0, ROLES_MAX)
    .filter((role) => role !== '' && roleCodesOf(edition, readText(role)).length === 0);
  return [
    ...unknown.slice(0, TEXTS_SHOWN).map((name) => unknownParameter(name, PARAMETERS)),
    ...CHECKED.flatMap(([name, isValid, wanted]) => {
      const value = parameters.get(name) ?? '';
      return value === '' || isValid(value)
        ? []
        : [`${name} must be ${wanted}. Got “${cut(value)}”.`];
    }),
    ...unknownReadings(parameters.get('as') ?? ''),
    ...PARAMETERS.flatMap((name) =>
      name !== 'role' && parameters.getAll(name).length > 1
        ? [`${name} can be used only once.`]
        : [],
    ),
    ...NEEDED.flatMap(([name, needed]) =>
      (parameters.get(name) ?? '') !== '' && !parameters.has(needed)
        ? [`${name} needs the parameter ${needed}.`]
        : [],
    ),
    ...nearProblems(edition, parameters),
    ...(roles.length === 0 ? [] : [`No role has the code or the name ${listed(roles, ' or ')}.`]),
  ];
}

function unknownReadings(as: string): string[] {
  const isKnown = as === '' || READING_KINDS.some((kind) => kind === as);
  return isKnown ? [] : [unknownValue('as', as, READING_KINDS, OPENAPI)];
}

function nearProblems(edition: Edition, parameters: URLSearchParams): string[] {
  if (parameters.get('near')?.includes('|') === true && (parameters.get('within') ?? '') !== '') {
    return ['within cannot be used, because near already has a distance.'];
  }
  const parsed = parseNearness(edition, readState(parameters));
  return parsed && 'issues' in parsed ? parsed.issues.map(({ diagnostics }) => diagnostics) : [];
}

/** What the page shortens, and a download refuses. */
export function cutProblems(parameters: URLSearchParams): string[] {
  const { text, roles } = readCuts(parameters);
  return [
    ...(text ? [`q, town and of can have at most ${TYPED_LENGTH_MAX} characters.`] : []),
    ...(roles ? [`role can be used at most ${ROLES_MAX} times.`] : []),
  ];
}

const NEEDED = [
  ['direct', 'of'],
  ['by', 'of'],
  ['within', 'near'],
] as const;

const CHECKED: readonly (readonly [
  name: StateParameter,
  isValid: (value: string) => boolean,
  wanted: string,
])[] = [
  ['status', (value) => /^(active|inactive|all)$/.test(value), 'active, inactive or all'],
  ['direct', (value) => /^(true|false)$/.test(value), 'true or false'],
  ['by', (value) => /^(RE)?\d{1,4}$/i.test(value), 'a type of relationship, such as 4 or RE4'],
  ['page', (value) => /^[1-9]\d*$/.test(value), 'a number from 1'],
  ['print', (value) => /^(true|false)$/.test(value), 'true or false'],
];

function listed(texts: readonly string[], between: string): string {
  const shown = texts.slice(0, TEXTS_SHOWN).map((text) => `“${cut(text)}”`);
  return shown.join(between) + (texts.length > TEXTS_SHOWN ? ' …' : '');
}

function cut(text: string): string {
  return shownText(text);
}

const TEXTS_SHOWN = 5;
