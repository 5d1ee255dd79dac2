/** Finds the columns of a table by the headings that people have. */

import { nearestName, shownText } from '../../fhir/request/unknown-name.ts';
import type { Question, QuestionInput } from './question.ts';

/** The table cannot be read. Its message says why, with the line, and what to do. */
export class TableError extends Error {
  override readonly name = 'TableError';
}

interface WantedColumn {
  /** The heading of the first input, if the visitor says it. */
  readonly column: string | undefined;
  /** How to say it: `?column=HEADING`. */
  readonly remedy: string;
}

/** The place of each input in the rows; -1 if the table lacks it. */
export function placesOf(
  head: readonly string[],
  inputs: Question['inputs'],
  { column, remedy }: WantedColumn,
): readonly number[] {
  return inputs.map((input, at) =>
    at === 0 && column !== undefined
      ? namedPlace(head, column)
      : placeOf(head, input, at === 0 ? remedy : undefined),
  );
}

function namedPlace(head: readonly string[], column: string): number {
  const found = placesNamed(head, column);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    throw new TableError(
      `The table has several columns "${shownText(column)}". Rename all but one.`,
    );
  }
  const nearest = nearestName({ sent: column, known: head });
  const hint = nearest === undefined ? '' : ` Did you mean "${shownText(nearest)}"?`;
  throw new TableError(
    `The table has no column "${shownText(column)}".${hint} ${columnsText(head)}`,
  );
}

/** The heading that is the name of the input decides, and else one that people use for it. */
function placeOf(
  head: readonly string[],
  input: QuestionInput,
  remedy: string | undefined,
): number {
  const { name, headings = [], isRequired } = input;
  const found = [placesNamed(head, name), ...headings.map((list) => placesIn(head, list))];
  const places = found.find((each) => each.length > 0) ?? [];
  const [place = -1, ...others] = places;
  if (others.length > 0) throw new TableError(severalText(head, places, name, remedy));
  if (place >= 0 || isRequired !== true) return place;
  const nearest = nearestName({ sent: name, known: head });
  const hint = nearest === undefined ? '' : ` Did you mean "${shownText(nearest)}"?`;
  const say = remedy === undefined ? '' : ` Say which one has the ${name} with ${remedy}.`;
  throw new TableError(`The table has no column ${name}.${hint} ${columnsText(head)}${say}`);
}

function placesIn(head: readonly string[], headings: readonly string[]): readonly number[] {
  const known = headings.map(plain);
  return head.flatMap((cell, at) => (known.includes(plain(cell)) ? [at] : []));
}

function severalText(
  head: readonly string[],
  places: readonly number[],
  name: string,
  remedy: string | undefined,
): string {
  const candidates = places.map((place) => `"${shownText(head[place]!)}"`).join(', ');
  const canSay = places.some((place) => placesNamed(head, head[place]!).length === 1);
  const say =
    remedy === undefined || !canSay ? 'Rename all but one.' : `Say which one with ${remedy}.`;
  return `The columns ${candidates} can all be the ${name}. ${say}`;
}

/** As it is written in any case, or else without spaces, underscores, hyphens and the like. */
function placesNamed(head: readonly string[], name: string): readonly number[] {
  const placesOf = (formOf: (text: string) => string) =>
    head.flatMap((cell, at) => (formOf(cell) === formOf(name) ? [at] : []));
  const exact = placesOf((text) => text.trim().toLowerCase());
  return exact.length > 0 ? exact : placesOf(plain);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s\p{P}\p{S}\p{Cf}]+/gu, '');
}

function columnsText(head: readonly string[]): string {
  const names = head.slice(0, NAMES_SHOWN).map((cell) => `"${shownText(cell)}"`);
  const more = head.length - names.length;
  return `Its columns are ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

const NAMES_SHOWN = 12;
