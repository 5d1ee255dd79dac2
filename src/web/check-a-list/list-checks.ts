/** The questions of programs, joined to one for the rows of a list. */

import type {
  Belonging,
  Match,
  MatchCandidate,
  ResolvedCode,
} from '../../directory/ask/answers.ts';
import { chosenOf } from '../../directory/ask/match/match.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { findRow, pastedCode } from '../../directory/edition/source-record.ts';
import type { PostcodeAnswer } from '../../directory/places/areas.ts';
import { partsOfPostcode } from '../../directory/places/postcodes.ts';
import { candidateCell, MATCH } from '../../interfaces/questions/match-question.ts';
import { POSTCODES } from '../../interfaces/questions/postcode-question.ts';
import type { Question, QuestionInput, QuestionRow } from '../../interfaces/questions/question.ts';
import { HIERARCHY, RESOLVE } from '../../interfaces/questions/questions.ts';
import { describedOrganization } from './described-organization.ts';

/** As much of a question as a table needs. */
export type ListCheck<Answer extends object = object> = Pick<
  Question<Answer>,
  'name' | 'inputs' | 'columns' | 'open' | 'cells'
>;

/** The value of a choice that says that no candidate is right. */
export const NO_CANDIDATE = 'none';

export interface NameCheck {
  /** `chosen`: a visitor chose among the candidates. */
  readonly outcome: Match['outcome'] | 'chosen';
  /** What the answer says: after a choice, the chosen candidate alone. */
  readonly match: Match;
  /** What there is to choose from. */
  readonly candidates: readonly MatchCandidate[];
  /** Of the one organisation that the row means, if the edition has relationships. */
  readonly resolved?: ResolvedCode;
  readonly belonging?: Belonging;
}

const [NAME, ...HINTS] = MATCH.inputs;
const [CODE] = RESOLVE.inputs;
const OPTIONAL_CODE: QuestionInput = { ...CODE, isRequired: false };

/** The columns of a list: names, and codes beside them if there are some; or codes alone. */
export const NAME_INPUTS: readonly Question['inputs'][] = [
  [NAME, OPTIONAL_CODE, ...HINTS],
  [CODE, ...HINTS],
];

/** The answer to a row that has a postcode alone. */
export interface PlaceCheck {
  readonly place: PostcodeAnswer;
}

/** Each row is a name or code, or a postcode. */
export type RowCheck = NameCheck | PlaceCheck;

/**
 * Of names, codes and postcodes. Each row may also have a `choice`. `withPlaces`: the table also has
 * the columns that only postcodes fill.
 */
export function rowCheckOf(
  edition: Edition,
  inputs: Question['inputs'],
  withPlaces: boolean,
): ListCheck<RowCheck> {
  const { hasLinks, index, postcodes } = edition;
  const ofNames = hasLinks ? [...MATCH_COLUMNS, ...LINK_COLUMNS] : MATCH_COLUMNS;
  const ofPlaces = withPlaces ? placeColumns(ofNames) : [];
  const columns = [...ofNames, ...ofPlaces, ...DESCRIPTION_COLUMNS];
  return {
    name: 'check',
    inputs,
    columns,
    open: async (edition, day, left) => {
      const ask = await openNameCheck(edition, day, left);
      const place = postcodes === undefined ? undefined : await POSTCODES.open(edition, day, left);
      return (row) => {
        // A code can have the form of a postcode.
        const isCode = findRow(index, row.name ?? '') !== undefined;
        const split = isCode ? row : splitRow(row);
        if (place === undefined || !isPlace(split)) return ask(split);
        return { place: place({ postcode: split.postcode ?? '' }) };
      };
    },
    cells: (check) => {
      if ('place' in check) return placeCells(columns, check.place);
      return [
        check.outcome,
        ...MATCH.cells(check.match).slice(1, MATCH_COLUMNS.length),
        ...(hasLinks ? linkCells(check) : []),
        ...ofPlaces.map(() => ''),
        ...descriptionCells(edition, check.match),
      ];
    },
  };
}

/** Without the last one, `differs`, which stands with the other columns about the organisations. */
const MATCH_COLUMNS = MATCH.columns.slice(0, -1);

const DESCRIPTION_COLUMNS = ['differs', 'matchedRole', 'matchedTown', 'matchedPostcode'];

/** Of the organisations that the column `code` has. */
function descriptionCells(edition: Edition, { outcome, candidates }: Match): readonly string[] {
  const shown = chosenOf(outcome, candidates);
  const described = shown.map(({ code }) => describedOrganization(edition, code));
  return [
    candidateCell(shown.map(({ differs = [] }) => differs.join(', '))),
    candidateCell(described.map((one) => one?.role ?? '')),
    candidateCell(described.map((one) => one?.town ?? '')),
    candidateCell(described.map((one) => one?.postcode ?? '')),
  ];
}

