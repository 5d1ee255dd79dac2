/** The program of a server thread: its services, a listener, and the messages of the main thread. */
import { randomBytes } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { sectionOf } from '../../../config/section.ts';
import type { Config } from '../../../config/settings.ts';
import { SOFTWARE } from '../../../config/version.ts';
import { createHandle } from '../../../fhir/handle.ts';
import { createServiceNameOf } from '../../../fhir/service/locate.ts';
import { createLoadedEditions } from '../../../interfaces/answer/editions.ts';
import { createLongAnswers } from '../../../interfaces/answer/long-answers.ts';
import { collectDropped } from '../../../server/collect-dropped.ts';
import { compileNextTick } from '../../../server/compile-next-tick.ts';
import { createListener, type ListenerLimits } from '../../../server/http-listener.ts';
import { createGate, MEASURE_EVERY_MS, watchLoopDelay } from '../../../server/limits/gate.ts';
import { openThreadCounters, readCounters } from '../../../server/monitoring/counters.ts';
import {
  createLog,
  describeFault,
  knownWordsOf,
  requestLine,
} from '../../../server/monitoring/log.ts';
import { createClientAddressOf, createPeerOf } from '../../../server/request-parts.ts';
import type { FromThread, ToThread } from '../../../server/threads.ts';
import { createRepositoryClient } from '../../../storage/threads/repository-client.ts';
import { createFaultReport } from '../../../storage/threads/serve-ports.ts';
import {
  answerInTrace,
  tracePlainService,
  traceService,
} from '../../../telemetry/request-tracing.ts';
import { keepBufferPoolSmall } from '../../../threads/buffer-pool.ts';
import { logExportProblems, openTracing } from '../../parts/telemetry.ts';
import { createEditionFiles } from './files-maker.ts';
import { createOnFault, createServices, followCalls, tracePages } from './serve-services.ts';
import type { ServeThreadData, ThreadUpdate } from './serve-thread-data.ts';
import { SERVICE_NAMES } from './service-names.ts';

const { number, ...data }: ServeThreadData & { number: number } = workerData;
const { config } = data;
const main = parentPort;
if (main === null) throw new Error('serve-thread.ts is run by serve.ts as a thread');
compileNextTick();
keepBufferPoolSmall();

const log = createLog({
  level: config['log.level'],
  format: data.logFormat,
  isBuffered: true,
  losses: data.lostLines,
});
const { tracing, close: closeTracing } = await openTracing(
  data.collector,
  logExportProblems(log, data.collector),
);
const reportFault = (error: unknown, requestId: string, withMessage: boolean) =>
  log.report('GZ120', {
    err: describeFault(error, withMessage),
    requestId,
    traceId: tracing.current?.traceId,
  });

/** Another server of the database can serve a new edition a little earlier than this one. */
const EDITION_WAIT_MS = 5_000;

const editions = createLoadedEditions({
  waitMs: config['database.url'] === undefined ? 0 : EDITION_WAIT_MS,
  onWanted: (wanted) => post({ kind: 'edition-wanted', number: wanted }),
  // The main thread collects first, when the edition is replaced.
  onDrop: ({ rows }) => collectDropped(new WeakRef(rows.values.buffer), 1 + number),
  longAnswers: createLongAnswers({
    places: {
      inAll: config['limits.longAnswers'],
      ofKind: config['limits.longAnswersOfKind'],
      ofClient: config['limits.longAnswersPerClient'],
    },
    waitMs: config['limits.longAnswerWaitMs'],
    keptBytesMax: config['limits.keptAnswerBytes'] / readCounters(data.counters).threads.length,
  }),
});
const orders = createRepositoryClient(
  undefined,
  followCalls(tracing),
  createFaultReport(({ message }) => log.report('GZ305', { problem: message })),
);
const editionFiles = createEditionFiles((wanted) => post({ kind: 'file-wanted', ...wanted }));
const created = createServices(data, { editions, editionFiles, orders }, { log, tracing });
const { authenticator, openPages } = created;
const services = created.services.map((service) => traceService(service, tracing));
const plainServices = created.plainServices.map((service) => tracePlainService(service, tracing));
const serviceNameOf = createServiceNameOf(services, plainServices);
const onFault = createOnFault(serviceNameOf, reportFault);
/** A thread reports once a second that it is alive. */
const LOOKS_PER_BEAT = 1000 / MEASURE_EVERY_MS;

