/** What a server thread runs: its services, a listener, and the editions it is told of. */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { type Authenticator, createAuthenticator } from '../auth/authenticator.ts';
import { createAuthorize } from '../auth/create-authorize.ts';
import { type Config, sectionOf } from '../config/settings.ts';
import { DIRECTORY_FACES } from '../directory/faces.ts';
import { createLoadedEditions } from '../directory/loaded-editions.ts';
import { type ServedFace, serveFace } from '../directory/served-face.ts';
import { createDirectoryService } from '../directory/service.ts';
import { createHandle } from '../fhir/handle.ts';
import type { Authorize, Service } from '../fhir/interaction.ts';
import { createOrderService } from '../order-response/service.ts';
import { createClientAddressOf, createPeerOf, networkOf } from '../server/client-address.ts';
import { collectDropped } from '../server/collect-garbage.ts';
import { openThreadCounters } from '../server/counters.ts';
import { createGate } from '../server/gate.ts';
import { createListener, type ListenerLimits } from '../server/http-listener.ts';
import { createLog, describeFault, knownWordsOf, requestLine } from '../server/log.ts';
import { MEASURE_EVERY_MS, watchLoopDelay } from '../server/loop-delay.ts';
import type { FromThread, ToThread } from '../server/threads.ts';
import { openStore } from '../storage/open.ts';
import { createRepositoryClient } from '../storage/repository-client.ts';
import { SOFTWARE } from '../version.ts';
import { PAGE_WORDS } from '../web/addresses.ts';
import { createWeb, type Web } from '../web/web.ts';
import { gateLimits, type ServeThreadData, type ThreadUpdate } from './serve-thread-data.ts';

const {
  config,
  storeUrl,
  serverUrl,
  ownKey,
  number,
  ...shared
}: ServeThreadData & { number: number } = workerData;
const main = parentPort;
if (main === null) throw new Error('serve-thread.ts is run by serve.ts as a thread');

const log = createLog(config['log.level'], true, shared.logFormat);
const onFault = (error: unknown, requestId: string) =>
  log.error({ err: describeFault(error), requestId }, 'a request ended in a fault');

const editions = createLoadedEditions({
  // After the main thread, which begins when the edition has been replaced.
  onWanted: (wanted) => tell({ kind: 'edition-wanted', number: wanted }),
  onDrop: ({ rows }) => collectDropped(new WeakRef(rows.values.buffer), 1 + number),
});
const faces = DIRECTORY_FACES.map((face) =>
  serveFace(face, {
    settings: sectionOf(config, 'directory'),
    serverUrl,
    programVersion: SOFTWARE.version,
  }),
);
const orders = createRepositoryClient();
const authenticator = createAuthenticatorOf();
const services = [
  ...(config['directory.enabled'] ? faces.map(directoryService) : []),
  ...(config['orders.enabled'] ? [orderService()] : []),
];
const handle = createHandle({
  services,
  software: SOFTWARE,
  onFault: (error, { id }) => onFault(error, id),
});

function createAuthenticatorOf(): Authenticator | undefined {
  if (!config['orders.enabled'] && !config['directory.authenticate']) return undefined;
  return createAuthenticator(sectionOf(config, 'auth'), {
    audienceDefault: serverUrl,
    ownKey,
    onProblem: (problem) => log.warn({ problem }, 'tokens'),
  });
}

function directoryService(face: ServedFace): Service {
  const service = createDirectoryService(face, editions);
  if (!config['directory.authenticate']) return service;
  // Who may read organisations may read the codes that describe them.
  const authorizeReader = authorize();
  return {
    ...service,
    authorize: (header, _need, address) =>
      authorizeReader(header, { type: 'Organization', action: 'read' }, address),
  };
}

function orderService(): Service {
  return createOrderService({
    settings: sectionOf(config, 'orders'),
    serverUrl,
    store: orders,
    authorize: authorize(),
    newId: () => randomUUIDv7(),
  });
}

/** Pages show the directory to everyone, and so there are none where it asks for a token. */
async function createPages(): Promise<Web | undefined> {
  const [face] = faces;
  if (
    !config['pages.enabled'] ||
    !config['directory.enabled'] ||
    config['directory.authenticate'] ||
    face === undefined
  ) {
    return undefined;
  }
  return createWeb({
    settings: sectionOf(config, 'pages'),
    face,
    editions,
    history: openStore(storeUrl).openEditionHistory(),
    hasOrders: config['orders.enabled'],
    onFault,
    onAnswer: ({ method, path, interaction, status, durationMs, requestId: id, addressOf }) => {
      counters.countRequest({ status, interaction }, durationMs);
      if (!isLogging) return;
      const request = { method, path, query: '', id };
      log.info(requestLine(request, status, durationMs, addressOf?.(), logging), 'request');
    },
  });
}

function authorize(): Authorize {
  if (authenticator === undefined) throw new Error('there is no way to check tokens');
  const authorizeNetwork = createAuthorize(authenticator);
  return (header, need, address) => authorizeNetwork(header, need, networkOf(address));
}

/** A thread shows once a second that it is alive. */
const LOOKS_PER_BEAT = 1000 / MEASURE_EVERY_MS;

const counters = openThreadCounters(shared.counters, number);
let looks = 0;
const delay = watchLoopDelay((delayMs) => {
  counters.countDelay(delayMs);
  if (looks++ % LOOKS_PER_BEAT === 0) counters.beat(memoryOfThread());
});

const isLogging = config['log.requests'];
const logging = {
  words: new Set([...knownWordsOf(services), ...PAGE_WORDS]),
  withValues: config['log.parameters'],
};
const pages = await createPages();
const { server, secure, stop } = createListener({
  handle,
  pages,
  idPrefix: `${randomBytes(6).toString('hex')}-${number}-`,
  limits: listenerLimits(config),
  gate: createGate({
    limits: gateLimits(config),
    memory: shared.gate,
    thread: number,
    peerOf: createPeerOf(config.proxies ?? []),
    delay,
    onRefusal: counters.countRefusal,
  }),
  clientAddressOf: createClientAddressOf(config.proxies ?? []),
  isSecure: config['tls.certificate'] !== undefined,
  onAnswer: (request, response, durationMs, clientOf) => {
    counters.countRequest(response, durationMs);
    if (!isLogging) return;
    log.info(requestLine(request, response.status, durationMs, clientOf(), logging), 'request');
  },
  onClientError: (status) => counters.countRequest({ status }),
  onFault,
});

server.on('error', ({ message }) => tell({ kind: 'failed', message }));

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
        counters.beat({ isListening: true });
        tell({ kind: 'listening' });
      });
      break;
    case 'stop':
      server.once('close', () => {
        orders.close();
        void pages?.close();
        log.flush();
        main.close();
      });
      stop();
      counters.beat({ isListening: false });
      break;
  }
});

tell({ kind: 'ready' });

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
    case 'orders':
      orders.reconnect(update.connection);
      break;
  }
}

function tell(message: FromThread): void {
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
