/** The parameters of a question over HTTP, as a table, and the rows that their values ask. */

import { refuse } from '../json/json-parameters.ts';
import { DAY_KIND, listKind, WORDS_KIND } from '../json/kinds.ts';
import { type ParameterRow, type ParameterTable, tableOf } from '../json/parameter-table.ts';
import { pairText } from '../json/read-parameters.ts';
import type { Question, QuestionInput, QuestionRow } from './question.ts';

/** What all questions have besides their inputs. */
export const DAY_PARAMETER = tableOf({
  on: {
    documentation: 'The day, `YYYY-MM-DD`. Without it: today.',
    kind: DAY_KIND,
    example: '2026-04-01',
  },
});

/** The parameters of a question whose body can be a table. */
export const TABLE_PARAMETERS = {
  ...DAY_PARAMETER,
  column: {
    documentation:
      'The heading of the column of a CSV table that has the values, if it is not a usual one.',
    kind: WORDS_KIND,
    example: 'Code of practice',
  },
} as const;

/** The inputs. The first one may be repeated: each of its values is a row. */
export function inputTableOf({ inputs }: Pick<Question, 'inputs'>): ParameterTable {
  const rows = inputs.map((input, at) => [
    input.name,
    at === 0
      ? { ...inputParameter(input), ...severalOf(input), isRepeatable: true }
      : inputParameter(input),
  ]);
  return Object.fromEntries(rows);
}

/** The input that a path has. */
export function mainTableOf({ inputs: [main] }: Pick<Question, 'inputs'>): ParameterTable {
  return { [main.name]: inputParameter(main) };
}

function inputParameter({
  name,
  isRequired = false,
  documentation,
  example,
}: QuestionInput): ParameterRow<string> {
  return {
    documentation,
    kind: WORDS_KIND,
    example,
    isRequired,
    texts: { invalid: `${name} is empty. Give a value, as in ${pairText(name, example)}.` },
  };
}

function severalOf({ hasNoCommas = false }: QuestionInput): Partial<ParameterRow> {
  return hasNoCommas ? { kind: listKind(WORDS_KIND) } : {};
}

/** A row for each value of the first input. The others hold for all rows. */
export function rowsOfValues(
  values: Readonly<Record<string, unknown>>,
  { inputs: [main, ...others] }: Pick<Question, 'inputs'>,
): readonly QuestionRow[] {
  const forAll: Record<string, string> = {};
  for (const { name } of others) {
    const value = values[name];
    if (typeof value === 'string') forAll[name] = value;
  }
  const several = [values[main.name]].flat(2);
  return checkedRows(
    several.map((value) => ({ ...forAll, [main.name]: String(value) })),
    main.name,
  );
}

/** At most this many are in a request. */
export const QUESTION_ROWS_MAX = 1000;

/** Without white space around the values of the first input. Throws a FhirError if there are none. */
export function checkedRows(rows: readonly QuestionRow[], main: string): readonly QuestionRow[] {
  if (rows.length === 0) throw refuse(`There is no ${main}. Give at least one.`);
  if (rows.length > QUESTION_ROWS_MAX) {
    throw refuse(
      `There are ${rows.length} rows. At most ${QUESTION_ROWS_MAX} are allowed in a request.`,
    );
  }
  const without = rows.findIndex((row) => (row[main] ?? '').trim() === '');
  if (without < 0) return rows.map((row) => ({ ...row, [main]: row[main]!.trim() }));
  throw refuse(`Row ${without + 1} has no ${main}.`);
}
