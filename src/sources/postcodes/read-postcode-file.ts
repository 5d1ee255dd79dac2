/** Reads a file of postcodes: CSV, or the zip in which it is published. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Entry } from 'yauzl';
import {
  type BuiltPostcodes,
  type PostcodeRow,
  PostcodesBuilder,
} from '../../directory/places/build-postcodes.ts';
import type { PostcodeForm } from '../../directory/places/postcodes.ts';
import type { AreaTables } from '../../directory/places/stored-postcodes.ts';
import { SourceError } from '../../directory/record/source.ts';
import { counted, type UnpackedBytes } from '../archive/opening.ts';
import {
  entryBaseName,
  holds,
  openZip,
  startsAsZip,
  type ZipArchive,
  type ZipKind,
} from '../archive/zip-archive.ts';
import { requireReadable } from '../release-file/open-release.ts';
import { printable } from '../text/source-text.ts';
import { LineError, type LineReader, lineReaderOf, unquoted } from './postcode-forms.ts';

export interface ReadPostcodes extends BuiltPostcodes {
  readonly form: PostcodeForm;
}

export interface PostcodeReading {
  /** Called every few seconds with the number of postcodes that were read. */
  readonly onProgress?: (postcodes: number) => void;
  /** Ends the reading. */
  readonly stopped?: AbortSignal;
}

/** Throws a `SourceError` that names the file, its line, and the remedy. */
export async function readPostcodeFile(
  file: string,
  { onProgress, stopped }: PostcodeReading = {},
): Promise<ReadPostcodes> {
  await requireReadable(file);
  // It is read twice: its beginning says what it is.
  if (!(await stat(file)).isFile()) {
    throw new SourceError(`${printable(file)} is not a file. Save the postcodes in a file first.`);
  }
  const cleanUps: (() => unknown)[] = [];
  const bytes: UnpackedBytes = { left: UNPACKED_BYTES_MAX, max: UNPACKED_BYTES_MAX };
  const builder = new PostcodesBuilder();
  const named: AreaNames = {};
  let reader: LineReader | undefined;
  try {
    for await (const { name, chunks, isNames } of documentsOf(file, bytes, cleanUps)) {
      if (isNames) {
        await addAreaNames(named, chunks);
        continue;
      }
      reader = await readTable(name, counted(chunks, bytes, name), reader, (row) => {
        builder.add(row);
        if (builder.count % PROGRESS_EVERY !== 0) return;
        stopped?.throwIfAborted();
        onProgress?.(builder.count);
      });
    }
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
  if (reader === undefined || builder.count === 0) {
    throw new SourceError(`${printable(basename(file))} has no postcodes. ${GIVE}`);
  }
  return { form: reader.form, ...builder.finish(named) };
}

const GIVE = 'Give an ONS Postcode Directory or a Code-Point Open as it was published.';
const PROGRESS_EVERY = 50_000;

/** Six times as much as the ONS Postcode Directory. */
const UNPACKED_BYTES_MAX = 8 * 1024 ** 3;

interface PostcodeDocument {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether it is a table of the names of areas. */
  readonly isNames: boolean;
}

async function* documentsOf(
  file: string,
  bytes: UnpackedBytes,
  cleanUps: (() => unknown)[],
): AsyncGenerator<PostcodeDocument, void, undefined> {
  const name = printable(basename(file));
  if (!(await startsAsZip(file))) {
    yield { name, chunks: createReadStream(file, { highWaterMark: CHUNK_BYTES }), isNames: false };
    return;
  }
  const zip = await openZip(file, name, ZIP_OF_POSTCODES, { bytes, cleanUps });
  const tables = tablesIn(zip);
  const names = zip.entries.filter(
    ({ fileName, uncompressedSize }) =>
      NAMES_TABLE.test(fileName) && uncompressedSize <= NAMES_BYTES_MAX,
  );
  for (const entry of [...names, ...tables]) {
    const label = `${printable(entryBaseName(entry))} in ${name}`;
    yield { name: label, chunks: zip.read(entry), isNames: names.includes(entry) };
  }
}

const CHUNK_BYTES = 1 << 18;

/** `Documents/ICB names and codes EN as at 04_23.csv` */
const NAMES_TABLE = /(?:^|\/)documents\/(?:.*\/)?[^/]*names[^/]*codes[^/]*\.csv$/i;

const ZIP_OF_POSTCODES: ZipKind = {
  what: 'file of postcodes',
  entriesMax: 2_000,
  remedy: 'fetch it again',
  whole: 'give an ONS Postcode Directory or a Code-Point Open as it was published',
  unpacked: 'CSV',
};

/** Where the tables of postcodes are in a zip, the best kind first. Several files are parts of one table. */
const TABLES: readonly RegExp[] = [
  /(?:^|\/)ONSPD_[^/]*_UK\.csv$/i,
  /(?:^|\/)multi_csv\/ONSPD_[^/]*\.csv$/i,
  /(?:^|\/)ONSPD_[^/]*\.csv$/i,
  /(?:^|\/)CSV\/[a-z]{1,2}\.csv$/i,
  /^[^/]*\.csv$/i,
];

function tablesIn(zip: ZipArchive): readonly Entry[] {
  for (const form of TABLES) {
    const found = zip.entries.filter(({ fileName }) => form.test(fileName));
    if (found.length > 0) return found;
  }
  throw new SourceError(
    `${zip.name} is another kind of zip, without a table of postcodes (it holds ${holds(zip)}). ${GIVE}`,
  );
}

/** Returns the reader of the table. The first one, `known`, must have read lines of the same form. */
async function readTable(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  known: LineReader | undefined,
  add: (row: PostcodeRow) => void,
): Promise<LineReader | undefined> {
  let reader: LineReader | undefined;
  let number = 0;
  const readLine = (line: string) => {
    number += 1;
    if (line.length > LINE_LENGTH_MAX) throw new LineError('too long for a table of postcodes');
    const cells = cellsOf(line);
    if (cells === undefined) return;
    if (reader === undefined) {
      reader = lineReaderOf(cells.map(unquoted));
      if (reader.form !== (known ?? reader).form) throw new LineError('another form of table');
      if (reader.hasHeader) return;
    }
    if (cells.length !== reader.cells) {
      throw new LineError(`${cells.length} cells, and the first line has ${reader.cells}`);
    }
    add(reader.read(cells));
  };
  try {
    for await (const lines of linesOf(chunks)) for (const line of lines) readLine(line);
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    throw new SourceError(`${name}, line ${number}: ${error.message}. ${GIVE}`);
  }
  return reader ?? known;
}

/** Whole lines, as many as a chunk ends. All that is read of them is ASCII. */
async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  let rest = '';
  for await (const { buffer, byteOffset, byteLength } of chunks) {
    const text = rest + Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    const lines = text.split('\n');
    rest = lines.pop() ?? '';
    yield lines;
    // Whoever reads it refuses it.
    if (rest.length > LINE_LENGTH_MAX) yield [rest];
  }
  yield [rest];
  // The published files end with the end of a line.
  if (rest !== '') throw new LineError('the file ends within a line, so it was cut off');
}

