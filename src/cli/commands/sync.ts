/** `gazetteer sync`: copies the edition of another Gazetteer, and follows its changes. */
import type { FetchReport } from '../../sources/fetch/fetch-options.ts';
import type { PeerAddress } from '../../sources/fetch/sync-directory.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import type { Command, CommandContext } from '../parts/command.ts';
import { STORE_SETTINGS, TRACE_SETTINGS, URI_SETTINGS } from '../parts/options.ts';
import { traceCommand } from '../parts/telemetry.ts';
import { describeReport, writeReport, writeWarnings } from '../sources/import-report.ts';
import { runSources, SOURCE_RUN_OPTIONS } from '../sources/source-run.ts';
import { peerAddress, preparePeer, SYNC_SETTINGS } from '../sources/sync-peer.ts';

export const syncCommand: Command = {
  name: 'sync',
  summary: 'Copy the directory of another Gazetteer and follow its changes',
  examples: ['sync https://directory.example.org/STU3'],
  settings: [
    ...STORE_SETTINGS,
    'editions.keep',
    'import.unpackedMax',
    ...SYNC_SETTINGS,
    ...URI_SETTINGS,
    ...TRACE_SETTINGS,
  ],
  argument: {
    syntax: '<url>',
    help: 'The FHIR base of the other Gazetteer, such as https://directory.example/STU3',
  },
  options: [
    { syntax: '--full', help: 'Fetch the edition even if it has not changed since the last sync' },
    ...SOURCE_RUN_OPTIONS,
  ],
  run: (context) => traceCommand(context, 'sync', (tracing) => runSync(context, tracing)),
};

async function runSync(context: CommandContext, tracing: Tracing): Promise<void> {
  const { config, options, streams } = context;
  const peer = peerAddress(context.arguments[0] ?? '', '<url>');
  const sync = preparePeer(config, peer);
  await runSources(context, tracing, 'sync', async (run) => {
    const { requests, ...synced } = await sync(run, options.full === true);
    const seconds = run.end();
    if (run.reportFile !== undefined) {
      const { report, fetched, isPublished } = synced;
      const done = `Edition ${report.edition.number} is current`;
      writeReport(run.reportFile, { ...report, seconds, fetched, isPublished, requests }, done);
    }
    if (synced.isPublished) writeWarnings(streams.errors, synced.report);
    if (!run.isQuiet) streams.output.write(describeSync(synced, peer, seconds));
  });
}

function describeSync(
  { report, fetched, isPublished }: FetchReport,
  { baseUrl }: Pick<PeerAddress, 'baseUrl'>,
  seconds: number,
): string {
  if (isPublished) return describeReport(report, seconds);
  const { number } = report.edition;
  const read = fetched === 'nothing' ? '' : `Read ${report.read.toLocaleString('en-GB')} records. `;
  return `${read}Nothing has changed at ${baseUrl}. Edition ${number} stays current.\n`;
}
