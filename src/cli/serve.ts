/** `gazetteer serve`: the main thread, which starts server threads and tells them of editions. */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Config } from '../config/settings.ts';
import { SETTINGS, type SettingPath } from '../config/settings.ts';
import {
  type Certificate,
  type CertificateFiles,
  readCertificate,
  validUntil,
} from '../server/certificate.ts';
import { createCounterMemory, forgetThread } from '../server/counters.ts';
import { createGateMemory, forgetConnections } from '../server/gate.ts';
import { createLog, describeError, type Log } from '../server/log.ts';
import { metricsText } from '../server/metrics.ts';
import { startOperationServer } from '../server/operation-server.ts';
import { canSharePort, reservePort } from '../server/port.ts';
import { startThreads, type Threads } from '../server/threads.ts';
import { openDataFolder } from '../storage/data-folder.ts';
import { acquireLock } from '../storage/lock.ts';
import { openEditionStore } from '../storage/sqlite/edition-store.ts';
import { SOFTWARE } from '../version.ts';
import type { Command, CommandContext } from './command.ts';
import { createEditionWatch } from './edition-watch.ts';
import { serverFacts, whyNotLive, whyNotReady } from './operation.ts';
import { configText } from './print-config.ts';
import { type EditionUpdate, gateLimits, type ServeThreadData } from './serve-thread-data.ts';

const IMPORT_ONLY = /^(import|editions)\./;

export const serveCommand: Command = {
  name: 'serve',
  summary: 'serve the directory over HTTP',
  settings: Object.keys(SETTINGS).filter((path): path is SettingPath => !IMPORT_ONLY.test(path)),
  options: [{ syntax: '--print-config', help: 'show what holds and where it came from, and end' }],
  run: serve,
};

async function serve(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped, onReload } = context;
  if (options.printConfig === true) {
    streams.output.write(configText(context));
    return;
  }
  const log = createLog(config['log.level'], false);
  log.info({ version: SOFTWARE.version, runtime: process.version, data: config.data }, 'starting');
  const files = certificateFiles(config);
  const certificate = files && readCertificate(files);
  const folder = openDataFolder(config.data);
  const lock = acquireLock(folder.path, 'serve');
  const store = openEditionStore(folder);
  try {
    const port = await reservePort(config.host, config.port);
    const serverUrl = serverUrlOf(config, port, log);
    const count = threadCount(config, log);
    const counters = createCounterMemory(count);
    const gate = createGateMemory(gateLimits(config), count, randomInt(2 ** 31));
    const workerData: ServeThreadData = { config, serverUrl, counters, gate };
    let replacedThreads = 0;
    const threads = startThreads<EditionUpdate>({
      script: new URL('./serve-thread.ts', import.meta.url),
      workerData,
      count,
      listen: { host: config.host, port, reusePort: count > 1 },
      log,
      onDeath: (thread) => {
        replacedThreads += 1;
        forgetThread(counters, thread);
        forgetConnections(gate, thread);
      },
    });
    const watch = createEditionWatch({ store, threads, data: config.data, log });
    let closeOperation = async (): Promise<void> => {};
    try {
      const host = config['metrics.host'];
      if (config['metrics.port'] !== 'off') {
        const operation = await startOperationServer({
          host,
          port: config['metrics.port'],
          whyNotLive: () => whyNotLive(counters),
          whyNotReady: () => whyNotReady(counters, stopped.aborted),
          metrics: () => {
            const { served } = watch;
            return metricsText(serverFacts({ counters, gate, replacedThreads, served, store }));
          },
        });
        closeOperation = operation.close;
        log.info({ host, port: operation.port }, 'health and metrics');
      }
      if (certificate !== undefined) useCertificate(certificate, threads, log);
      onReload(() => reload(files, threads, log));
      watch.look();
      await threads.listen();
      log.info({ host: config.host, port, threads: count, url: `${serverUrl}/STU3` }, 'listening');
      await watch.until(stopped);
      log.info({ signal: stopped.reason }, 'stopping: requests in flight are answered');
    } finally {
      await threads.stop().finally(closeOperation);
    }
    log.info({}, 'stopped');
  } finally {
    store.close();
    lock.release();
    log.flush();
  }
}

function certificateFiles(config: Config): CertificateFiles | undefined {
  const { 'tls.certificate': certificate, 'tls.key': key } = config;
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

function useCertificate(certificate: Certificate, threads: Threads<EditionUpdate>, log: Log): void {
  threads.secure(certificate);
  log.info({ validUntil: validUntil(certificate) }, 'using certificate');
}

/** What cannot be read is logged, and the certificate that holds goes on. */
function reload(
  files: CertificateFiles | undefined,
  threads: Threads<EditionUpdate>,
  log: Log,
): void {
  if (files === undefined) {
    log.info({}, 'nothing to reload: there is no certificate');
    return;
  }
  try {
    useCertificate(readCertificate(files), threads, log);
  } catch (error) {
    log.error({ err: describeError(error) }, 'cannot reload the certificate');
  }
}

function serverUrlOf(config: Config, port: number, log: Log): string {
  if (config.baseUrl !== undefined) return config.baseUrl;
  const scheme = config['tls.certificate'] === undefined ? 'http' : 'https';
  const url = `${scheme}://localhost:${port}`;
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
