/** Writes an edition, or a part of it, to the file of `--output` or to standard output. */
import { Readable } from 'node:stream';
import type { Edition } from '../directory/edition/edition.ts';
import { type CommandContext, CommandError, type CommandOption } from './command.ts';
import { useEdition } from './open-store.ts';
import { NUMBER_OF_EDITION, OUTPUT_OPTION } from './options.ts';
import { writeFile, writeOutput } from './output.ts';

export const EXPORT_OPTIONS: readonly CommandOption[] = [
  OUTPUT_OPTION,
  {
    syntax: '--edition <number>',
    help: 'The edition to write (default: the current one)',
    value: NUMBER_OF_EDITION,
  },
];

export interface EditionExport {
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** What a message about the file calls the content: `442 organisations`. */
  readonly content: string;
}

export async function exportEdition(
  { config, options, streams, stopped }: CommandContext,
  open: (edition: Edition) => EditionExport,
): Promise<void> {
  const write = async (edition: Edition): Promise<void> => {
    const { pieces, content } = open(edition);
    const source = Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
    if (typeof options.output === 'string') {
      await writeFile(source, options.output, stopped);
      streams.output.write(`${options.output}: wrote ${content} of edition ${edition.number}.\n`);
    } else await writeOutput(source, streams.output, stopped);
  };
  try {
    await useEdition(
      config,
      write,
      options.edition === undefined ? undefined : Number(options.edition),
    );
  } catch (error) {
    if (!stopped.aborted) throw error;
    throw new CommandError('The export was stopped.');
  }
}
