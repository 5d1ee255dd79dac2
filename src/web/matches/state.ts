/** The state of the look-up page. Its address contains all of it, so it can be bookmarked. */

import type { ParameterRow } from '../../interfaces/json/parameter-table.ts';
import { LOOK_UP_PARAMETERS, type LookUpParameter, type ReadingKind } from './parameters.ts';

/** The status of the organisations shown; by default active. */
export type StatusFilter = 'inactive' | 'all';

export interface LookUpState {
  /** The typed text, trimmed. */
  readonly text: string;
  /** Chosen by a link; absent: the first one with results. */
  readonly as: ReadingKind | undefined;
  /** Codes of roles without `RO`; results have at least one of them. */
  readonly roles: readonly string[];
  /** If absent: active organisations, or inactive ones where none is active. */
  readonly status: StatusFilter | undefined;
  /** The beginning of a town. */
  readonly town: string;
  /** The code or name of an organisation that the results belong to. */
  readonly of: string;
  /** Whether results have a relationship to it, of any type, and not through another organisation. */
  readonly direct: boolean;
  /** The only type of relationship to it, without `RE`. It is then direct. */
  readonly by: string | undefined;
  /** A postcode or a position that results are near to, or the whole value of the parameter `near`. */
  readonly near: string;
  /** In kilometres; empty: `DISTANCES` has the default. */
  readonly within: string;
  /** From 1. */
  readonly page: number;
  /** Whether one page has all results, up to `PRINTED_MAX`, for paper. */
  readonly print: boolean;
}

/** No filter for organisations that belong to others. */
export const NO_BELONGING = { of: '', direct: false, by: undefined } as const;

/** No search. */
export const NO_STATE: LookUpState = {
  text: '',
  as: undefined,
  roles: [],
  status: undefined,
  town: '',
  ...NO_BELONGING,
  near: '',
  within: '',
  page: 1,
  print: false,
};

/** Longer texts are cut. No name in the directory is that long. */
export const TYPED_LENGTH_MAX = 200;
/** Each adds a box and a link that repeats all others, so more would take hundreds of kilobytes. */
export const ROLES_MAX = 50;
/** The characters that are read, white space included. */
const RAW_LENGTH_MAX = 5 * TYPED_LENGTH_MAX;
const PAGE_MAX = 1_000_000;

/**
 * Ignores parameters that are not valid. `roleCodesOf` gives the codes of the roles that a text
 * means; texts that mean none stay, and find nothing.
 */
export function readState(
  parameters: URLSearchParams,
  roleCodesOf: (text: string) => readonly string[] = () => [],
): LookUpState {
  const status = read(parameters, 'status', LOOK_UP_PARAMETERS.status);
  const print = read(parameters, 'print', LOOK_UP_PARAMETERS.print) === true;
  const of = readText(parameters.get('of'));
  const near = readText(parameters.get('near'));
  const roles = readRoles(parameters)
    .slice(0, ROLES_MAX)
    .flatMap((role) => {
      const codes = roleCodesOf(role);
      return codes.length === 0 ? [role] : codes;
    });
  return {
    text: readText(parameters.get('q')),
    as: read(parameters, 'as', LOOK_UP_PARAMETERS.as),
    roles: [...new Set(roles)].slice(0, ROLES_MAX),
    status: status === 'active' ? undefined : status,
    town: readText(parameters.get('town')),
    of,
    direct: of !== '' && read(parameters, 'direct', LOOK_UP_PARAMETERS.direct) === true,
    by: of === '' ? undefined : read(parameters, 'by', LOOK_UP_PARAMETERS.by),
    near,
    within: near === '' ? '' : readText(parameters.get('within')),
    page: print ? 1 : Math.min(read(parameters, 'page', LOOK_UP_PARAMETERS.page) ?? 1, PAGE_MAX),
    print,
  };
}

/** Undefined if the parameter is absent or not valid. */
function read<Value>(
  parameters: URLSearchParams,
  name: LookUpParameter,
  { kind }: ParameterRow<Value>,
): Value | undefined {
  const text = parameters.get(name);
  return text === null ? undefined : kind.parse(text);
}

/** The parts of an address that the state cut, because they are too long or too many. */
export interface Cuts {
  readonly text: boolean;
  readonly roles: boolean;
}

export function readCuts(parameters: URLSearchParams): Cuts {
  return {
    text: ['q', 'town', 'of'].some(
      (name) => trimmed(parameters.get(name)).length > TYPED_LENGTH_MAX,
    ),
    roles: readRoles(parameters).length > ROLES_MAX,
  };
}

/**
 * The query string without the empty parameters that forms send; undefined if there are none.
 */
export function withoutEmpty(parameters: URLSearchParams): string | undefined {
  const clean = new URLSearchParams(parameters);
  for (const name of NAMES) clean.delete(name, '');
  // The form always sends a distance.
  if (!clean.has('near')) clean.delete('within');
  if (clean.size === parameters.size) return undefined;
  return clean.size === 0 ? '' : `?${clean}`;
}

/** The values of each parameter. An empty or absent one is not written. */
const WRITTEN = {
  q: ({ text }) => text,
  as: ({ as }) => as,
  role: ({ roles }) => roles,
  status: ({ status }) => status,
  town: ({ town }) => town,
  of: ({ of }) => of,
  direct: ({ direct }) => direct && 'true',
  by: ({ by }) => by,
  near: ({ near }) => near,
  within: ({ within }) => within,
  page: ({ page }) => page > 1 && String(page),
  print: ({ print }) => print && 'true',
} as const satisfies Readonly<
  Record<LookUpParameter, (state: LookUpState) => string | readonly string[] | false | undefined>
>;

const NAMES = Object.keys(WRITTEN) as readonly LookUpParameter[];

/** The query string of a state, with `?`; empty for the default state. */
export function writeState(state: LookUpState): string {
  const parameters = new URLSearchParams();
  for (const name of NAMES) {
    for (const value of [WRITTEN[name](state) || []].flat()) parameters.append(name, value);
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** Whether the state is a search. */
export function isAsking({ text, roles, status, ...places }: LookUpState): boolean {
  const { town, of, near } = places;
  return (
    [text, town, of, near].some((each) => each !== '') || roles.length > 0 || status !== undefined
  );
}

export function readText(text: string | null): string {
  return trimmed(text).slice(0, TYPED_LENGTH_MAX).trim();
}

function trimmed(text: string | null): string {
  return (text ?? '').slice(0, RAW_LENGTH_MAX).toWellFormed().replace(/\s+/g, ' ').trim();
}

function readRoles(parameters: URLSearchParams): string[] {
  return [...new Set(parameters.getAll('role').map(readText))].filter((role) => role !== '');
}
