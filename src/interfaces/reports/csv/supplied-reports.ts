/**
 * Reports that the release has no data for: from a folder of CSV files that the operator keeps, or as
 * they were imported with the practitioners. The folder comes first: its files are newer, or the
 * operator would not keep them.
 */
import {
  accessSync,
  constants,
  createReadStream,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { createGunzip } from 'node:zlib';
import {
  PRACTITIONER_FILES,
  type PractitionerFile,
  type Practitioners,
} from '../../../directory/practitioners/practitioners.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import type { Report } from './report.ts';

export interface SuppliedReport {
  /** Changes with the content. */
  readonly tag: string;
  pieces(): AsyncIterable<Uint8Array>;
}

/** Where the content of reports can come from, besides the release. */
export interface ReportSupplies {
  /** The folder of `directory.reports`. */
  readonly folder?: string | undefined;
  readonly practitioners?: Practitioners | undefined;
}

/** Undefined if there is neither a file in the folder nor an imported one. */
function findSupplied(name: string, supplies: ReportSupplies): SuppliedReport | undefined {
  const file = fileOf(name, supplies.folder);
  if (file === undefined) return findImported(name, supplies.practitioners);
  const { ino, mtimeMs, ctimeMs, size } = file.state;
  return { tag: [ino, mtimeMs, ctimeMs, size].join('-'), pieces: () => readFrom(file.path) };
}

/** Throws a FhirError with the remedy if there is no file for the report. */
export function openSupplied({ name }: Report, supplies: ReportSupplies): SuppliedReport {
  const found = findSupplied(name, supplies);
  if (found !== undefined) return found;
  const where =
    supplies.folder === undefined
      ? 'No folder has such files: see the setting directory.reports.'
      : `The folder of directory.reports has no file ${name}.csv that the server can read.`;
  const orImport = isOfPractitioners(name)
    ? ` Or import the file with "gazetteer import-practitioners ${name}.csv".`
    : '';
  throw FhirError.of(
    'no-record',
    `The release has no data for the report ${name}. ${where}${orImport}`,
  );
}

/** Whether there is a file for the report. */
export function isSupplied(name: string, supplies: ReportSupplies): boolean {
  return findSupplied(name, supplies) !== undefined;
}

/** Whether the report is about people. */
export function isOfPractitioners(name: string): name is PractitionerFile {
  return (PRACTITIONER_FILES as readonly string[]).includes(name);
}

function findImported(
  name: string,
  practitioners: Practitioners | undefined,
): SuppliedReport | undefined {
  const gzip = isOfPractitioners(name) ? practitioners?.file(name) : undefined;
  if (gzip === undefined) return undefined;
  return { tag: `imported ${practitioners?.version}`, pieces: () => unpacked(gzip) };
}

/** Unpacks as fast as the client reads. */
async function* unpacked(gzip: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip();
  gunzip.end(gzip);
  yield* gunzip;
}

/** Opens the file when the first piece is read: an answer may be refused before. */
async function* readFrom(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(path);
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
