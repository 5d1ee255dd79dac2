/** The services of a server thread in this process: editions that can be renewed, and clients that leave. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DescribedServices, describedServices } from '../../../scripts/described-services.ts';
import { openConfiguredServerStore } from '../../../src/cli/parts/open-store.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { SOFTWARE } from '../../../src/config/version.ts';
import { buildPlaces, openEdition } from '../../../src/directory/edition/edition.ts';
import { openPostcodes } from '../../../src/directory/places/stored-postcodes.ts';
import { openPractitioners } from '../../../src/directory/practitioners/stored-practitioners.ts';
import { createHandle } from '../../../src/fhir/handle.ts';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import { createLongAnswers } from '../../../src/interfaces/answer/long-answers.ts';
import { withKeptRows } from '../../../src/interfaces/answer/result-cache.ts';
import { makeEditionFile } from '../../../src/interfaces/files/edition-files.ts';
import type { FileForm, FileOrder } from '../../../src/interfaces/files/file-order.ts';
import { AllowedHosts } from '../../../src/orders/subscriptions/allowed-hosts.ts';
import { createListener } from '../../../src/server/http-listener.ts';
import { createMemoryRepository } from '../../../test/storage/memory-repository.ts';
import type { Ask, AskedRequest, CaseFacts } from './case.ts';
import type { ToClient } from './client.ts';
import { editionFacts, plainSearches } from './edition-facts.ts';
import { RECEIVER } from './order-bodies.ts';
import { storeResources } from './stored-facts.ts';

export interface BenchedServer {
  readonly described: DescribedServices;
  readonly facts: CaseFacts;
  readonly ask: Ask;
  /** The client ends its connection. */
  leave(): void;
  /** Searches that differ, each with a page of matches. */
  readonly searches: readonly AskedRequest[];
  /** Opens the edition again, so that nothing that was made of it is kept. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** The folder has an edition, postcodes and practitioners. */
export async function openServer(folder: string): Promise<BenchedServer> {
  const config = loadConfig({ flags: { data: folder }, environment: {} });
  const stores = await openConfiguredServerStore(config);
  const editions = await stores.openEditions({ mustExist: true });
  const number = (await editions.current())?.number;
  const [storedPostcodes, storedPractitioners] = [
    await stores.postcodes.read(),
    await stores.practitioners.read(),
  ];
  if (number === undefined || storedPostcodes === undefined || storedPractitioners === undefined) {
    throw new Error(`${folder} lacks an edition, postcodes or practitioners`);
  }
  const [postcodes, practitioners] = [
    openPostcodes(storedPostcodes),
    openPractitioners(storedPractitioners),
  ];
  const loaded = await editions.load(number);
  // As the main thread of a server makes them for its threads.
  const arrays = { ...loaded, ...buildPlaces(loaded, postcodes) };
  const identity = { number, publishedAt: new Date(0).toISOString() };
  const open = () => withKeptRows(openEdition(identity, arrays, postcodes, practitioners));
  let edition = open();
  const longAnswers = createLongAnswers({
    places: {
      inAll: config['limits.longAnswers'],
      ofKind: config['limits.longAnswersOfKind'],
      ofClient: config['limits.longAnswersPerClient'],
    },
    waitMs: config['limits.longAnswerWaitMs'],
    keptBytesMax: config['limits.keptAnswerBytes'],
  });
  // A server has these files made once for each edition, by another thread.
  const files = await makeFiles({ identity, arrays, postcodes: storedPostcodes });
  const history = stores.openEditionHistory();
  const repository = createMemoryRepository();
  const sealKey = randomBytes(32);
  const described = describedServices({
    editions: {
      current: () => edition,
      byNumber: (wanted) => (wanted === number ? edition : undefined),
      longAnswers,
    },
    editionFiles: { pathOf: (_, form) => files.pathOf(form), forget: () => {} },
    history,
    store: repository,
    authorize: () => ({ subject: 'bench' }),
    subscriptions: { hosts: new AllowedHosts([RECEIVER]), key: () => sealKey },
  });
  const { ask, leave, end } = await startAsking(described);
  const facts = { ...editionFacts(edition), ...(await storeResources(repository, ask)) };
  return {
    described,
    facts,
    searches: plainSearches(edition),
    ask,
    leave,
    renew: async () => {
      edition = open();
      longAnswers.kept.retain(new Set([edition]));
      // What the first request of an edition opens is no part of the next answer.
      await ask({ method: 'GET', path: '/STU3/Organization', query: '_count=1' });
    },
    close: async () => {
      await end();
      described.web.close();
      await editions.close();
      files.remove();
    },
  };
}

async function makeFiles(edition: Pick<FileOrder, 'identity' | 'arrays' | 'postcodes'>) {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-'));
  const pathOf = (form: FileForm) => join(folder, form);
  const never = new AbortController().signal;
  for (const form of FORMS) {
    const order = { ...edition, form, path: pathOf(form), programVersion: SOFTWARE.version };
    await makeEditionFile(order, never);
  }
  return { pathOf, remove: () => rmSync(folder, { recursive: true }) };
}

const FORMS: readonly FileForm[] = ['sqlite', 'parquet', 'release'];

/** A listener, and a client in another process. */
async function startAsking({ services, plainServices, web }: DescribedServices) {
  const onFault = (error: unknown) => {
    if (!(error instanceof FhirError)) throw error;
  };
  const { server } = createListener({
    handle: createHandle({ services, plainServices, software: SOFTWARE, onFault }),
    pages: web,
    idPrefix: 'bench-',
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = fork(join(import.meta.dirname, 'client.ts'));
  const send = (message: ToClient) => client.send(message);
  const ask: Ask = async (...asked) => {
    send({ kind: 'ask', port, asked });
    const [answer] = await once(client, 'message');
    return answer;
  };
  return {
    ask,
    leave: () => {
      send({ kind: 'leave' });
    },
    end: async () => {
      client.disconnect();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
