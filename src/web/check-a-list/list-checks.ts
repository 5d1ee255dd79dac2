/** The questions of programs, joined to one for the rows of a list. */

import type {
  Belonging,
  Match,
  MatchCandidate,
  ResolvedCode,
} from '../../directory/ask/answers.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import { pastedCode } from '../../directory/edition/source-record.ts';
import { MATCH } from '../../interfaces/questions/match-question.ts';
import type { Question, QuestionInput, QuestionRow } from '../../interfaces/questions/question.ts';
import { HIERARCHY, RESOLVE } from '../../interfaces/questions/questions.ts';

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

/** Of names and codes. Each row may also have a `choice`. */
export function nameCheckOf(
  { hasLinks }: Edition,
  inputs: Question['inputs'],
): ListCheck<NameCheck> {
  return {
    name: 'check',
    inputs,
    columns: hasLinks ? [...MATCH.columns, ...LINK_COLUMNS] : MATCH.columns,
    open: openNameCheck,
    cells: (check) => [
      check.outcome,
      ...MATCH.cells(check.match).slice(1),
      ...(hasLinks ? linkCells(check) : []),
    ],
  };
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
