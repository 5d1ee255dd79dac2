/** The page that checks a list: its form, the checked list, and the list as CSV. Nothing is kept. */

import type { Edition } from '../../directory/edition/edition.ts';
import type { PostcodeAnswer } from '../../directory/places/areas.ts';
import { ERROR_ROWS, FhirError } from '../../fhir/request/fhir-error.ts';
import type { FhirResponse } from '../../fhir/request/request.ts';
import type { OpenDownload } from '../../fhir/service/interaction.ts';
import { longAnswersOf } from '../../interfaces/answer/editions.ts';
import { textPieces } from '../../interfaces/answer/long-answers.ts';
import { answeredLines } from '../../interfaces/questions/csv-table.ts';
import { editionLabel } from '../editions/editions-page.ts';
import { answerInPieces, asFile, CSV, editionRoute, errorTitle, HTML } from '../parts/answers.ts';
import { formatCount, formatDate } from '../parts/display.ts';
import { NO_EDITION } from '../parts/problems.ts';
import type { PageRequest, PageRoute, TitledPage, WebContext } from '../parts/web-options.ts';
import type { RowCheck } from './list-checks.ts';
import { CHECK_OUTCOMES, shownPostcode, shownRow } from './list-rows.ts';
import { type CheckedList, readListForm, readSentList, type SentList } from './read-list.ts';

export function checkListRoutes(options: WebContext): readonly PageRoute[] {
  const { editions, today } = options;
  const piecesOf = (
    rows: number,
    texts: (left?: AbortSignal) => AsyncIterable<string>,
  ): OpenDownload['pieces'] =>
    longAnswersOf(editions).pieces({
      kind: 'checked lists',
      isShort: () => rows <= SMALL_MAX,
      make: (left) => textPieces(texts(left)),
    });
  return [
    editionRoute(options, '/check-a-list', (edition, asked) =>
      options.show(asked, 'check-a-list/form.njk', formPage(edition, options, NO_LIST)),
    ),
    listRoute(options, '/check-a-list', async (edition, asked, list) => {
      const day = list.on ?? today();
      const ask = await list.check.open(edition, day, asked.request.leftSignal?.());
      const page = {
        ...formPage(edition, options, list),
        edition: await editionLabel(edition, options.history, today()),
        isPostcodes: list.isPostcodes,
        total: formatCount(list.table.length - 1, 'row'),
        day: formatDate(day),
        choices: [...list.choices],
      };
      const [head = '', middle = '', end = ''] = options
        .render('check-a-list/checked.njk', page)
        .split(PLACE);
      const rows = (left?: AbortSignal) => rowTexts(edition, { list, ask, options }, left);
      const texts = async function* (left?: AbortSignal) {
        yield head;
        const counts = yield* rows(left);
        yield middle;
        yield options.render('check-a-list/counts.njk', { counts });
        yield end;
      };
      return answerInPieces(asked, HTML, piecesOf(list.table.length, texts));
    }),
    listRoute(options, '/check-a-list.csv', async (edition, asked, list) => {
      const ask = await list.check.open(edition, list.on ?? today(), asked.request.leftSignal?.());
      const headers = asFile('checked-list.csv');
      const lines = async function* (left?: AbortSignal) {
        for await (const line of answeredLines(list.table, list.check, ask)) {
          if (left?.aborted) return;
          yield `${line}\r\n`;
        }
      };
      return answerInPieces(asked, CSV, piecesOf(list.table.length, lines), headers);
    }),
  ];
}

/** In place of a number of bytes. An operator can set another limit. */
const TOO_LARGE = 'The list is too large for the server. Divide it, or leave out columns.';

/** Larger lists need a place of the limit. */
const SMALL_MAX = 50;

/** Where the rows and the counts come in. No text of a visitor has it, because their `<` is escaped. */
const PLACE = '<!--place-->';

const NO_LIST: SentList = { text: '', column: '', on: undefined, choices: new Map() };

type AnswerList = (
  edition: Edition,
  asked: PageRequest,
  list: CheckedList,
) => Promise<FhirResponse>;

/** A list by POST. The form shows a problem with the list, and keeps the list. */
function listRoute(options: WebContext, path: string, answer: AnswerList): PageRoute {
  const { editions, fail, show } = options;
  return {
    path,
    method: 'POST',
    answer: async (asked) => {
      const edition = editions.current();
      if (edition === undefined) return fail(NO_EDITION);
      let sent = NO_LIST;
      try {
        sent = await readListForm(asked.request, longAnswersOf(editions));
        return await answer(edition, asked, await readSentList(edition, sent));
      } catch (error) {
        if (!(error instanceof FhirError)) throw error;
        if (asked.request.leftSignal?.().aborted) throw error;
        const [{ kind, diagnostics }] = error.issues;
        const problem = kind === 'body-too-large' ? TOO_LARGE : diagnostics;
        const form = formPage(edition, options, sent);
        const page = { ...form, title: errorTitle(form), problem };
        const { headers } = error;
        const { status } = ERROR_ROWS[kind];
        return show({ ...asked, edition }, 'check-a-list/form.njk', page, { status, headers });
      }
    },
  };
}

function formPage(
  edition: Edition,
  { today }: WebContext,
  { text, column, on = today() }: SentList,
): TitledPage {
  return {
    title: 'Check a list',
    list: text,
    column,
    on,
    hasPostcodes: edition.postcodes !== undefined,
  };
}

interface Shown {
  readonly list: CheckedList;
  readonly ask: (row: Readonly<Record<string, string>>) => object;
  readonly options: WebContext;
}

interface Count {
  readonly words: string;
  readonly count: string;
}

/** The rows of the table, and then how many have each outcome. */
async function* rowTexts(
  edition: Edition,
  { list, ask, options }: Shown,
  left: AbortSignal | undefined,
): AsyncGenerator<string, readonly Count[], undefined> {
  const { addresses, render, today } = options;
  const day = list.on ?? today();
  const counts = new Map<string, number>();
  for (const [number, { asked }] of list.table.entries()) {
    if (asked === undefined) continue;
    if (left?.aborted) break;
    const answer = ask(asked);
    const shown = list.isPostcodes
      ? shownPostcode(asked, answer as PostcodeAnswer, addresses)
      : shownRow(edition, asked, answer as RowCheck, { addresses, day });
    counts.set(shown.outcome, (counts.get(shown.outcome) ?? 0) + 1);
    yield render('check-a-list/row.njk', { ...shown, number, isPostcodes: list.isPostcodes });
  }
  const words = new Set(Object.values(CHECK_OUTCOMES).map(([shown]) => shown));
  return [...words].flatMap((shown) => {
    const count = counts.get(shown);
    return count === undefined ? [] : [{ words: shown, count: formatCount(count, 'row') }];
  });
}
