/** `gazetteer fetch`: asks the sources of the directory for news, and imports what is new. */
import { type Command, type CommandContext, UsageError } from './command.ts';
import { URI_SETTINGS } from './directory-settings.ts';
import { FETCH_SOURCE_SETTINGS, prepareSource } from './fetch-sources.ts';
import { describeReport, writeReport } from './import-report.ts';
import { runSources, SOURCE_RUN_OPTIONS } from './source-run.ts';
import { SYNC_SETTINGS } from './sync-peer.ts';

export const fetchCommand: Command = {
  name: 'fetch',
  summary: 'Fetch the latest release, or the changes since then, as a new edition',
  settings: [
    'data',
    'editions.keep',
    'import.unpackedMax',
    ...FETCH_SOURCE_SETTINGS,
    ...SYNC_SETTINGS,
    ...URI_SETTINGS,
  ],
  options: [
    {
      syntax: '--from <sources>',
      help: 'trud, or the FHIR base of a peer; several with commas (default: trud)',
    },
    { syntax: '--again', help: 'Fetch everything, even if it is in the directory already' },
    ...SOURCE_RUN_OPTIONS,
  ],
  run: runFetch,
};

async function runFetch(context: CommandContext): Promise<void> {
  const { config, options, streams } = context;
  const words = (typeof options.from === 'string' ? options.from : 'trud').split(',');
  if (words.includes('')) throw new UsageError('--from: an item of the list is empty.');
  const sources = words.map((word) => prepareSource(word.trim(), config, '--from'));
  await runSources(context, 'fetch', async (run) => {
    for (const source of sources) {
      const { report, isPublished, fetched } = await source.fetch(run, options.again === true);
      const seconds = run.end();
      if (run.reportFile !== undefined) {
        writeReport(run.reportFile, { ...report, seconds, fetched, isPublished });
      }
      if (run.isQuiet) continue;
      streams.output.write(
        isPublished
          ? describeReport(report, seconds)
          : `Nothing new from ${source.name}. Edition ${report.edition.number} stays current.\n`,
      );
    }
  });
}
