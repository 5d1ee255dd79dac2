/**
 * What commands print: text and tables for people, JSON for programs. Writes it to a new file or to
 * standard output.
 */
import { createWriteStream, rmSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { systemReason } from '../../fhir/request/system-reason.ts';
import { type CommandContext, CommandError, isExplained } from './command.ts';

/** Reports that the data folder is new, because its name may be a typing mistake. */
export function reportMade({ errors }: CommandContext['streams']): (path: string) => void {
  return (path) => errors.write(`Created the data folder ${path}.\n`);
}

/** Only the user can read the file. A file that could not be finished is removed. */
export async function writeLines(
  lines: AsyncIterable<string>,
  { options, streams, stopped }: Pick<CommandContext, 'options' | 'streams' | 'stopped'>,
): Promise<void> {
  let count = 0;
  const source = Readable.from(
    inPieces(lines, () => count++),
    { objectMode: true, highWaterMark: 1 },
  );
  try {
    if (typeof options.output === 'string') {
      await writeFile(source, options.output, stopped, PRIVATE);
      streams.output.write(`${options.output}: wrote ${count.toLocaleString('en-GB')} lines.\n`);
    } else await writeOutput(source, streams.output, stopped);
  } catch (error) {
    throw stopped.aborted ? new CommandError('The command was stopped before its end.') : error;
  }
}

const PRIVATE = 0o600;

/** Groups many lines into one write. */
async function* inPieces(lines: AsyncIterable<string>, onLine: () => void): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += `${line}\n`;
    onLine();
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const PIECE_CHARACTERS = 64 * 1024;

/** Removes a file that could not be finished. */
export async function writeFile(
  source: Readable,
  path: string,
  stopped: AbortSignal,
  mode?: number,
): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', ...(mode && { mode }) });
  let isOurs = false;
  file.on('open', () => {
    isOurs = true;
  });
  try {
    await pipeline(source, file, { signal: stopped });
  } catch (error) {
    if (isOurs) rmSync(path, { force: true });
    throw stopped.aborted || isOfData(error) ? error : new CommandError(fileProblem(path, error));
  }
}

/** Reports why a file cannot be written. */
export async function withFileErrors(
  path: string,
  stopped: AbortSignal,
  written: Promise<void>,
): Promise<void> {
  try {
    await written;
  } catch (error) {
    throw stopped.aborted ? error : new CommandError(fileProblem(path, error));
  }
}

/** A reader that stops early (`| head`) is not an error. */
export async function writeOutput(
  source: Readable,
  output: Writable,
  stopped: AbortSignal,
): Promise<void> {
  try {
    await pipeline(source, output, { signal: stopped, end: false });
  } catch (error) {
    if (stopped.aborted || isOfData(error)) throw error;
    if (codeOf(error) !== 'EPIPE') throw lostOutput(error);
  }
}

/**
 * Lets a command go on if standard output fails. The function that is returned waits until standard
 * output has everything, and resolves with the error if some of it is lost. A reader that stops
 * early is not an error, and there is nothing to wait for.
 */
export function watchOutput(output: Writable): () => Promise<CommandError | undefined> {
  let failure: unknown;
  // Standard output of a process forgets its errors.
  output.on('error', (error) => {
    failure ??= error;
  });
  return async () => {
    // A full disk refuses an empty write too, which would lose nothing.
    if (output.writableLength > 0) {
      await new Promise<void>((resolve) => output.write('', () => resolve()));
    }
    // The error of a write comes after the end of the writes that waited for it.
    await setImmediate();
    const isLost = failure !== undefined && codeOf(failure) !== 'EPIPE';
    return isLost ? lostOutput(failure) : undefined;
  };
}

function lostOutput(error: unknown): CommandError {
  return new CommandError(fileProblem('standard output', error));
}

/** Whether the error comes from what is read, and not from the file that is written. */
function isOfData(error: unknown): boolean {
  if (error instanceof Error && isExplained(error)) return true;
  return codeOf(error) === 'ERR_SQLITE_ERROR';
}

/** Why a file cannot be written, and what to do. */
export function fileProblem(path: string, error: unknown): string {
  switch (codeOf(error)) {
    case 'EEXIST':
      return `${path} already exists. Choose another name, or remove the file.`;
    case 'ENOENT':
      return `The folder of ${path} does not exist. Create it, or choose another one.`;
    case 'ENOSPC':
      return `There is no space left for ${path}. Free some disk space.`;
    case 'EISDIR':
      return `${path} is a folder. Name a file in it, or another file.`;
    default:
      return `${path} cannot be written: ${systemReason(error)}. Check the path and the disk.`;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

type Printed = Pick<CommandContext, 'options' | 'streams'>;

/** With `--json`, prints one JSON document. */
export function printResult({ options, streams }: Printed, value: object, text: string): void {
  const isJson = options.json === true;
  streams.output.write(isJson ? `${JSON.stringify(value, null, 2)}\n` : text);
}

/** Whether the output is for a person: on a terminal, if no option chooses a form or a file. */
export function isForPeople({ options, streams }: Printed): boolean {
  const { json, format, output } = options;
  return [json, format, output].every((one) => one === undefined) && streams.output.isTTY === true;
}

/** Reports that there are more organisations than `--limit` lets a command print. */
export function reportCut(
  { errors }: CommandContext['streams'],
  printed: number,
  total: number,
): void {
  if (printed === total) return;
  const all = total.toLocaleString('en-GB');
  errors.write(`These are ${printed} of ${all} organisations. Use --limit to print more.\n`);
}

/** Cells in columns. `numeric` are the columns that are aligned to the right. */
export function tableText(
  rows: readonly (readonly string[])[],
  numeric?: ReadonlySet<number>,
): string {
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => `${rowText(row, widths, numeric)}\n`).join('');
}

/** A control character could change what a terminal shows. */
export function rowText(
  cells: readonly string[],
  widths: readonly number[],
  numeric: ReadonlySet<number> = new Set(),
): string {
  const padded = cells.map((cell, column) => {
    const text = cell.replace(/\p{Cc}/gu, '\u{FFFD}');
    const width = widths[column] ?? 0;
    return numeric.has(column) ? text.padStart(width) : text.padEnd(width);
  });
  return padded.join('  ').trimEnd();
}
