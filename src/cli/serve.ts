/** `gazetteer serve`: the main thread, which starts server threads and tells them of editions. */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/settings.ts';
import { SETTINGS, type SettingPath } from '../config/settings.ts';
import type { EditionStore } from '../directory/edition-store.ts';
import { createLog, describeError, type Log } from '../server/log.ts';
import { canSharePort, reservePort, startThreads, type Threads } from '../server/threads.ts';
import { openDataFolder } from '../storage/data-folder.ts';
import { acquireLock } from '../storage/lock.ts';
import { openEditionStore } from '../storage/sqlite/edition-store.ts';
import type { Command, CommandContext } from './command.ts';
import type { EditionUpdate, ServeThreadData } from './serve-thread.ts';

const IMPORT_ONLY = /^(import|editions)\./;

export const serveCommand: Command = {
  name: 'serve',
  summary: 'serve the directory over HTTP',
  settings: Object.keys(SETTINGS).filter((path): path is SettingPath => !IMPORT_ONLY.test(path)),
  run: serve,
};

async function serve({ config, stopped }: CommandContext): Promise<void> {
  const log = createLog(config['log.level'], false);
  const folder = openDataFolder(config.data);
  const lock = acquireLock(folder.path, 'serve');
  const store = openEditionStore(folder);
  try {
    const port = await reservePort(config.host, config.port);
    const serverUrl = serverUrlOf(config, port, log);
    const count = threadCount(config, log);
    const workerData: ServeThreadData = { config, serverUrl };
    const threads = startThreads<EditionUpdate>({
      script: new URL('./serve-thread.ts', import.meta.url),
      workerData,
      count,
      listen: { host: config.host, port, reusePort: count > 1 },
      log,
    });
    try {
      const watch = createEditionWatch(store, threads, config, log);
      watch.look();
      await threads.listen();
      log.info({ host: config.host, port, threads: count, url: `${serverUrl}/STU3` }, 'listening');
      await watch.until(stopped);
      log.info({ signal: stopped.reason }, 'stopping: requests in flight are answered');
    } finally {
      await threads.stop();
    }
    log.info({}, 'stopped');
  } finally {
    store.close();
    lock.release();
    log.flush();
  }
}

/** A newly published edition is noticed within a second. */
const LOOK_MS = 500;

function createEditionWatch(
  store: EditionStore,
  threads: Threads<EditionUpdate>,
  config: Config,
  log: Log,
) {
  let loaded: number | undefined;
  let hasWarned = false;

  const look = (): void => {
    const edition = store.current();
    if (edition === undefined) {
      if (!hasWarned) {
        log.warn(
          { data: config.data },
          `no edition yet: run "gazetteer import FILE --data ${config.data}"; it is then served at once`,
        );
      }
      hasWarned = true;
      return;
    }
    if (edition.number === loaded) return;
    const startMs = performance.now();
    const { number, publishedAt, records, publicationDate } = edition;
    threads.update({ identity: { number, publishedAt }, arrays: store.load(number) });
    loaded = number;
    const ms = Math.round(performance.now() - startMs);
    log.info({ edition: number, publicationDate, records, ms }, 'serving edition');
  };

  return {
    look,
    /** Looks now and then; what fails is logged and tried again. */
    until: async (stopped: AbortSignal): Promise<void> => {
      let lastFailure = '';
      while (!stopped.aborted) {
        try {
          await delay(LOOK_MS, undefined, { signal: stopped });
          look();
          lastFailure = '';
        } catch (error) {
          if (stopped.aborted) return;
          const failure = String(error);
          if (failure !== lastFailure)
            log.error({ err: describeError(error) }, 'cannot load an edition');
          lastFailure = failure;
        }
      }
    },
  };
}

function serverUrlOf(config: Config, port: number, log: Log): string {
  if (config.baseUrl !== undefined) return config.baseUrl;
  const url = `http://localhost:${port}`;
  if (!LOOPBACK.test(config.host)) {
    log.warn(
      { host: config.host },
      `links in answers begin with ${url}; clients elsewhere need --base-url`,
    );
  }
  return url;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/;

function threadCount(config: Config, log: Log): number {
  const wanted = config.threads ?? availableParallelism();
  if (wanted === 1 || canSharePort()) return wanted;
  log.warn({}, 'this platform cannot share a port: one thread serves');
  return 1;
}
