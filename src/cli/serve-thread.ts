/** What a server thread runs: its services, a listener, and the editions it is told of. */
import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { type Config, sectionOf } from '../config/settings.ts';
import type { NamedArrays } from '../directory/arrays.ts';
import type { EditionIdentity } from '../directory/edition.ts';
import { createLoadedEditions } from '../directory/loaded-editions.ts';
import { createDirectoryService } from '../directory/service.ts';
import { createHandle } from '../fhir/handle.ts';
import { createListener } from '../server/http-listener.ts';
import { createLog, describeError, requestLine } from '../server/log.ts';
import type { FromThread, ToThread } from '../server/threads.ts';
import { SOFTWARE } from '../version.ts';

/** What a thread is started with. */
export interface ServeThreadData {
  readonly config: Config;
  /** The public address, without a slash at the end. */
  readonly serverUrl: string;
}

/** A newly published edition, its arrays in shared memory; from now on the newest. */
export interface EditionUpdate {
  readonly identity: EditionIdentity;
  readonly arrays: NamedArrays;
}

const { config, serverUrl, number }: ServeThreadData & { number: number } = workerData;
const main = parentPort;
if (main === null) throw new Error('serve-thread.ts is run by serve.ts as a thread');

const directorySettings = sectionOf(config, 'directory');
const log = createLog(config['log.level'], true);
const editions = createLoadedEditions(directorySettings);
const handle = createHandle({
  services: [createDirectoryService(directorySettings, serverUrl, editions)],
  software: SOFTWARE,
  onFault: (error, { id }) =>
    log.error({ err: describeError(error), requestId: id }, 'a request ended in a fault'),
});
const withValues = config['log.parameters'];
const { server, stop } = createListener({
  handle,
  idPrefix: `${randomBytes(6).toString('hex')}-${number}-`,
  ...(config['log.requests']
    ? {
        onAnswer: (request, status, durationMs) =>
          log.info(requestLine(request, status, durationMs, withValues), 'request'),
      }
    : {}),
});

server.on('error', ({ message }) => tell({ kind: 'failed', message }));

main.on('message', (message: ToThread<EditionUpdate>) => {
  switch (message.kind) {
    case 'update':
      editions.add(message.update.identity, message.update.arrays);
      break;
    case 'listen':
      server.listen({ ...message.listen }, () => tell({ kind: 'listening' }));
      break;
    case 'stop':
      stop();
      server.close(() => {
        log.flush();
        main.close();
      });
      server.closeIdleConnections();
      break;
  }
});

function tell(message: FromThread): void {
  main?.postMessage(message);
}
