/** `gazetteer serve`: the main thread, which starts the server threads and gives them editions. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { OwnPublicKey } from '../../auth/own-key.ts';
import { ConfigError, isSettingPath } from '../../config/load-config.ts';
import { sectionOf } from '../../config/section.ts';
import { type Config, SETTINGS } from '../../config/settings.ts';
import { SOFTWARE } from '../../config/version.ts';
import { createGateMemory, forgetConnections } from '../../server/limits/gate.ts';
import { createCounterMemory, forgetThread } from '../../server/monitoring/counters.ts';
import { watchDescriptors } from '../../server/monitoring/file-descriptors.ts';
import { createLog, type Log, problemLine } from '../../server/monitoring/log.ts';
import { createLossMemory } from '../../server/monitoring/lost-lines.ts';
import { reservePort } from '../../server/sockets/port.ts';
import type { Threads } from '../../server/threads.ts';
import { dataFolderAt } from '../../storage/files/data-folder.ts';
import type { ServerStore } from '../../storage/store/store.ts';
import type { OrdersThreadOptions } from '../../storage/threads/storage-thread.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import {
  type Command,
  type CommandContext,
  causeOf,
  FatalError,
  UsageError,
} from '../parts/command.ts';
import { collectorOf, logExportProblems, openTracing } from '../parts/telemetry.ts';
import { connectOrders } from './deliveries/serve-deliveries.ts';
import { EditionWatch } from './editions/edition-watch.ts';
import { watchTables } from './editions/watch-tables.ts';
import { notifyReady } from './monitoring/notify-ready.ts';
import { startOperation } from './monitoring/operation.ts';
import type { RunningServer } from './monitoring/running-server.ts';
import { openStored } from './open-stored.ts';
import {
  addressesText,
  configText,
  errorDetails,
  hasWebhooks,
  logFormatOf,
  openTls,
  ownKeyOf,
  requireAcceptedTokens,
  requireFiles,
  requireOwnPorts,
  requireService,
  serverUrlOf,
  threadCount,
} from './serve-settings.ts';
import { acceptedTokens, type ServedOrders, serveOrders } from './threads/serve-orders.ts';
import {
  givesTokens,
  type ServeThreadData,
  type ThreadUpdate,
} from './threads/serve-thread-data.ts';
import { startServerThreads, type ThreadEvents } from './threads/start-server-threads.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Serve the directory and order responses over HTTP',
  examples: [
    'serve',
    'serve --data /srv/gazetteer --port 8080 --base-url https://directory.example.org',
  ],
  settings: Object.keys(SETTINGS).filter(isSettingPath),
  options: [
    {
      syntax: '--print-config',
      help: 'Print the effective settings and the source of each, then exit',
    },
  ],
  needsFiles: ({ printConfig }) => printConfig !== true,
  run: serve,
};

async function serve(context: CommandContext): Promise<void> {
  const { config, options, streams } = context;
  requireService(config);
  requireOwnPorts(config);
  requireAcceptedTokens(config);
  if (options.printConfig === true) {
    streams.output.write(configText(context));
    return;
  }
  try {
    await runServer(context);
  } catch (error) {
    throw loggedError(causeOf(error), context);
  }
}

/** The error as a line of the log, unless a person reads it, or a setting is not valid. */
function loggedError(error: unknown, { config, streams }: CommandContext): unknown {
  const { output, errors } = streams;
  const isMistake = error instanceof ConfigError || error instanceof UsageError;
  if (isMistake || errors.isTTY || logFormatOf(config, output.isTTY) === 'text') return error;
  return new FatalError(problemLine('GZ140', errorDetails(error)));
}

async function runServer(context: CommandContext): Promise<void> {
  const { config, streams, stopped } = context;
  await requireFiles(config);
  const level = config['log.level'];
  const format = logFormatOf(config, streams.output.isTTY);
  const lostLines = createLossMemory();
  const log = createLog({ level, format, isBuffered: false, losses: lostLines });
  log.info({ version: SOFTWARE.version, runtime: process.version, data: config.data }, 'starting');
  const closing = new AsyncDisposableStack();
  try {
    await startServer(context, { log, logFormat: format, lostLines }, closing);
    if (!stopped.aborted) await once(stopped, 'abort');
    log.info({ signal: stopped.reason }, 'stopping: requests in flight are answered');
    await closing.disposeAsync();
    log.info({}, 'stopped');
  } finally {
    await closing.disposeAsync();
    log.flush();
  }
}

interface Logging extends Pick<ServeThreadData, 'logFormat' | 'lostLines'> {
  readonly log: Log;
}

