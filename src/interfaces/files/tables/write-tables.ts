/** Writes the tables of an edition to a new file. Loaded only when such a file is made. */
import { open, rm } from 'node:fs/promises';
import { writeParquetZip } from './parquet-zip.ts';
import { writeSqlite } from './sqlite-file.ts';
import type { TableForm, TableSource } from './table.ts';

const WRITERS = { sqlite: writeSqlite, parquet: writeParquetZip } as const;

/** Rejects if there is a file at the path. If writing fails, no file is left. */
export async function writeTables(
  form: TableForm,
  path: string,
  source: TableSource,
  { stopped, mode }: { readonly stopped?: AbortSignal; readonly mode?: number } = {},
): Promise<void> {
  await (await open(path, 'wx', mode)).close();
  try {
    await WRITERS[form](path, source, stopped ?? new AbortController().signal);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
