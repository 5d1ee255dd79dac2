/** Writes all matches of a search as a stream of bytes. */
import { ByteWriter } from '../answer/byte-writer.ts';
import type { RenderedEdition } from '../answer/rendered-edition.ts';
import type { Edition } from '../edition/edition.ts';
import type { DirectoryQuery } from '../query.ts';
import type { MakeExportFormat } from './export-format.ts';

export interface Matches {
  readonly rows: readonly number[];
  /** Whether these are all records of the edition. */
  readonly isComplete: boolean;
}

/**
 * The rows of all matches, in the order of their codes. `hasReferences`: without criteria, the
 * reference-only records follow, with rows numbered as in `relations`.
 */
export function findMatches(
  { index, relations }: Edition,
  query: DirectoryQuery,
  hasReferences: boolean,
): Matches {
  const { rows } = index.search(query, 0, index.count);
  const isComplete = query.criteria.length === 0;
  if (!hasReferences || !isComplete) return { rows, isComplete };
  return { rows: Array.from({ length: relations.rowCount }, (_, row) => row), isComplete };
}

/** The bytes of all matches, as they are on the day. Needs memory for one piece of text. */
export function* exportMatches(
  rendered: RenderedEdition,
  { rows, isComplete }: Matches,
  makeFormat: MakeExportFormat,
  baseUrl: string | undefined,
  day: string,
): Generator<Buffer, void, undefined> {
  const format = makeFormat(rendered, baseUrl, day);
  const writer = new ByteWriter();
  writer.start();
  format.begin(writer, { count: rows.length, isComplete });
  for (const [at, row] of rows.entries()) {
    format.row(row, at === 0, writer);
    if ((at + 1) % ROWS_AT_ONCE > 0) continue;
    yield writer.finish();
    writer.start();
  }
  format.end(writer);
  yield writer.finish();
}

/** Up to 100 KB: quick to make between two requests, and few enough writes. */
const ROWS_AT_ONCE = 32;
