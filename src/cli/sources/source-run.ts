/** Runs a command that reads other services: the lock, the store, progress and the report. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SOFTWARE } from '../../config/version.ts';
import { createHttpClient } from '../../sources/http/http-client.ts';
import type { HttpClient, HttpClientOptions } from '../../sources/http/http-options.ts';
import type { FetchOptions } from '../../sources/import/import-options.ts';
import type { DataFolder } from '../../storage/files/data-folder.ts';
import { inDataFolder } from '../../storage/files/in-data-folder.ts';
import { acquireLock } from '../../storage/files/lock.ts';
import { storageError } from '../../storage/files/storage-error.ts';
import type { FetchLock } from '../../storage/store/shared-fetches.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import {
  type CommandContext,
  CommandError,
  type CommandOption,
  type Output,
} from '../parts/command.ts';
import { openConfiguredServerStore } from '../parts/open-store.ts';
import { QUIET_OPTION, REPORT_OPTION } from '../parts/options.ts';
import { reportMade } from '../parts/output.ts';
import { lockFetches } from './fetch-copies.ts';
import { publishingOptions, requireWritable } from './import-report.ts';
import { createProgress, type Progress } from './progress.ts';

/** What a source of a command needs. */
export interface SourceRun {
  readonly folder: DataFolder;
  readonly options: FetchOptions;
  createClient(
    options: Pick<HttpClientOptions, 'requestsPerSecond' | 'headers' | 'secret' | 'wording'>,
  ): HttpClient;
  /** Ends the progress of the work so far. Returns the seconds since the start. */
  end(): number;
  /** The file of `--report`. */
  readonly reportFile: string | undefined;
  readonly isQuiet: boolean;
}

/** The options of commands that read other services. */
export const SOURCE_RUN_OPTIONS: readonly CommandOption[] = [
  {
    syntax: '--allow-shrink',
    help: 'Publish even if more than 10 % of the records would be removed',
  },
  REPORT_OPTION,
  QUIET_OPTION,
];

/** `work` names the command in messages. */
export async function runSources(
  context: CommandContext,
  tracing: Tracing,
  work: HttpClientOptions['wording']['work'],
  read: (run: SourceRun) => Promise<void>,
): Promise<void> {
  const { config, options, streams } = context;
  const reportFile = typeof options.report === 'string' ? options.report : undefined;
  if (reportFile !== undefined) requireWritable(reportFile);
  await inDataFolder(config.data, reportMade(streams), async (folder) => {
    using _lock = acquireLock(folder.path, 'sync');
    await runInFolder(folder, context, { tracing, work, read, reportFile });
  });
}

interface Run {
  readonly tracing: Tracing;
  readonly work: HttpClientOptions['wording']['work'];
  readonly read: (run: SourceRun) => Promise<void>;
  readonly reportFile: string | undefined;
}

async function runInFolder(
  folder: DataFolder,
  context: CommandContext,
  { tracing, work, read, reportFile }: Run,
): Promise<void> {
  const { config, options, streams, stopped } = context;
  const isQuiet = options.quiet === true;
  const startMs = performance.now();
  const { fetches, openEditions } = await openConfiguredServerStore(config);
  await using store = await openEditions();
  let sharedLock: FetchLock | undefined;
  const progress = createPhases(isQuiet ? undefined : streams.errors);
  try {
    sharedLock = fetches && (await lockFetches(fetches, folder.fetch));
    await read({
      folder,
      options: publishingOptions(context, folder, store, progress),
      createClient: (clientOptions) =>
        createHttpClient({
          ...clientOptions,
          fetch: tracing.fetch(fetch),
          now: Date.now,
          sleep: (ms, signal) => sleep(ms, undefined, { signal }),
          random: Math.random,
          timeoutMs: config['sync.timeoutSeconds'] * 1000,
          userAgent: `${SOFTWARE.name}/${SOFTWARE.version}`,
          stopped,
          onPause: progress.say,
        }),
      end: () => {
        progress.end();
        return Math.round((performance.now() - startMs) / 100) / 10;
      },
      reportFile,
      isQuiet,
    });
  } catch (error) {
    if (!stopped.aborted || error instanceof CommandError) throw storageError(error, folder[work]);
    const next = work === 'fetch' ? ' The next fetch continues from here.' : '';
    throw new CommandError(`The ${work} was stopped. The directory has not changed.${next}`);
  } finally {
    progress.end();
    await sharedLock?.release();
  }
}

/** One progress bar for each part of the work, with its own rate. */
function createPhases(stream: Output | undefined): Progress {
  let progress = createProgress(stream);
  return {
    show: (state) => progress.show(state),
    say: (line) => {
      progress.say(line);
      progress = createProgress(stream);
    },
    end: () => progress.end(),
  };
}
