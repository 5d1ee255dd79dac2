/** The services of a server thread in this process: editions that can be renewed, and clients that leave. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type DescribedServices, describedServices } from '../../../scripts/described-services.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { SOFTWARE } from '../../../src/config/version.ts';
import { type Edition, openEdition } from '../../../src/directory/edition/edition.ts';
import { versionIdOf } from '../../../src/directory/edition/kept-changes.ts';
import { createHandle } from '../../../src/fhir/handle.ts';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import { createLongAnswers } from '../../../src/interfaces/answer/long-answers.ts';
import { withKeptRows } from '../../../src/interfaces/answer/result-cache.ts';
import { createListener } from '../../../src/server/http-listener.ts';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import {
  openEditionHistory,
  openEditionStore,
} from '../../../src/storage/sqlite/editions/edition-store.ts';
import { createMemoryRepository } from '../../../test/storage/memory-repository.ts';
import type { AskedRequest, CaseFacts } from './case.ts';
import type { AskedAnswer, ToClient } from './client.ts';
import { mostRelatedRow, plainSearches } from './edition-facts.ts';
import { ORDER_BODY } from './order-cases.ts';

export interface BenchedServer {
  readonly described: DescribedServices;
  readonly facts: CaseFacts;
  /** Asks one after the other. Resolves with the last answer when its last byte is read. */
  ask(...asked: readonly AskedRequest[]): Promise<AskedAnswer>;
  /** The client ends its connection. */
  leave(): void;
  /** Searches that differ, each with a page of matches. */
  readonly searches: readonly AskedRequest[];
  /** Opens the edition again, so that nothing that was made of it is kept. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** The order responses that searches and feeds find. */
const ORDERS = 500;

export async function openServer(folder: string, tableFile: string): Promise<BenchedServer> {
  const data = openDataFolder(folder, { mustExist: true });
  const store = openEditionStore(data);
  const number = (await store.current())?.number;
  if (number === undefined) throw new Error(`${folder} has no edition`);
  const arrays = await store.load(number);
  const open = () =>
    withKeptRows(openEdition({ number, publishedAt: new Date(0).toISOString() }, arrays));
  let edition = open();
  const config = loadConfig({ flags: {}, environment: {} });
  const longAnswers = createLongAnswers({
    places: {
      inAll: config['limits.longAnswers'],
      ofKind: config['limits.longAnswersOfKind'],
      ofClient: config['limits.longAnswersPerClient'],
    },
    waitMs: config['limits.longAnswerWaitMs'],
    keptBytesMax: config['limits.keptAnswerBytes'],
  });
  const history = openEditionHistory(data);
  const described = describedServices({
    editions: {
      current: () => edition,
      byNumber: (wanted) => (wanted === number ? edition : undefined),
      longAnswers,
    },
    editionFiles: { pathOf: () => tableFile, forget: () => {} },
    history,
    store: createMemoryRepository(),
    authorize: () => ({ subject: 'bench' }),
  });
  const { ask, leave, end } = await startAsking(described);
  const facts = await factsOf(edition, ask);
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
      await store.close();
    },
  };
}

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
  return {
    ask: async (...asked: readonly AskedRequest[]): Promise<AskedAnswer> => {
      send({ kind: 'ask', port, asked });
      const [answer] = await once(client, 'message');
      return answer;
    },
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

async function factsOf(edition: Edition, ask: BenchedServer['ask']): Promise<CaseFacts> {
  const row = mostRelatedRow(edition);
  const headers = { 'content-type': 'application/json+fhir' };
  const create = { method: 'POST', path: '/OrderResponse', headers, body: ORDER_BODY };
  let created = await ask(create);
  for (let count = 1; count < ORDERS; count++) created = await ask(create);
  return {
    code: edition.links.codeOf(row),
    version: versionIdOf(edition.changedIn(row)),
    affiliation: String(edition.links.at(0).uniqueId ?? 'ordinal-0'),
    order: /OrderResponse\/([^/]+)/.exec(created.location ?? '')?.[1] ?? '',
  };
}
