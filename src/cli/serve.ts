/** `gazetteer serve`: the main thread, which starts the server threads and gives them editions. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { demandAuthFiles } from '../auth/authenticator.ts';
import { type OwnPublicKey, openOwnKey, publicKeyOf } from '../auth/own-key.ts';
import { usesOwnKey } from '../auth/settings.ts';
import { ConfigError } from '../config/load-config.ts';
import { type Config, SETTINGS, type SettingPath, sectionOf } from '../config/settings.ts';
import {
  type Certificate,
  type CertificateFiles,
  readCertificate,
  validUntil,
} from '../server/certificate.ts';
import { createCounterMemory, forgetThread } from '../server/counters.ts';
import { createGateMemory, forgetConnections } from '../server/gate.ts';
import { createLog, describeError, type Log, type LogFormat } from '../server/log.ts';
import { metricsText, type OrderFacts } from '../server/metrics.ts';
import { startOperationServer } from '../server/operation-server.ts';
import { canSharePort, reservePort } from '../server/port.ts';
import { startThreads, type Threads } from '../server/threads.ts';
import { type DataFolder, openDataFolder } from '../storage/data-folder.ts';
import { writeKeyFile } from '../storage/key-file.ts';
import { openStore, storeUrlOf } from '../storage/open.ts';
import type { OrdersNews } from '../storage/repository-messages.ts';
import type { OrdersThread } from '../storage/start-orders-thread.ts';
import type { Store } from '../storage/store.ts';
import { SOFTWARE } from '../version.ts';
import { logoProblem } from '../web/logo.ts';
import { type Command, type CommandContext, CommandError } from './command.ts';
import { createUnwritableLog, logEditionFindings } from './edition-findings.ts';
import { createEditionWatch, type EditionWatch } from './edition-watch.ts';
import { readinessOf, serverFacts, whyNotLive } from './operation.ts';
import { configText } from './print-config.ts';
import { gateLimits, type ServeThreadData, type ThreadUpdate } from './serve-thread-data.ts';

const OTHERS_ONLY = /^(import|editions|sync)\./;

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Serve the directory and order responses over HTTP',
  settings: Object.keys(SETTINGS).filter((path): path is SettingPath => !OTHERS_ONLY.test(path)),
  options: [
    {
      syntax: '--print-config',
      help: 'Print the effective settings and the source of each, then exit',
    },
  ],
  run: serve,
};

async function serve(context: CommandContext): Promise<void> {
  const { config, options, streams, stopped, onReload } = context;
  if (!config['directory.enabled'] && !config['orders.enabled']) {
    throw new ConfigError(
      'directory.enabled and orders.enabled are both false: set one of them to true',
    );
  }
  if (options.printConfig === true) {
    streams.output.write(configText(context));
    return;
  }
  const logo = config['pages.enabled'] ? config['pages.logo'] : undefined;
  const problem = logo === undefined ? undefined : logoProblem(logo);
  if (problem !== undefined) throw new CommandError(problem);
  if (checksTokens(config)) demandAuthFiles(sectionOf(config, 'auth'));
  const logFormat = logFormatOf(config, streams.output.isTTY);
  const log = createLog(config['log.level'], false, logFormat);
  log.info({ version: SOFTWARE.version, runtime: process.version, data: config.data }, 'starting');
  const files = certificateFiles(config);
  const certificate = files && readCertificate(files);
  const closing = createClosing();
  try {
    const folder = openDataFolder(config.data, {
      onMade: (data) => log.warn({ data }, 'made the data folder'),
    });
    const onUnwritable = createUnwritableLog(log);
    const storeUrl = storeUrlOf(config.data);
    const stored = openStore(storeUrl);
    const lock = stored.openServeLock(onUnwritable);
    closing.add(lock.release);
    const store = await stored.openEditionReader(onUnwritable);
    closing.add(() => store.close());
    if (config['directory.enabled']) closing.add(logEditionFindings(store, log));
    const { port, release } = await reservePort(config.host, config.port);
    closing.add(release);
    const serverUrl = serverUrlOf(config, port, log);
    const ownKey = ownKeyOf(config, folder);
    const count = threadCount(config, log);
    const counters = createCounterMemory(count);
    const gate = createGateMemory(gateLimits(config), count, randomInt(2 ** 31));
    let replacedThreads = 0;
    let watch: EditionWatch | undefined;
    const orders = config['orders.enabled']
      ? await startOrders(stored, lock.claim, log)
      : undefined;
    if (orders !== undefined) {
      closing.add(orders.thread.stop);
      const key = ownKey === undefined ? {} : { key: folder.tokenKey };
      log.info({ tokens: tokensThatCount(config), ...key }, 'serving order responses');
    }
    if (config['metrics.port'] !== 'off') {
      const host = config['metrics.host'];
      const operation = await startOperationServer({
        host,
        port: config['metrics.port'],
        whyNotLive: () => whyNotLive(counters),
        readiness: () =>
          readinessOf(counters, {
            isStopping: stopped.aborted,
            servesDirectory: config['directory.enabled'],
            orders: orders?.thread,
          }),
        metrics: () => {
          const facts = { counters, gate, replacedThreads, served: watch?.served, store };
          return metricsText(serverFacts({ ...facts, orders: orders?.facts() }));
        },
      });
      closing.add(operation.close);
      log.info({ host, port: operation.port }, 'health and metrics');
    }
    const given = { config, storeUrl, logFormat, serverUrl };
    const workerData: ServeThreadData = { ...given, counters, gate, ownKey };
    const threads = startThreads<ThreadUpdate>({
      script: new URL('./serve-thread.ts', import.meta.url),
      workerData,
      count,
      listen: { host: config.host, port, reusePort: canSharePort() },
      log,
      onEditionWanted: (edition) => watch?.want(edition),
      onDeath: (thread) => {
        replacedThreads += 1;
        forgetThread(counters, thread);
        forgetConnections(gate, thread);
      },
    });
    closing.add(threads.stop);
    orders?.equip(threads);
    const settings = sectionOf(config, 'directory');
    watch = createEditionWatch({ store, settings, threads, data: config.data, log });
    if (certificate !== undefined) useCertificate(certificate, threads, log);
    onReload(() => reload(files, threads, log));
    if (config['directory.enabled']) watch.look();
    await threads.listen();
    release();
    log.info({ host: config.host, port, threads: count, url: serverUrl }, 'listening');
    if (logFormat === 'text') streams.output.write(openText(config, serverUrl));
    await (config['directory.enabled'] ? watch.until(stopped) : untilAborted(stopped));
    log.info({ signal: stopped.reason }, 'stopping: requests in flight are answered');
    await closing.run();
    log.info({}, 'stopped');
  } finally {
    await closing.run();
    log.flush();
  }
}

/** What has to be closed: the last first, as whoever answers requests ends before what it asks. */
function createClosing(): { add(close: () => unknown): void; run(): Promise<void> } {
  const waiting: (() => unknown)[] = [];
  return {
    add: (close) => waiting.push(close),
    run: async () => {
      let failure: { readonly error: unknown } | undefined;
      for (let close = waiting.pop(); close !== undefined; close = waiting.pop()) {
        try {
          await close();
        } catch (error) {
          failure ??= { error };
        }
      }
      if (failure !== undefined) throw failure.error;
    },
  };
}

