/** Writes all matches of a search as a stream of bytes. */
import { ByteWriter } from '../byte-writer.ts';
import type { DirectoryQuery } from '../query.ts';
import type { RenderedEdition } from '../rendered-edition.ts';
import type { MakeExportFormat } from './export-format.ts';

/**
 * The bytes of all matches, in the order of their codes. Needs memory for the list of matching
 * rows, some bytes for each, and for one piece of text.
 */
export function* exportMatches(
  rendered: RenderedEdition,
  query: DirectoryQuery,
  makeFormat: MakeExportFormat,
  baseUrl: string | undefined,
): Generator<Buffer, void, undefined> {
  const format = makeFormat(rendered, baseUrl);
  const { index } = rendered.edition;
  const writer = new ByteWriter();
  const { rows } = index.search(query, 0, index.count);
  writer.start();
  format.begin(writer);
  for (const [at, row] of rows.entries()) {
    format.row(row, at === 0, writer);
    if ((at + 1) % ROWS_AT_ONCE > 0) continue;
    yield writer.finish();
    writer.start();
  }
  format.end(writer);
  yield writer.finish();
}

/** A few hundred kilobytes: quick to write and small to keep. */
const ROWS_AT_ONCE = 200;
