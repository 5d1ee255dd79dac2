/** Finds what an export has, and writes it in a format as a stream of bytes. */

import { nearOf, type PostcodesOf } from '../../directory/ask/near.ts';
import type { Edition } from '../../directory/edition/edition.ts';
import type { DirectoryQuery } from '../../directory/index/organization-index.ts';
import { parseQueryString } from '../../fhir/http/query-string.ts';
import { FhirError, type Issue } from '../../fhir/request/fhir-error.ts';
import type { NearCriterion } from '../../fhir/search/criterion.ts';
import { ByteWriter } from '../answer/byte-writer.ts';
import type { DirectorySettings } from '../answer/settings.ts';
import type { DirectoryFace } from './face.ts';
import type { RenderedEdition } from './rendered-edition.ts';

/** A file in a format. */
export interface ExportFormat {
  /** The texts before the first row and after the last one. */
  readonly head?: string;
  readonly end?: string;
  row(row: number, writer: ByteWriter, isFirst: boolean): void;
}

/**
 * Makes a format. `baseUrl` is the address of the edition's face, if it is configured. On the `day`,
 * the relationships that the file calls current are in force.
 */
export type MakeExportFormat = (
  rendered: RenderedEdition,
  baseUrl: string | undefined,
  day: string,
  matches: ExportedRows,
) => ExportFormat;

export interface ExportedRows {
  readonly count: number;
  /** Whether the file has every record of the edition. */
  readonly isComplete: boolean;
  /** The place that the rows are near to, if the search has one. */
  readonly near?: NearCriterion | undefined;
}

export interface Matches extends Omit<ExportedRows, 'count'> {
  readonly rows: readonly number[];
}

/**
 * The rows of all matches, in the order of their codes. `hasReferences`: without criteria, the
 * reference-only records follow, with rows numbered as in `links`.
 */
export function findMatches(
  { index, links }: Edition,
  query: DirectoryQuery,
  hasReferences: boolean,
): Matches {
  const { rows } = index.search(query, 0, index.count);
  const isComplete = query.criteria.length === 0;
  if (!hasReferences || !isComplete) return { rows, isComplete, near: nearOf(query.criteria) };
  return { rows: Array.from({ length: links.rowCount }, (_, row) => row), isComplete };
}

/**
 * The bytes of all matches, as they are on the day. Needs memory for one piece of text. The writer can
 * get the pieces back.
 */
export function exportMatches(
  rendered: RenderedEdition,
  { rows, isComplete, near }: Matches,
  makeFormat: MakeExportFormat,
  baseUrl: string | undefined,
  day: string,
  writer?: ByteWriter,
): Generator<Buffer, void, undefined> {
  const matches = { count: rows.length, isComplete, near };
  return piecesOf(makeFormat(rendered, baseUrl, day, matches), rows, writer);
}

export function* piecesOf(
  { head = '', row: writeRow, end = '' }: ExportFormat,
  rows: Iterable<number>,
  writer: ByteWriter = new ByteWriter(),
): Generator<Buffer, void, undefined> {
  writer.start();
  writer.text(head);
  let count = 0;
  let pieceEnd = performance.now() + PIECE_MS;
  for (const row of rows) {
    writeRow(row, writer, count === 0);
    count += 1;
    if (count % ROWS_AT_ONCE > 0) continue;
    if (writer.length < PIECE_BYTES && performance.now() < pieceEnd) continue;
    yield writer.finish();
    writer.start();
    pieceEnd = performance.now() + PIECE_MS;
  }
  writer.text(end);
  yield writer.finish();
}

/** How many rows are written between two looks at the clock. They take up to 100 KB. */
const ROWS_AT_ONCE = 32;
/** A piece takes several turns of the event loop, so few pieces cost less. */
const PIECE_BYTES = 128 * 1024;
/** Quick enough to make between two requests. Rows that write nothing give empty pieces. */
const PIECE_MS = 2;

/**
 * The search of an export: the search parameters of a face, except those that shape an answer. `text`
 * is percent-encoded as in a URL, parameters joined by `&`; the empty text finds every organisation.
 * Throws a FhirError with every problem found.
 */
export function parseExportQuery(
  text: string,
  face: DirectoryFace,
  settings: DirectorySettings,
  baseUrl: string | undefined,
  postcodesOf?: PostcodesOf,
): DirectoryQuery {
  const issues = parseQueryString(text).flatMap(({ name }) => controlIssue(name, face));
  const [first, ...others] = issues;
  if (first !== undefined) throw new FhirError([first, ...others]);
  const { json } = face.version.mediaTypes;
  const form = { format: 'json', contentType: json, isPretty: false } as const;
  const parseSearch = face.createSearchParser(settings, baseUrl, postcodesOf);
  return parseSearch({ query: text, isLenient: false, form, formIssue: undefined }).query;
}

function controlIssue(name: string, { searchParameters }: DirectoryFace): readonly Issue[] {
  const parameter = searchParameters.find((candidate) => candidate.name === name);
  if (parameter === undefined || parameter.isCriterion) return [];
  const diagnostics =
    name === '_edition'
      ? 'The parameter _edition is not supported in an export. Use the flag --edition.'
      : `The parameter ${name} is not supported in an export, which contains every match. Leave it out.`;
  return [{ kind: 'invalid-parameter', diagnostics, location: `http.${name}` }];
}
