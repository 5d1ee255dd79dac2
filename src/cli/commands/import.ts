/** `gazetteer import`: makes a new edition of the directory from release files or FHIR. */
import { basename } from 'node:path';
import { importSources } from '../../sources/import/import-sources.ts';
import { requireReadable } from '../../sources/release-file/open-release.ts';
import type { DataFolder } from '../../storage/files/data-folder.ts';
import { inDataFolder } from '../../storage/files/in-data-folder.ts';
import { type Command, type CommandContext, UsageError } from '../parts/command.ts';
import { openConfiguredServerStore } from '../parts/open-store.ts';
import {
  QUIET_OPTION,
  REPORT_OPTION,
  STORE_SETTINGS,
  TRACE_SETTINGS,
  URI_SETTINGS,
} from '../parts/options.ts';
import { printResult, reportMade } from '../parts/output.ts';
import { traceCommand } from '../parts/telemetry.ts';
import {
  describeReport,
  describeUnchanged,
  publishingOptions,
  requireWritable,
  writeReport,
  writeWarnings,
} from '../sources/import-report.ts';
import { createProgress } from '../sources/progress.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Import release files, FHIR or changes as a new edition of the directory',
  examples: [
    'import sample/organisations.zip',
    'import organisations.ndjson.gz --report data/report.json --quiet',
  ],
  settings: [
    ...STORE_SETTINGS,
    'editions.keep',
    'import.unpackedMax',
    ...URI_SETTINGS,
    ...TRACE_SETTINGS,
  ],
  argument: {
    syntax: '<file...>',
    help:
      'A release zip file, a zip file inside it, or its XML; STU3 Organizations as NDJSON, or as a ' +
      'Bundle in JSON or XML; or changes from ORD or R4. Each except zip can be compressed with ' +
      'gzip. - is standard input',
  },
  options: [
    { syntax: '--include-archive', help: "Also import the release's archive of closed records" },
    {
      syntax: '--allow-shrink',
      help: 'Import even if more than 10 % of the records would be removed',
    },
    { syntax: '--again', help: 'Publish an edition even if the directory has the same records' },
    {
      syntax: '--full',
      help: 'Read every record and build the whole index, including what has not changed',
    },
    REPORT_OPTION,
    { syntax: '--json', help: 'Print the report as JSON' },
    QUIET_OPTION,
  ],
  whenStopped: 'The import was stopped. The directory has not changed.',
  run: (context) => traceCommand(context, 'import', () => runImport(context)),
};

async function runImport(context: CommandContext): Promise<void> {
  const { config, options, streams } = context;
  const files = context.arguments;
  if (files.filter((file) => file === '-').length > 1) {
    throw new UsageError('Standard input can be read only once. Give - only once.');
  }
  for (const file of files) if (file !== '-') await requireReadable(file);
  const reportFile = typeof options.report === 'string' ? options.report : undefined;
  if (reportFile !== undefined) requireWritable(reportFile, files);
  await inDataFolder(config.data, reportMade(streams), (folder) =>
    importInto(folder, context, reportFile),
  );
}

async function importInto(
  folder: DataFolder,
  context: CommandContext,
  reportFile: string | undefined,
): Promise<void> {
  const { config, options, streams, stopped, arguments: files } = context;
  const isQuiet = options.quiet === true;
  stopped.addEventListener('abort', () => streams.input.destroy(), { once: true });
  const startMs = performance.now();
  const { openEditions } = await openConfiguredServerStore(config);
  await using store = await openEditions();
  const progress = createProgress(isQuiet ? undefined : streams.errors);
  try {
    const { isPublished, ...report } = await importSources({
      ...publishingOptions(context, folder, store, progress),
      source: files.map(labelOf).join(', '),
      files: files.map((file) => (file === '-' ? streams.input : file)),
      includeArchive: options.includeArchive === true,
      onlyChanges: options.again !== true,
      isFull: options.full === true,
    });
    progress.end();
    const seconds = Math.round((performance.now() - startMs) / 100) / 10;
    if (reportFile !== undefined) {
      const done = `Edition ${report.edition.number} is current`;
      writeReport(reportFile, { ...report, seconds }, done);
    }
    if (isPublished) writeWarnings(streams.errors, report);
    if (isQuiet) return;
    const text = isPublished ? describeReport(report, seconds) : describeUnchanged(report, KNOWN);
    const outcome = isPublished ? 'published' : 'unchanged';
    printResult(context, { outcome, ...report, seconds }, text);
  } finally {
    progress.end();
  }
}

const KNOWN =
  'The directory already has these records, so there is nothing to do. To publish them again, use --again.';

function labelOf(file: string): string {
  return file === '-' ? 'standard input' : basename(file);
}
