/** `gazetteer sync`: makes editions from another STU3 directory, and follows its changes. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OnProgress } from '../directory/import/collector.ts';
import { SourceError } from '../directory/import/source.ts';
import { type PeerAddress, parsePeerAddress } from '../sources/peer/peer-address.ts';
import { createPeerClient } from '../sources/peer/peer-client.ts';
import { syncDirectory } from '../sources/peer/sync-directory.ts';
import type { SyncReport } from '../sources/peer/sync-options.ts';
import { openSyncFolder } from '../sources/peer/sync-state.ts';
import { openDataFolder } from '../storage/data-folder.ts';
import { acquireLock } from '../storage/lock.ts';
import { openStore, storeUrlOf } from '../storage/open.ts';
import { storageError, withStorageErrors } from '../storage/storage-error.ts';
import { SOFTWARE } from '../version.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  type Output,
  UsageError,
} from './command.ts';
import { settingsUnderstood, URI_SETTINGS } from './directory-settings.ts';
import { describeReport, requireWritable, writeReport } from './import-report.ts';
import { reportMade } from './output.ts';
import { createProgress } from './progress.ts';

export const syncCommand: Command = {
  name: 'sync',
  summary: 'Copy another STU3 directory and follow its changes',
  settings: [
    'data',
    'editions.keep',
    'import.unpackedMax',
    'sync.overlapDays',
    'sync.fullDays',
    'sync.requestsPerSecond',
    'sync.timeoutSeconds',
    'sync.tokenFile',
    ...URI_SETTINGS,
  ],
  argument: {
    syntax: '<url>',
    help: 'The FHIR base of the other directory, such as https://directory.example/STU3',
  },
  options: [
    { syntax: '--full', help: 'Fetch everything again, which also finds removed records' },
    {
      syntax: '--allow-shrink',
      help: 'Publish even if more than 10 % of the records would be removed',
    },
    { syntax: '--report <file>', help: 'Write the report as JSON' },
    { syntax: '--quiet', help: 'Print no progress and no report' },
  ],
  run: runSync,
};

async function runSync(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped } = context;
  const peer = peerAddress(context.arguments[0] ?? '');
  const token = readToken(config['sync.tokenFile'], peer);
  const isQuiet = options.quiet === true;
  const reportFile = typeof options.report === 'string' ? options.report : undefined;
  if (reportFile !== undefined) requireWritable(reportFile);
  const startMs = performance.now();
  const folder = openDataFolder(config.data, { onMade: reportMade(streams) });
  const lock = acquireLock(folder.path, 'sync');
  const store = await openStore(storeUrlOf(config.data)).openEditions();
  const progress = createPhases(isQuiet ? undefined : streams.errors);
  const onProgress: OnProgress = (state) => {
    stopped.throwIfAborted();
    progress.show(state);
  };
  const client = createPeerClient({
    fetch,
    now: Date.now,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    random: Math.random,
    requestsPerSecond: config['sync.requestsPerSecond'],
    timeoutMs: config['sync.timeoutSeconds'] * 1000,
    userAgent: `${SOFTWARE.name}/${SOFTWARE.version}`,
    token,
    stopped,
    onPause: progress.say,
  });
  try {
    const synced = await syncDirectory({
      store,
      folder: withStorageErrors(folder.sync, () => openSyncFolder(folder.sync)),
      peer,
      client,
      overlapDays: config['sync.overlapDays'],
      fullDays: config['sync.fullDays'],
      isFull: options.full === true,
      allowShrink: options.allowShrink === true,
      keep: config['editions.keep'],
      bytesMax: config['import.unpackedMax'],
      settings: settingsUnderstood(config),
      now: Date.now,
      say: progress.say,
      onProgress,
      onBuild: () => progress.say('Building the index …'),
      stopped,
    });
    progress.end();
    const seconds = Math.round((performance.now() - startMs) / 100) / 10;
    const { report, fetched, isPublished } = synced;
    const { requests } = client;
    if (reportFile !== undefined) {
      writeReport(reportFile, { ...report, seconds, fetched, isPublished, requests });
    }
    if (!isQuiet) streams.output.write(describeSync(synced, peer, seconds));
  } catch (error) {
    if (!stopped.aborted || error instanceof CommandError) throw storageError(error, folder.sync);
    throw new CommandError(
      'The sync was stopped. The directory has not changed. The next sync continues from here.',
    );
  } finally {
    progress.end();
    await store.close();
    lock.release();
  }
}

/** Text that is not a URL is a usage error. */
function peerAddress(text: string): PeerAddress {
  try {
    return parsePeerAddress(text);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new UsageError(`<url>: ${error.message}`);
  }
}

/** One progress bar for each part of the work, with its own rate. */
function createPhases(stream: Output | undefined) {
  let progress = createProgress(stream);
  return {
    show: (state: Parameters<OnProgress>[0]) => progress.show(state),
    say: (line: string) => {
      progress.say(line);
      progress = createProgress(stream);
    },
    end: () => progress.end(),
  };
}

function readToken(file: string | undefined, peer: PeerAddress): string | undefined {
  if (file === undefined) return undefined;
  if (!peer.isPrivate) {
    throw new CommandError(
      `sync.tokenFile needs an https address, because the token would not be encrypted. Got ${peer.baseUrl}.`,
    );
  }
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(
      `The file of sync.tokenFile cannot be read. ${error instanceof Error ? error.message : error}`,
    );
  }
  const token = text.trim();
  // The syntax of a bearer token: RFC 6750, section 2.1.
  if (/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) return token;
  throw new CommandError(
    `${file} does not contain a bearer token. Put the token alone on its first line.`,
  );
}

function describeSync(
  { report, fetched, isPublished }: SyncReport,
  { baseUrl }: PeerAddress,
  seconds: number,
): string {
  if (isPublished) return describeReport(report, seconds);
  const { number } = report.edition;
  const read = fetched === 'nothing' ? '' : `Read ${report.read.toLocaleString('en-GB')} records. `;
  return `${read}Nothing has changed at ${baseUrl}. Edition ${number} stays current.\n`;
}