const LINE_LENGTH_MAX = 10_000;

/**
 * With their quotation marks, because most of them are not read. Undefined for an empty line. No
 * value of the files has a comma.
 */
function cellsOf(line: string): string[] | undefined {
  const text = line.trimEnd();
  return text === '' ? undefined : text.split(',');
}

type AreaNames = Record<string, AreaTables['named'][string]>;

/** The longest table that is read: those of areas as small as LSOAs are longer. */
const NAMES_BYTES_MAX = 1_000_000;

/**
 * Adds the names of areas from a table that the zip of an ONS Postcode Directory has beside the
 * postcodes. Its columns are such as `ICB23CD` (code), `ICB23CDH` (code of the Organisation Data
 * Service) and `ICB23NM` (name). Another table adds none.
 */
async function addAreaNames(named: AreaNames, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const bytes: Uint8Array[] = [];
  for await (const chunk of chunks) bytes.push(chunk);
  for (const row of rowsOf(new TextDecoder().decode(Buffer.concat(bytes)))) {
    const prefix = Object.keys(row).flatMap((name) => CODE_COLUMN.exec(name)?.[1] ?? [])[0];
    const code = row[`${prefix}CD`];
    if (code === undefined || code === '') continue;
    const name = row[`${prefix}NM`];
    const odsCode = row[`${prefix}CDH`];
    named[code] = { ...(name && { name }), ...(odsCode && { odsCode }) };
  }
}

/** The areas of which the answers tell the names. */
const CODE_COLUMN = /^((?:LAD|SICBL|CCG|ICB|STP|RGN|CTRY|WD|PCON|CAL|CALNCV|NHSER|LSOA)\d\d)CD$/;

function rowsOf(text: string): readonly Readonly<Record<string, string>>[] {
  try {
    return parse(text, { bom: true, columns: true, relax_column_count: true });
  } catch {
    return [];
  }
}