function logFormatOf(config: Config, isTerminal: boolean | undefined): LogFormat {
  const format = config['log.format'];
  if (format !== 'auto') return format;
  return isTerminal ? 'text' : 'json';
}

/** The next steps for a person at a terminal. */
function openText(config: Config, url: string): string {
  const address = config['pages.enabled'] ? `${url}/` : `${url}/metadata`;
  return `\n  Open ${address}\n  Ctrl+C stops the server.\n\n`;
}

async function untilAborted(stopped: AbortSignal): Promise<void> {
  if (!stopped.aborted) await once(stopped, 'abort');
}

function checksTokens(config: Config): boolean {
  return config['orders.enabled'] || config['directory.authenticate'];
}

/** Whoever serves something that needs a token has to be able to check one. */
function ownKeyOf(config: Config, folder: DataFolder): OwnPublicKey | undefined {
  if (!checksTokens(config) || !usesOwnKey(sectionOf(config, 'auth'))) return undefined;
  return publicKeyOf(openOwnKey(folder.tokenKey, writeKeyFile));
}

/** Whose tokens count, for people who read the log. */
function tokensThatCount(config: Config): string {
  const own = usesOwnKey(sectionOf(config, 'auth')) ? ['those of "gazetteer token"'] : [];
  const issuer = config['auth.issuer'] ?? config['auth.introspectionUrl'];
  return [...own, ...(issuer === undefined ? [] : [`those of ${issuer}`])].join(' and ');
}

interface Orders {
  readonly thread: OrdersThread;
  readonly facts: () => OrderFacts;
  readonly equip: (threads: Threads<ThreadUpdate>) => void;
}

/** The store of order responses, and a way to it for every server thread. */
async function startOrders(store: Store, claim: () => void, log: Log): Promise<Orders> {
  let equipAll = (): void => {};
  const thread = await store.startOrders({
    claim,
    onFault: (fault) => log.error({ ...fault }, 'order responses cannot be stored'),
    onRestart: () => {
      log.warn({}, 'the storage thread is replaced');
      equipAll();
    },
    onStartFailed: () => equipAll(),
    onRecovery: () => log.info({}, 'order responses can be stored again'),
    onNews: (news) => logNews(news, log),
  });
  return {
    thread,
    facts: () => ({ ...thread.counts, walBytes: thread.walBytes }),
    equip: (threads) => {
      equipAll = () =>
        threads.equip((tell) => {
          const connection = thread.connect();
          const transferred = connection.port === undefined ? [] : [connection.port];
          tell({ kind: 'orders', connection }, transferred);
        });
      equipAll();
    },
  };
}

function logNews(news: OrdersNews, log: Log): void {
  if (news.kind === 'head') log.info({ head: news.head }, 'audit head');
  else if (news.problem === undefined)
    log.info({}, 'the write-ahead log has its normal size again');
  else log.warn({ problem: news.problem, bytes: news.bytes }, 'the write-ahead log grows');
}

function certificateFiles(config: Config): CertificateFiles | undefined {
  const { 'tls.certificate': certificate, 'tls.key': key } = config;
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

function useCertificate(certificate: Certificate, threads: Threads<ThreadUpdate>, log: Log): void {
  threads.secure(certificate);
  log.info({ validUntil: validUntil(certificate) }, 'using certificate');
}

/**
 * Reloads keys, secrets and the certificate. Where one cannot be read, the server logs it and
 * keeps the old one.
 */
function reload(
  files: CertificateFiles | undefined,
  threads: Threads<ThreadUpdate>,
  log: Log,
): void {
  threads.reload();
  log.info({}, 'reloading keys and secrets');
  if (files === undefined) return;
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
      `links in answers begin with ${url}; for clients on other machines set --base-url`,
    );
  }
  return url;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/;

function threadCount(config: Config, log: Log): number {
  const wanted = config.threads ?? availableParallelism();
  if (wanted === 1 || canSharePort()) return wanted;
  log.warn({}, 'this platform cannot share a port: the server runs one thread');
  return 1;
}
