/** Writes an edition, or a part of it, to the file of `--output` or to standard output. */
import { Readable } from 'node:stream';
import type { Edition } from '../../directory/edition/edition.ts';
import { type CommandContext, type CommandOption, UsageError } from './command.ts';
import { useEdition } from './open-store.ts';
import { NUMBER_OF_EDITION, OUTPUT_OPTION } from './options.ts';
import { withFileErrors, writeFile, writeOutput } from './output.ts';

export const EXPORT_OPTIONS: readonly CommandOption[] = [
  OUTPUT_OPTION,
  {
    syntax: '--edition <number>',
    help: 'The edition to write (default: the current one)',
    value: NUMBER_OF_EDITION,
  },
];

/** What these commands say when they are stopped. */
export const EXPORT_STOPPED = 'The export was stopped.';

export type EditionExport = (
  | { readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array> }
  /** For a file that no stream can write. `--output` is then required. */
  | { readonly writeTo: WriteTo }
) & {
  /** What a message about the file calls the content: `442 organisations`. */
  readonly content: string;
};

/** Writes a new file, and removes it if it could not be finished. */
export type WriteTo = (path: string, stopped: AbortSignal) => Promise<void>;

export async function exportEdition(
  { config, options, streams, stopped }: CommandContext,
  open: (edition: Edition) => EditionExport,
): Promise<void> {
  const write = async (edition: Edition): Promise<void> => {
    const opened = open(edition);
    const path = typeof options.output === 'string' ? options.output : undefined;
    if ('writeTo' in opened) {
      if (path === undefined) throw new UsageError('--output is missing.');
      await withFileErrors(path, stopped, opened.writeTo(path, stopped));
    } else {
      const source = Readable.from(opened.pieces, { objectMode: true, highWaterMark: 1 });
      if (path === undefined) return writeOutput(source, streams.output, stopped);
      await writeFile(source, path, stopped);
    }
    streams.output.write(`${path}: wrote ${opened.content} of edition ${edition.number}.\n`);
  };
  const number = options.edition === undefined ? undefined : Number(options.edition);
  await useEdition(config, write, number);
}
