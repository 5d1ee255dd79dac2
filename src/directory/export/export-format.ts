/** The forms in which matches are written to a file, and what each one is made of. */
import type { ByteWriter } from '../byte-writer.ts';
import type { Edition } from '../edition.ts';
import { bundleFormat } from './bundle.ts';
import { csvFormat } from './csv.ts';
import { ndjsonFormat } from './ndjson.ts';

/** Writes a file piece by piece. */
export interface ExportFormat {
  /** What stands before the first row. */
  begin(writer: ByteWriter): void;
  row(row: number, isFirst: boolean, writer: ByteWriter): void;
  /** What stands behind the last row. */
  end(writer: ByteWriter): void;
}

/** How a format is made; the server's public address is known where it is configured. */
export type MakeExportFormat = (edition: Edition, serverUrl: string | undefined) => ExportFormat;

export const EXPORT_FORMATS: ReadonlyMap<string, MakeExportFormat> = new Map([
  ['ndjson', ndjsonFormat],
  ['bundle', bundleFormat],
  ['csv', csvFormat],
]);
