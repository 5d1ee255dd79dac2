/** Reads the reports of practitioners: CSV, or the zips in which they are published. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type BuiltPractitioners,
  PractitionersBuilder,
} from '../../directory/practitioners/build-practitioners.ts';
import {
  PRACTITIONER_FILES,
  type PractitionerFile,
} from '../../directory/practitioners/practitioners.ts';
import { SourceError } from '../../directory/record/source.ts';
import type { UnpackedBytes } from '../archive/opening.ts';
import {
  entryBaseName,
  holds,
  openZip,
  startsAsZip,
  type ZipKind,
} from '../archive/zip-archive.ts';
import { requireReadable } from '../release-file/open-release.ts';
import { printable } from '../text/source-text.ts';
import { CsvRows, RowError } from './csv-rows.ts';
import { addRow, PRACTITIONER_FORMS } from './practitioner-forms.ts';

export interface ReadPractitioners extends BuiltPractitioners {
  /** The rows of each file. */
  readonly rows: Readonly<Partial<Record<PractitionerFile, number>>>;
  /** The rows that were left out, because their codes stand for no person. */
  readonly placeholders: number;
}

/** Throws a `SourceError` that names the file, its line, and the remedy. */
export async function readPractitionerFiles(
  files: readonly string[],
  stopped?: AbortSignal,
): Promise<ReadPractitioners> {
  const builder = new PractitionersBuilder();
  const rows: Partial<Record<PractitionerFile, number>> = {};
  const cleanUps: (() => unknown)[] = [];
  const bytes: UnpackedBytes = { left: BYTES_MAX, max: BYTES_MAX };
  let placeholders = 0;
  try {
    for (const file of files) {
      for await (const { kind, name, chunks } of reportsOf(file, bytes, cleanUps)) {
        if (rows[kind] !== undefined) {
          throw new SourceError(`${name} is the second file ${kind}. Give each file once.`);
        }
        const read = await readReport(kind, name, limited(chunks, name), builder, stopped);
        rows[kind] = read.rows;
        placeholders += read.placeholders;
        builder.addFile(kind, read.gzip);
      }
    }
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
  if (builder.count === 0) {
    throw new SourceError(`${files.map(nameOf).join(', ')}: no practitioners. ${GIVE}`);
  }
  return { ...builder.finish(), rows, placeholders };
}

const GIVE = `Give the reports ${PRACTITIONER_FILES.join(', ')} as they were published, without headings.`;

/** Ten times the eight files. */
const BYTES_MAX = 512 * 1024 ** 2;
/** Five times the largest one. */
const FILE_BYTES_MAX = 128 * 1024 ** 2;

function nameOf(file: string): string {
  return printable(basename(file));
}

interface PractitionerReport {
  readonly kind: PractitionerFile;
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

async function* reportsOf(
  file: string,
  bytes: UnpackedBytes,
  cleanUps: (() => unknown)[],
): AsyncGenerator<PractitionerReport, void, undefined> {
  await requireReadable(file);
  const name = nameOf(file);
  // It is read twice: its beginning says what it is.
  if (!(await stat(file)).isFile()) {
    throw new SourceError(`${name} is not a file. Save the report in a file first.`);
  }
  if (!(await startsAsZip(file))) {
    const kind = kindOf(basename(file));
    if (kind === undefined) throw new SourceError(`${name} has the name of no report. ${GIVE}`);
    yield { kind, name, chunks: readFrom(file) };
    return;
  }
  const zip = await openZip(file, name, ZIP_OF_REPORTS, { bytes, cleanUps });
  const found = zip.entries.flatMap((entry) => {
    const kind = kindOf(entryBaseName(entry));
    return kind === undefined ? [] : [{ kind, entry }];
  });
  if (found.length === 0) {
    throw new SourceError(
      `${name} has no report of practitioners (it holds ${holds(zip)}). ${GIVE}`,
    );
  }
  for (const { kind, entry } of found) {
    yield { kind, name: `${printable(entryBaseName(entry))} in ${name}`, chunks: zip.read(entry) };
  }
}

/** Opens the file when the first chunk is read: it may be refused before. */
async function* readFrom(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(file, { highWaterMark: CHUNK_BYTES });
}

const CHUNK_BYTES = 1 << 18;

const ZIP_OF_REPORTS: ZipKind = {
  what: 'zip of reports',
  entriesMax: 200,
  remedy: 'fetch it again',
  whole: 'give the reports as they were published',
  unpacked: 'CSV',
};

/** `egpcur.csv`, and as browsers and people rename it: `egpcur (1).csv`, `egpcur_202604.csv`. */
function kindOf(fileName: string): PractitionerFile | undefined {
  const [, name] = /^([a-z]+)(?:[^a-z].*)?\.csv$/.exec(fileName.toLowerCase()) ?? [];
  return PRACTITIONER_FILES.find((kind) => kind === name);
}

async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = FILE_BYTES_MAX;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) {
      throw new SourceError(`${name} has more than ${FILE_BYTES_MAX} bytes. ${GIVE}`);
    }
    yield chunk;
  }
}

async function readReport(
  kind: PractitionerFile,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  builder: PractitionersBuilder,
  stopped: AbortSignal | undefined,
): Promise<{ readonly rows: number; readonly placeholders: number; readonly gzip: Uint8Array }> {
  const form = PRACTITIONER_FORMS[kind];
  const counts = { added: 0, placeholder: 0 };
  const rows = new CsvRows((cells) => {
    counts[addRow(form, builder, cells)] += 1;
  });
  const whole: Uint8Array[] = [];
  try {
    for await (const chunk of chunks) {
      stopped?.throwIfAborted();
      rows.write(chunk);
      whole.push(chunk);
    }
    rows.end();
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    throw new SourceError(`${name}, line ${rows.line}: ${error.message}. ${GIVE}`);
  }
  if (counts.added === 0) throw new SourceError(`${name} has no rows. ${GIVE}`);
  const gzip = gzipSync(Buffer.concat(whole), { level: GZIP_LEVEL });
  return { rows: counts.added, placeholders: counts.placeholder, gzip };
}

/** Level 6 takes twice the time for a tenth less. */
const GZIP_LEVEL = 4;
