/** A format in which matches are written to a file. */
import type { ByteWriter } from '../answer/byte-writer.ts';
import type { RenderedEdition } from '../answer/rendered-edition.ts';

/** Writes a file piece by piece. */
export interface ExportFormat {
  /** Writes what comes before the first row. */
  begin(writer: ByteWriter, rows: ExportedRows): void;
  row(row: number, isFirst: boolean, writer: ByteWriter): void;
  /** Writes what comes after the last row. */
  end(writer: ByteWriter): void;
}

/** Which rows a file has. */
export interface ExportedRows {
  readonly count: number;
  /** Whether it has every record of the edition. */
  readonly isComplete: boolean;
}

/**
 * Makes a format. `baseUrl` is the address of the edition's face, if it is configured. On the `day`,
 * the relationships that the file calls current are in force.
 */
export type MakeExportFormat = (
  rendered: RenderedEdition,
  baseUrl: string | undefined,
  day: string,
) => ExportFormat;
