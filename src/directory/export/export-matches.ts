/** Writes what a search finds, whole, as a stream of bytes. */
import { ByteWriter } from '../byte-writer.ts';
import type { Edition } from '../edition.ts';
import type { Query } from '../query.ts';
import type { MakeExportFormat } from './export-format.ts';

/**
 * The bytes of all matches, in the order of their codes. What is held is the list of matching rows,
 * some bytes for each, and one piece of text.
 */
export function* exportMatches(
  edition: Edition,
  query: Query,
  makeFormat: MakeExportFormat,
  serverUrl: string | undefined,
): Generator<Buffer, void, undefined> {
  const format = makeFormat(edition, serverUrl);
  const writer = new ByteWriter();
  const { rows } = edition.index.search(query, 0, edition.index.count);
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

/** A few hundred kilobytes: pieces that are quick to write and small to hold. */
const ROWS_AT_ONCE = 200;
