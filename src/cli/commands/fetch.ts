/** `gazetteer fetch`: asks the sources of the directory for news, and imports what is new. */
import { SourceError } from '../../directory/record/source.ts';
import type { FetchReport } from '../../sources/fetch/fetch-options.ts';
import { type Attempt, recordAttempt } from '../../sources/fetch/fetch-state.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import type { Command, CommandContext } from '../parts/command.ts';
import { STORE_SETTINGS, TRACE_SETTINGS, URI_SETTINGS } from '../parts/options.ts';
import { traceCommand } from '../parts/telemetry.ts';
import { FETCH_SOURCE_SETTINGS, prepareSources } from '../sources/fetch-sources.ts';
import {
  describeReport,
  describeUnchanged,
  writeReport,
  writeWarnings,
} from '../sources/import-report.ts';
import { runSources, SOURCE_RUN_OPTIONS } from '../sources/source-run.ts';
import { SYNC_SETTINGS } from '../sources/sync-peer.ts';

export const fetchCommand: Command = {
  name: 'fetch',
  summary: 'Fetch the latest release, or the changes since then, as a new edition',
  examples: ['fetch --from r4', 'fetch --from trud --trud-key-file trud-key.txt'],
  settings: [
    ...STORE_SETTINGS,
    'directory.source',
    'editions.keep',
    'import.unpackedMax',
    ...FETCH_SOURCE_SETTINGS,
    ...SYNC_SETTINGS,
    ...URI_SETTINGS,
    ...TRACE_SETTINGS,
  ],
  options: [
    {
      syntax: '--from <sources>',
      help: 'trud, r4, ord, or the FHIR base URL of a peer; separate several with commas (default: directory.source, or else trud)',
    },
    {
      syntax: '--again',
      help: 'Fetch everything, even if the directory already has it, or has a newer release',
    },
    ...SOURCE_RUN_OPTIONS,
  ],
  run: (context) => traceCommand(context, 'fetch', (tracing) => runFetch(context, tracing)),
};

async function runFetch(context: CommandContext, tracing: Tracing): Promise<void> {
  const { config, options, streams, stopped } = context;
  const sources = prepareSources(wantedSources(context), config);
  const reports: object[] = [];
  const failures: SourceError[] = [];
  await runSources(context, tracing, 'fetch', async (run) => {
    for (const source of sources) {
      try {
        const fetched = await tracing.run(
          {
            name: 'fetch source',
            kind: 'internal',
            attributes: { 'gazetteer.source': source.name },
          },
          () => source.fetch(run, options.again === true),
        );
        const seconds = run.end();
        const outcome = fetched.isPublished ? 'published' : 'unchanged';
        recordAttempt(run.folder.fetch, source.name, { outcome }, Date.now());
        const { report } = fetched;
        reports.push({ source: source.name, outcome, ...report, seconds });
        if (fetched.isPublished) writeWarnings(streams.errors, report);
        if (!run.isQuiet) streams.output.write(describeFetch(source.name, fetched, seconds));
      } catch (error) {
        if (stopped.aborted || !(error instanceof SourceError)) throw error;
        // The next source may have news.
        failures.push(error);
        recordAttempt(run.folder.fetch, source.name, failedAttempt(error), Date.now());
        reports.push({ source: source.name, outcome: 'failed', problem: error.message });
      }
    }
    if (run.reportFile !== undefined)
      writeReport(run.reportFile, { sources: reports }, 'The fetch is done');
  });
  if (failures.length > 0) {
    throw new SourceError(failures.map(({ message }) => message).join('\n'));
  }
}

/** The values of `--from`, or else of the setting. */
function wantedSources({ config, options }: CommandContext): readonly string[] {
  if (typeof options.from !== 'string') return config['directory.source'] ?? ['trud'];
  return options.from.split(',').map((word) => word.trim());
}

function failedAttempt({ message, pauseMs }: SourceError): Attempt {
  return {
    outcome: 'failed',
    problem: message,
    ...(pauseMs !== undefined && { notBefore: new Date(Date.now() + pauseMs).toISOString() }),
  };
}

function describeFetch(
  name: string,
  { report, isPublished }: FetchReport,
  seconds: number,
): string {
  if (isPublished) return describeReport(report, seconds);
  return describeUnchanged(report, `Nothing new from ${name}.`);
}
