/**
 * What clients ask about codes and names, one by one or in a table: over HTTP, on the command line and in the
 * library. Each question is a value; `service.ts` and `csv-table.ts` ask any of them.
 */

import { type Edition, LINKS_UNKNOWN_TEXT } from '../../directory/edition/edition.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';

/** The values of a row, by the names of the inputs. */
export type QuestionRow = Readonly<Record<string, string>>;

export interface QuestionInput {
  readonly name: string;
  readonly documentation: string;
  readonly example: string;
  readonly isRequired?: boolean;
  /**
   * Other headings that tables have for it, in any case, with or without spaces and the like. The
   * first list of which the table has one decides.
   */
  readonly headings?: readonly (readonly string[])[];
  /** Whether a comma in a URL separates its values: none has a comma. */
  readonly hasNoCommas?: boolean;
}

/** Answers a row. An answer says if nothing was found; it never throws. */
export type AnswerRow<Answer> = (row: QuestionRow) => Answer;

export interface Question<Answer extends object = object> {
  /** Also its path and its command: `resolve`. */
  readonly name: string;
  /** For people: `Replaced codes`. */
  readonly title: string;
  readonly summary: string;
  readonly inputs: readonly [QuestionInput, ...QuestionInput[]];
  /** The columns that its answer adds to a table. */
  readonly columns: readonly string[];
  /** The schema of an answer, for the OpenAPI description. */
  readonly schema: object;
  /** Whether it can only be asked of editions with relationships. */
  readonly needsLinks: boolean;
  /**
   * `day`: `YYYY-MM-DD`. What the question must first collect from the edition is collected in small
   * steps, so that other requests do not wait. Rejects with the reason of `left` when it aborts.
   */
  open(edition: Edition, day: string, left?: AbortSignal): Promise<AnswerRow<Answer>>;
  /** How many answers are made within a few milliseconds. */
  readonly shortMax: number;
  /**
   * If an answer has its own path, as in `/postcodes/LS1 4AP`: the error that the path has in
   * place of this answer.
   */
  refusalOf?(answer: Answer): FhirError | undefined;
  /** A cell for each of the columns. */
  cells(answer: Answer): readonly string[];
}

/** Rejects with a FhirError if the edition lacks what the question needs. `day`: `YYYY-MM-DD`. */
export async function openQuestion<Answer extends object>(
  { needsLinks, open }: Question<Answer>,
  edition: Edition,
  day: string,
  left?: AbortSignal,
): Promise<AnswerRow<Answer>> {
  if (needsLinks && !edition.hasLinks) throw FhirError.of('no-record', LINKS_UNKNOWN_TEXT);
  return open(edition, day, left);
}
