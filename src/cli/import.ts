/** `gazetteer import`: release files, or FHIR, become a new edition of the directory. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { OnProgress, Tally } from '../directory/import/collector.ts';
import { type ImportReport, importEdition } from '../directory/import/import-edition.ts';
import { readSource } from '../directory/import/read-source.ts';
import { openDataFolder } from '../storage/data-folder.ts';
import { openEditionStore } from '../storage/sqlite/edition-store.ts';
import { type Command, type CommandContext, CommandError } from './command.ts';
import { settingsUnderstood, URI_SETTINGS } from './directory-settings.ts';
import { createProgress } from './progress.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'import release files or FHIR as a new edition of the directory',
  settings: ['data', 'editions.keep', 'import.unpackedMax', ...URI_SETTINGS],
  argument: {
    syntax: '<file...>',
    help:
      'the release zip, a zip inside it, or its XML; or STU3 Organizations as NDJSON or as a ' +
      'Bundle in JSON or XML (XML, JSON and NDJSON also gzip); - for standard input',
  },
  options: [
    { syntax: '--include-archive', help: "also import the release's archive of closed records" },
    {
      syntax: '--allow-shrink',
      help: 'import even if more than 10 % of the records would be gone',
    },
    { syntax: '--report <file>', help: 'write the report as JSON' },
    { syntax: '--quiet', help: 'no progress and no report on the terminal' },
  ],
  run: runImport,
};

async function runImport(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped } = context;
  const files = context.arguments;
  if (files.filter((file) => file === '-').length > 1) {
    throw new CommandError('Standard input can be read once: give - only once.');
  }
  const isQuiet = options.quiet === true;
  const reportFile = typeof options.report === 'string' ? options.report : undefined;
  if (reportFile !== undefined) demandWritable(reportFile, files);
  stopped.addEventListener('abort', () => streams.input.destroy(), { once: true });
  const startMs = performance.now();
  const now = new Date();
  const folder = openDataFolder(config.data);
  const store = openEditionStore(folder);
  const progress = createProgress(isQuiet ? undefined : streams.errors);
  const onProgress: OnProgress = (state) => {
    stopped.throwIfAborted();
    progress.show(state);
  };
  try {
    const report = await importEdition({
      store,
      source: files.map(labelOf).join(', '),
      read: async (receiver) => {
        for (const file of files) {
          await readSource({
            file: file === '-' ? streams.input : file,
            includeArchive: options.includeArchive === true,
            unpackedBytesMax: config['import.unpackedMax'],
            temporaryFolder: folder.temporary,
            receiver,
            settings: settingsUnderstood(config),
            now,
          });
        }
      },
      onProgress,
      onBuild: () => progress.say('Building the index …'),
      keep: config['editions.keep'],
      allowShrink: options.allowShrink === true,
      stopped,
    });
    progress.end();
    const seconds = Math.round((performance.now() - startMs) / 100) / 10;
    if (reportFile !== undefined) writeReport(reportFile, { ...report, seconds });
    if (!isQuiet) streams.output.write(describeReport(report, seconds));
  } catch (error) {
    if (!stopped.aborted || error instanceof CommandError) throw error;
    throw new CommandError('The import was stopped; the directory is as it was before.');
  } finally {
    progress.end();
    store.close();
  }
}

/** Before anything is imported: a report that cannot be written would come too late. */
function demandWritable(reportFile: string, files: readonly string[]): void {
  if (files.some((file) => resolve(file) === resolve(reportFile))) {
    throw new CommandError(`--report ${reportFile} is the file to import: name another one.`);
  }
  try {
    closeSync(openSync(reportFile, 'a'));
  } catch (error) {
    throw new CommandError(`--report ${reportFile} cannot be written: ${reasonOf(error)}`);
  }
}

function writeReport(reportFile: string, report: ImportReport & { seconds: number }): void {
  try {
    writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(
      `Edition ${report.edition.number} is current, but its report could not be written to ` +
        `${reportFile}: ${reasonOf(error)}`,
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function labelOf(file: string): string {
  return file === '-' ? 'standard input' : basename(file);
}

function describeReport(report: ImportReport, seconds: number): string {
  const { edition, read, imported, leftOut, warnings } = report;
  const count = (number: number) => number.toLocaleString('en-GB');
  const lines = [
    `Read ${count(read)} records in ${seconds} s and imported ${count(imported)}.`,
    ...tallyLines('Left out', leftOut),
    ...tallyLines('Warnings', warnings),
    `Edition ${edition.number}, published ${edition.publicationDate}, is now current: ` +
      `${count(edition.added)} added, ${count(edition.changed)} changed, ` +
      `${count(edition.removed)} removed.`,
  ];
  return `${lines.join('\n')}\n`;
}

function tallyLines(title: string, tallies: Readonly<Record<string, Tally>>): string[] {
  const lines = Object.entries(tallies).map(
    ([kind, { count, examples }]) =>
      `  ${kind.replaceAll('-', ' ')}: ${count.toLocaleString('en-GB')} (${examples.join(', ')}${
        count > examples.length ? ', …' : ''
      })`,
  );
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}
