/** Reports that the release has no data for, from a folder of CSV files that the operator keeps. */
import {
  accessSync,
  constants,
  createReadStream,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { Report } from './report.ts';

export interface SuppliedReport {
  /** Changes with the file. */
  readonly tag: string;
  pieces(): AsyncIterable<Uint8Array>;
}

/** Throws a FhirError with the remedy if there is no file for the report. */
export function openSupplied({ name }: Report, folder: string | undefined): SuppliedReport {
  const file = fileOf(name, folder);
  if (file === undefined) {
    const where =
      folder === undefined
        ? 'No folder has such files: see the setting directory.reports.'
        : `The folder of directory.reports has no file ${name}.csv that the server can read.`;
    throw FhirError.of('no-record', `The release has no data for the report ${name}. ${where}`);
  }
  const { ino, mtimeMs, ctimeMs, size } = file.state;
  return { tag: [ino, mtimeMs, ctimeMs, size].join('-'), pieces: () => readFrom(file.path) };
}

/** Opens the file when the first piece is read: an answer may be refused before. */
async function* readFrom(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(path);
}

/** Whether the folder has a file for the report. */
export function isSupplied(name: string, folder: string | undefined): boolean {
  return fileOf(name, folder) !== undefined;
}

/** A file in the folder, also by a symbolic link. A link to a file outside of the folder is ignored. */
function fileOf(
  name: string,
  folder: string | undefined,
): { readonly path: string; readonly state: Stats } | undefined {
  if (folder === undefined) return undefined;
  try {
    const path = realpathSync(join(folder, `${name}.csv`));
    if (!path.startsWith(realpathSync(folder) + sep)) return undefined;
    accessSync(path, constants.R_OK);
    const state = statSync(path);
    return state.isFile() ? { path, state } : undefined;
  } catch {
    return undefined;
  }
}