const counters = openThreadCounters(data.counters, number);
let looks = 0;
const delay = watchLoopDelay((delayMs) => {
  counters.countDelay(delayMs);
  if (looks % LOOKS_PER_BEAT === 0) counters.beat(memoryOfThread());
  looks += 1;
});

const pages = await openPages((error, requestId) => reportFault(error, requestId, true));
const handle = createHandle({
  services,
  plainServices,
  software: SOFTWARE,
  onFault,
  otherPaths: created.pagePaths,
  answerPages: pages?.answerPages,
});
const isLogging = config['log.requests'];
const logging = {
  words: new Set([...knownWordsOf(services, plainServices), ...(pages?.words ?? [])]),
  withValues: config['log.parameters'],
};
const { server, secure, stop } = createListener({
  handle,
  pages: pages && tracePages(pages, tracing),
  trace: answerInTrace(tracing),
  idPrefix: `${randomBytes(6).toString('hex')}-${number}-`,
  limits: listenerLimits(config),
  gate: createGate({
    limits: sectionOf(config, 'limits'),
    memory: data.gate,
    thread: number,
    peerOf: createPeerOf(config.proxies ?? []),
    isFree: pages?.isAsset,
    delay,
    onRefusal: counters.countRefusal,
  }),
  clientAddressOf: createClientAddressOf(config.proxies ?? []),
  isSecure: config['tls.certificate'] !== undefined,
  onAnswer: (request, response, durationMs, clientOf) => {
    const { status, interaction } = response;
    const isOfPages = interaction === 'page' || interaction === 'asset';
    if (!isOfPages) counters.countService(SERVICE_NAMES.indexOf(serviceNameOf(request) ?? ''));
    counters.countRequest(response, durationMs - (response.waitedMs ?? 0));
    if (!isLogging) return;
    const hasTrace = request.headers.traceparent !== undefined || tracing.recorder !== undefined;
    const traceId = hasTrace ? tracing.current?.traceId : undefined;
    // The query of a page can say what a person looks for.
    const logged = isOfPages ? { ...request, query: '' } : request;
    const facts = { status, durationMs, client: clientOf(), traceId };
    log.info(requestLine(logged, facts, logging), 'request');
  },
  onClientError: (status) => counters.countRequest({ status }),
  onFault,
});

server.on('error', ({ message, code }: NodeJS.ErrnoException) =>
  post({ kind: 'failed', message, code }),
);

main.on('message', (message: ToThread<ThreadUpdate>) => {
  switch (message.kind) {
    case 'update':
      take(message.update);
      break;
    case 'reload':
      authenticator?.reload();
      break;
    case 'secure':
      secure(message.certificate);
      break;
    case 'listen':
      server.listen({ ...message.listen }, () => {
        delay.restart();
        counters.beat({ isListening: true });
        post({ kind: 'listening' });
      });
      break;
    case 'stop':
      server.once('close', () => {
        orders.close();
        pages?.close();
        log.flush();
        // Sends the spans of the last requests before the thread ends.
        void closeTracing().then(() => main.close());
      });
      stop();
      counters.beat({ isListening: false });
      break;
  }
});

post({ kind: 'ready' });

function take(update: ThreadUpdate): void {
  switch (update.kind) {
    case 'editions': {
      const before = editions.current();
      editions.take(update);
      const current = editions.current();
      if (current === undefined || current === before) break;
      pages?.prepare();
      counters.beat({ edition: current.number });
      break;
    }
    case 'edition-problem':
      editions.reportProblem(update.problem);
      break;
    case 'edition-unknown':
      editions.reportUnknown(update.number);
      break;
    case 'token-keys':
      authenticator?.useOwnKeys(update.keys);
      break;
    case 'file':
      editionFiles.take(update);
      break;
    case 'orders':
      orders.reconnect(update.connection);
      break;
  }
}

function post(message: FromThread): void {
  main?.postMessage(message);
}

function listenerLimits(config: Config): ListenerLimits {
  return {
    headerBytesMax: config['limits.headerBytes'],
    bodyBytesMax: config['limits.bodyBytes'],
    formBytesMax: config['limits.formBytes'],
    headersTimeoutMs: config['limits.headersSeconds'] * 1000,
    requestTimeoutMs: config['limits.requestSeconds'] * 1000,
    idleTimeoutMs: config['limits.idleSeconds'] * 1000,
  };
}

function memoryOfThread() {
  const { used_heap_size, total_heap_size, external_memory } = getHeapStatistics();
  return {
    heapUsedBytes: used_heap_size,
    heapTotalBytes: total_heap_size,
    externalBytes: external_memory,
  };
}
