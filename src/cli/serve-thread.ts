/** What a server thread runs: its services, a listener, and the editions it is told of. */
import { randomBytes } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { type Config, sectionOf } from '../config/settings.ts';
import { createLoadedEditions } from '../directory/loaded-editions.ts';
import { createDirectoryService } from '../directory/service.ts';
import { createHandle } from '../fhir/handle.ts';
import { createClientAddressOf } from '../server/client-address.ts';
import { collectGarbage } from '../server/collect-garbage.ts';
import { openThreadCounters } from '../server/counters.ts';
import { createGate } from '../server/gate.ts';
import { createListener, type ListenerLimits } from '../server/http-listener.ts';
import { createLog, describeError, requestLine } from '../server/log.ts';
import { LOOK_EVERY_MS, watchLoopDelay } from '../server/loop-delay.ts';
import type { FromThread, ToThread } from '../server/threads.ts';
import { SOFTWARE } from '../version.ts';
import { type EditionUpdate, gateLimits, type ServeThreadData } from './serve-thread-data.ts';

const { config, serverUrl, number, ...shared }: ServeThreadData & { number: number } = workerData;
const main = parentPort;
if (main === null) throw new Error('serve-thread.ts is run by serve.ts as a thread');

const log = createLog(config['log.level'], true);
const onFault = (error: unknown, requestId: string) =>
  log.error({ err: describeError(error), requestId }, 'a request ended in a fault');

const directorySettings = sectionOf(config, 'directory');
const editions = createLoadedEditions(directorySettings, {
  surroundings: `${serverUrl} ${SOFTWARE.version}`,
  onDrop: () => setImmediate(collectGarbage),
});
const handle = createHandle({
  services: [createDirectoryService(directorySettings, serverUrl, editions)],
  software: SOFTWARE,
  onFault: (error, { id }) => onFault(error, id),
});

/** A thread shows once a second that it is alive. */
const LOOKS_PER_BEAT = 1000 / LOOK_EVERY_MS;

const counters = openThreadCounters(shared.counters, number);
let looks = 0;
const delay = watchLoopDelay((delayMs) => {
  counters.countDelay(delayMs);
  if (looks++ % LOOKS_PER_BEAT === 0) counters.beat(memoryOfThread());
});

const isLogging = config['log.requests'];
const withValues = config['log.parameters'];
const { server, secure, stop } = createListener({
  handle,
  idPrefix: `${randomBytes(6).toString('hex')}-${number}-`,
  limits: listenerLimits(config),
  gate: createGate({
    limits: gateLimits(config),
    memory: shared.gate,
    thread: number,
    delay,
    onRefusal: counters.countRefusal,
  }),
  clientAddressOf: createClientAddressOf(config.proxies ?? []),
  isSecure: config['tls.certificate'] !== undefined,
  onAnswer: (request, response, durationMs, clientOf) => {
    counters.countRequest(response, durationMs);
    if (!isLogging) return;
    log.info(requestLine(request, response.status, durationMs, clientOf(), withValues), 'request');
  },
  onClientError: (status) => counters.countRequest({ status }),
  onFault,
});

server.on('error', ({ message }) => tell({ kind: 'failed', message }));

main.on('message', (message: ToThread<EditionUpdate>) => {
  switch (message.kind) {
    case 'update':
      editions.add(message.update.identity, message.update.arrays);
      counters.beat({ edition: message.update.identity.number });
      break;
    case 'secure':
      secure(message.certificate);
      break;
    case 'listen':
      server.listen({ ...message.listen }, () => {
        counters.beat({ isListening: true });
        tell({ kind: 'listening' });
      });
      break;
    case 'stop':
      server.once('close', () => {
        log.flush();
        main.close();
      });
      stop();
      counters.beat({ isListening: false });
      break;
  }
});

function tell(message: FromThread): void {
  main?.postMessage(message);
}

function listenerLimits(config: Config): ListenerLimits {
  return {
    headerBytesMax: config['limits.headerBytes'],
    bodyBytesMax: config['limits.bodyBytes'],
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