/** Resolves when the server listens. */
async function startServer(
  context: CommandContext,
  { log, logFormat, lostLines }: Logging,
  closing: AsyncDisposableStack,
): Promise<void> {
  const { config, stopped, onReload } = context;
  const certificate = await openTls(config, log);
  const collector = collectorOf(config);
  const { tracing, close } = await openTracing(collector, logExportProblems(log, collector));
  closing.defer(close);
  const { folder, store, lock, reader, problems } = await openStored(config, log, closing);
  const { port, release } = await reservePort(config.host, config.port);
  closing.defer(release);
  const serverUrl = serverUrlOf(config, port, log);
  const tokenKey = config['auth.ownKeyFile'] ?? folder.tokenKey;
  const ownKey = ownKeyOf(config, tokenKey);
  const count = threadCount(config, log);
  const counters = createCounterMemory(count);
  const gate = createGateMemory(sectionOf(config, 'limits'), count, randomInt(2 ** 31));
  const fetchFolder = folder.fetch;
  const running: RunningServer = {
    config,
    counters,
    gate,
    lostLines,
    reader,
    problems,
    fetchFolder,
    stopped,
    replacedThreads: 0,
  };
  // All threads start side by side, because each of them loads its modules.
  const key = ownKey === undefined ? {} : { key: tokenKey };
  const how = { claim: lock.claim, isTimed: collector !== undefined, key };
  const orders = startOrders(config, store, how, log, closing);
  closing.defer(watchDescriptors(log, config['limits.connections']));
  const operationUrl = await startOperation(running, context.origins, log, closing);
  if (collector !== undefined) log.info({ endpoint: collector.endpoint }, 'sending telemetry');
  const tokenKeyFile = givesTokens(config) ? tokenKey : undefined;
  if (tokenKeyFile !== undefined) log.report('GZ403', {});
  const shared = { counters, gate, lostLines, ownKey, tokenKeyFile, collector };
  const threadData = { config, fetchFolder, logFormat, serverUrl, ...shared };
  const events = threadEvents(running);
  const threads = startServerThreads({ data: threadData, count, port, log, ...events });
  closing.defer(threads.stop);
  shareTokenKeys(store, ownKey, threads, closing);
  certificate?.use(threads);
  onReload(() => reload(threads, certificate, log));
  if (config['directory.enabled']) {
    running.watch = createWatch(running, threads, log);
    closing.defer(() => running.watch?.stop());
    closing.defer(await watchTables(store, running.watch, log));
  }
  const watching = running.watch?.start();
  // If one of them fails, the other can be closed when its start has ended.
  await Promise.allSettled([orders, watching]);
  connectOrders(running, await orders, { threads, store, serverUrl, log, closing });
  await watching;
  await threads.listen();
  release();
  log.info({ host: config.host, port, threads: count, url: serverUrl }, 'listening');
  await notifyReady(context.environment, log);
  await startPlannedWork(context, running, { store, serverUrl, log, tracing, closing });
  if (logFormat === 'text') {
    log.print(await addressesText(config, serverUrl, operationUrl));
  }
}

interface PlannedWork {
  readonly store: ServerStore;
  readonly serverUrl: string;
  readonly log: Log;
  readonly tracing: Tracing;
  readonly closing: AsyncDisposableStack;
}

/** Starts what a server does by itself: it announces editions, and fetches them. */
async function startPlannedWork(
  context: CommandContext,
  running: RunningServer,
  { store, serverUrl, log, tracing, closing }: PlannedWork,
): Promise<void> {
  const { config, reader, fetchFolder } = running;
  if (hasWebhooks(config)) {
    const { serveWebhooks } = await import('./deliveries/serve-webhooks.ts');
    const webhooks = serveWebhooks(running, store, serverUrl, log);
    closing.defer(() => webhooks.stop());
    running.webhooks = webhooks;
  }
  if (config['directory.source'] !== undefined) {
    const { serveFetches } = await import('./serve-fetches.ts');
    const fetching = { folder: fetchFolder, store: reader, shared: store.fetches, log, tracing };
    const fetches = serveFetches({ ...context, ...fetching });
    if (fetches !== undefined) closing.defer(fetches.stop);
  }
}

/** Resolves when order responses are served; with undefined if the settings switch them off. */
function startOrders(
  config: Config,
  store: ServerStore,
  { key, ...how }: Pick<OrdersThreadOptions, 'claim' | 'isTimed'> & { readonly key: object },
  log: Log,
  closing: AsyncDisposableStack,
): Promise<ServedOrders | undefined> {
  const { baseUrl, 'orders.retentionDays': retentionDays } = config;
  const start = async (): Promise<ServedOrders | undefined> => {
    if (!config['orders.enabled']) return undefined;
    const served = await serveOrders(store, { ...how, baseUrl, retentionDays }, log);
    log.info({ tokens: acceptedTokens(config), ...key }, 'serving order responses');
    return served;
  };
  const orders = start();
  // A failure of the start has nothing to stop, and the caller of this function reports it.
  const stop = orders.then(
    (served) => served?.stop,
    () => undefined,
  );
  closing.defer(async () => (await stop)?.());
  return orders;
}

/** The servers of a database share the keys of own tokens. */
function shareTokenKeys(
  { tokenKeys }: ServerStore,
  ownKey: OwnPublicKey | undefined,
  threads: Threads<ThreadUpdate>,
  closing: AsyncDisposableStack,
): void {
  if (ownKey === undefined || tokenKeys === undefined) return;
  closing.defer(tokenKeys.watch(ownKey, (keys) => threads.update({ kind: 'token-keys', keys })));
}

function reload(
  threads: Threads<ThreadUpdate>,
  certificate: Awaited<ReturnType<typeof openTls>>,
  log: Log,
): void {
  threads.reload();
  log.info({}, 'reloading keys and secrets');
  certificate?.reload(threads);
}

/** The actions of the main thread for its server threads. */
function threadEvents(running: RunningServer): ThreadEvents {
  return {
    onEditionWanted: (edition) => running.watch?.want(edition),
    onFileWanted: (wanted) => running.watch?.wantFile(wanted),
    onDeath: (thread) => {
      running.replacedThreads += 1;
      forgetThread(running.counters, thread);
      forgetConnections(running.gate, thread);
    },
  };
}

function createWatch(
  running: RunningServer,
  threads: Threads<ThreadUpdate>,
  log: Log,
): EditionWatch {
  const { config, reader, problems } = running;
  const hasDatabase = config['database.url'] !== undefined;
  return new EditionWatch({
    store: reader,
    settings: sectionOf(config, 'directory'),
    threads,
    data: config.data,
    filesFolder: dataFolderAt(config.data).tables,
    ...(hasDatabase && { database: { isAway: () => problems.current !== undefined } }),
    log,
    onServed: () => running.webhooks?.look(),
  });
}
