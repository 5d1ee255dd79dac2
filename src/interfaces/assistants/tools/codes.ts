/** The tools that ask the questions about codes, names and postcodes. */

import { currentOf } from '../../answer/editions.ts';
import { arrayOf, DATE } from '../../json/json-schema.ts';
import { MATCH } from '../../questions/match-question.ts';
import { POSTCODES } from '../../questions/postcode-question.ts';
import { openQuestion, type Question, type QuestionRow } from '../../questions/question.ts';
import { HIERARCHY, RESOLVE } from '../../questions/questions.ts';
import type { AssistantDirectory } from './assistant-directory.ts';
import { DAY_INPUT, dayOn } from './days.ts';
import { listInput, numberInput, objectInput, optionalInput, textInput } from './inputs.ts';
import { NEAREST_SCHEMA, nearestTo } from './organisations.ts';
import { ROLE_INPUT } from './roles.ts';
import { resultOf } from './schemas.ts';
import { CODE_INPUT } from './search.ts';
import { createTool, type Tool, type ToolCall } from './tool.ts';

/** Of codes or names in a call. */
const ROWS_MAX = 50;

const CODES_INPUT = listInput('The codes of organisations, in any case.', CODE_INPUT, ROWS_MAX);

export function codeTools(directory: AssistantDirectory): readonly Tool[] {
  return [
    createTool({
      name: 'resolve_codes',
      title: 'Replaced codes',
      description:
        'Says for each code whether it is in use on a day, and which codes replaced it if not.',
      inputs: { codes: CODES_INPUT, on: DAY_INPUT },
      output: resultsOf(RESOLVE),
      answer: ({ codes, on }, call) => askAll(directory, RESOLVE, codes.map(asRow), on, call),
    }),
    createTool({
      name: 'match_names',
      title: 'Codes of names',
      description:
        'Finds which organisations names mean, also misspelt or former names, the best first. ' +
        'outcome is certain, likely, several or none. A postcode, town or role of each helps.',
      inputs: {
        names: listInput('The names, each with what else is known.', NAME_INPUT, ROWS_MAX),
        on: DAY_INPUT,
      },
      output: resultsOf(MATCH),
      answer: ({ names, on }, call) => askAll(directory, MATCH, names.map(given), on, call),
    }),
    createTool({
      name: 'hierarchy',
      title: 'What organisations belong to',
      description:
        'Lists for each code what the organisation belongs to on a day, from the nearest level ' +
        'upwards: operator, network, commissioner, integrated care board, region.',
      inputs: { codes: CODES_INPUT, on: DAY_INPUT },
      output: resultsOf(HIERARCHY),
      answer: ({ codes, on }, call) => askAll(directory, HIERARCHY, codes.map(asRow), on, call),
    }),
    createTool({
      name: 'postcode',
      title: 'A postcode',
      description:
        'Says where a postcode is and which areas it belongs to, such as its integrated care board, ' +
        'and lists the nearest organisations.',
      inputs: {
        postcode: textInput('A whole postcode, such as LS1 4AP.'),
        on: DAY_INPUT,
        role: optionalInput(ROLE_INPUT),
        nearest: optionalInput(
          numberInput('How many of the nearest organisations, 3 by default.', 0, ROWS_MAX),
        ),
      },
      output: resultOf({ place: POSTCODES.schema, nearest: NEAREST_SCHEMA }, ['place']),
      answer: async ({ postcode, on, role, nearest = NEAREST_DEFAULT }) => {
        const edition = currentOf(directory.editions);
        const ask = await openQuestion(POSTCODES, edition, dayOn(directory, on));
        const place = ask({ postcode });
        const refusal = POSTCODES.refusalOf?.(place);
        if (refusal !== undefined) throw refusal;
        if (nearest === 0 || !('latitude' in place)) return { place };
        const options = { role, limit: nearest };
        return { place, nearest: nearestTo(edition, place.postcode, options) };
      },
    }),
  ];
}

const NEAREST_DEFAULT = 3;

const NAME_INPUT = objectInput({
  name: textInput('The name as people write it, or a code.'),
  postcode: optionalInput(textInput('The postcode, or its outward code such as LS1.')),
  town: optionalInput(textInput('The post town.')),
  role: optionalInput(ROLE_INPUT),
});

function asRow(code: string): QuestionRow {
  return { code };
}

/** Without what was left out. */
function given(values: Readonly<Record<string, string | undefined>>): QuestionRow {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(pairs);
}

function resultsOf({ schema }: Pick<Question, 'schema'>) {
  return resultOf({ on: DATE, results: arrayOf(schema) }, ['on', 'results']);
}

/** The answer of the same question over HTTP. */
async function askAll<Answer extends object>(
  directory: AssistantDirectory,
  question: Question<Answer>,
  rows: readonly QuestionRow[],
  on: string | undefined,
  call: ToolCall,
): Promise<object> {
  const day = dayOn(directory, on);
  const ask = await openQuestion(question, currentOf(directory.editions), day);
  const results: Answer[] = [];
  for (const row of rows) {
    await call.pause();
    results.push(ask(row));
  }
  return { on: day, results };
}
