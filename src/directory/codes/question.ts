/**
 * What clients ask about codes, one by one or in a table: over HTTP, on the command line and in the
 * library. Each question is a value; `json-questions.ts` and `csv-table.ts` ask any of them.
 */
import type { Edition } from '../edition/edition.ts';

/** The values of a row, by the names of the inputs. */
export type QuestionRow = Readonly<Record<string, string>>;

export interface QuestionInput {
  readonly name: string;
  readonly documentation: string;
  readonly example: string;
  readonly isRequired?: boolean;
}

export interface Question<Answer extends object = object> {
  /** Also its path and its command: `resolve`. */
  readonly name: string;
  readonly summary: string;
  readonly inputs: readonly [QuestionInput, ...QuestionInput[]];
  /** The columns that its answer adds to a table. */
  readonly columns: readonly string[];
  /** The schema of an answer, for the OpenAPI description. */
  readonly schema: object;
  /** `day`: `YYYY-MM-DD`. An answer says if nothing was found; it never throws for a row. */
  ask(edition: Edition, row: QuestionRow, day: string): Answer;
  /** A cell for each of the columns. */
  cells(answer: Answer): readonly string[];
}