/** Whether the row has a postcode and neither a name nor a code. */
function isPlace({ code = '', name = '', postcode = '' }: QuestionRow): boolean {
  return code === '' && name === '' && partsOfPostcode(postcode) !== undefined;
}

/** A postcode at the end of a name, or in its place, is the postcode of a row that has no other. */
function splitRow(row: QuestionRow): QuestionRow {
  const { name = '', postcode = '' } = row;
  if (postcode !== '' || name.length > NAME_LENGTH_MAX) return row;
  if (partsOfPostcode(name) !== undefined) return { ...row, name: '', postcode: name };
  const words = name.split(/[\s,;]+/);
  for (const count of [2, 1]) {
    const last = words.slice(-count).join(' ');
    if (words.length <= count || partsOfPostcode(last) === undefined) continue;
    return { ...row, name: words.slice(0, -count).join(' '), postcode: last };
  }
  return row;
}

const NAME_LENGTH_MAX = 300;

/** The columns of postcodes that names do not have. The areas have the codes of organisations. */
function placeColumns(ofNames: readonly string[]): readonly string[] {
  return POSTCODES.columns.filter(
    (column) => !ofNames.includes(column) && !column.endsWith(ORGANISATION),
  );
}

const ORGANISATION = 'Organisation';

function placeCells(columns: readonly string[], place: PostcodeAnswer): readonly string[] {
  const cells = POSTCODES.cells(place);
  const values = new Map(POSTCODES.columns.map((column, at) => [column, cells[at] ?? '']));
  return columns.map(
    (column) => values.get(`${column}${ORGANISATION}`) || values.get(column) || '',
  );
}

const LINK_COLUMNS = ['status', ...RESOLVE.columns.slice(1), ...HIERARCHY.columns.slice(1)];

function linkCells({ resolved, belonging }: NameCheck): readonly string[] {
  if (resolved === undefined || belonging === undefined) return LINK_COLUMNS.map(() => '');
  return [...RESOLVE.cells(resolved), ...HIERARCHY.cells(belonging).slice(1)];
}

async function openNameCheck(
  edition: Edition,
  day: string,
  left?: AbortSignal,
): Promise<(row: QuestionRow) => NameCheck> {
  const match = await MATCH.open(edition, day, left);
  const { hasLinks } = edition;
  const resolve = hasLinks ? await RESOLVE.open(edition, day) : undefined;
  const hierarchy = hasLinks ? await HIERARCHY.open(edition, day) : undefined;

  /** A code without a record may have successors. */
  const pastCode = (name: string): Match | undefined => {
    if (resolve === undefined || resolve({ code: name }).outcome === 'unknown') return undefined;
    const code = pastedCode(name).toUpperCase();
    return { name, outcome: 'certain', candidates: [{ code, name: '', score: 1, why: ['code'] }] };
  };
  const matchOf = ({ code = '', name = '', ...hints }: QuestionRow): Match => {
    // Beside a name, a code decides if it is known.
    const asked = [
      { name: code, nameBeside: name },
      { name, nameBeside: '' },
    ];
    const found = asked
      .filter((each) => each.name !== '')
      .map((each) => {
        const matched = match({ ...hints, ...each });
        return matched.outcome === 'none' ? (pastCode(each.name) ?? matched) : matched;
      });
    const [best = { name, outcome: 'none', candidates: [] }] = [
      ...found.filter(({ outcome }) => outcome !== 'none'),
      ...found.toReversed(),
    ];
    return best;
  };
  const linksOf = (code: string): Pick<NameCheck, 'resolved' | 'belonging'> => {
    if (resolve === undefined || hierarchy === undefined) return {};
    const resolved = resolve({ code });
    const [now = { code }, ...others] = resolved.now;
    return { resolved, belonging: hierarchy({ code: others.length > 0 ? code : now.code }) };
  };
  return ({ choice, ...row }) => {
    const found = matchOf(row);
    const check = choose(found, choice);
    const [only] = check.match.outcome === 'several' ? [] : check.match.candidates;
    const isOne = only !== undefined && check.match.outcome !== 'none';
    return { ...check, ...(isOne && linksOf(only.code)) };
  };
}

/** A choice that is no candidate does not count: another edition may have had it. */
function choose(
  found: Match,
  choice: string | undefined,
): Pick<NameCheck, 'outcome' | 'match' | 'candidates'> {
  const { candidates, outcome } = found;
  if (choice === NO_CANDIDATE) {
    return { outcome: 'none', match: { ...found, outcome: 'none', candidates: [] }, candidates };
  }
  const chosen = candidates.find(({ code }) => code === choice);
  const isFirst = chosen === candidates[0] && (outcome === 'certain' || outcome === 'likely');
  if (chosen === undefined || isFirst) return { outcome, match: found, candidates };
  const match: Match = { ...found, outcome: 'certain', candidates: [chosen] };
  return { outcome: 'chosen', match, candidates };
}
