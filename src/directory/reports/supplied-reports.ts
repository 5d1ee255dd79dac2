/** Reports that the release has no data for, from a folder of CSV files that the operator keeps. */
import { createReadStream, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { FhirError } from '../../fhir/service/fhir-error.ts';
import type { Report } from './report.ts';

export interface SuppliedReport {
  /** Changes with the file. */
  readonly tag: string;
  pieces(): AsyncIterable<Uint8Array>;
}

/** Throws a FhirError with the remedy if there is no file for the report. */
export function openSupplied({ name }: Report, folder: string | undefined): SuppliedReport {
  const path = pathOf(name, folder);
  const state = stateOf(path);
  if (path === undefined || state === undefined) {
    const where =
      folder === undefined
        ? 'No folder has such files: see the setting directory.reports.'
        : `The folder of directory.reports has no file ${name}.csv.`;
    throw FhirError.of('no-record', `The release has no data for the report ${name}. ${where}`);
  }
  return { tag: `${state.mtimeMs}-${state.size}`, pieces: () => createReadStream(path) };
}

/** Whether the folder has a file for the report. */
export function isSupplied(name: string, folder: string | undefined): boolean {
  return stateOf(pathOf(name, folder)) !== undefined;
}

function pathOf(name: string, folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : join(folder, `${name}.csv`);
}

function stateOf(path: string | undefined): Stats | undefined {
  const state = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return state?.isFile() === true ? state : undefined;
}
