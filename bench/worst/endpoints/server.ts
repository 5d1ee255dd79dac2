/** The services of a server thread in this process: editions that can be renewed, and clients that leave. */
import { Readable } from 'node:stream';
import { type DescribedServices, describedServices } from '../../../scripts/described-services.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { SOFTWARE } from '../../../src/config/version.ts';
import { type Edition, openEdition } from '../../../src/directory/edition/edition.ts';
import { versionIdOf } from '../../../src/directory/edition/kept-changes.ts';
import { createHandle } from '../../../src/fhir/handle.ts';
import { FhirError } from '../../../src/fhir/request/fhir-error.ts';
import type { FhirRequest, FhirResponse } from '../../../src/fhir/request/request.ts';
import { createLongAnswers } from '../../../src/interfaces/answer/long-answers.ts';
import { withKeptRows } from '../../../src/interfaces/answer/result-cache.ts';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import {
  openEditionHistory,
  openEditionStore,
} from '../../../src/storage/sqlite/editions/edition-store.ts';
import { createMemoryRepository } from '../../../test/storage/memory-repository.ts';
import type { CaseFacts, EndpointCase } from './cases.ts';
import { ORDER_BODY } from './order-cases.ts';

export interface AskedRequest extends EndpointCase {
  readonly method: string;
  readonly path: string;
}

export interface AskedAnswer {
  readonly status: number;
  readonly bytes: number;
  /** Each name is followed by its value. */
  readonly headers: readonly string[];
}

export interface BenchedServer {
  readonly described: DescribedServices;
  readonly facts: CaseFacts;
  /** Asks at once. */
  ask(asked: AskedRequest): {
    /** Resolves when the last byte is read. */
    readonly whole: Promise<AskedAnswer>;
    leave(): void;
  };
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
    tableFiles: { pathOf: () => tableFile, forget: () => {} },
    history,
    store: createMemoryRepository(),
    authorize: () => ({ subject: 'bench' }),
  });
  const ask = createAsk(described);
  const server = {
    described,
    ask,
    renew: async () => {
      edition = open();
      longAnswers.kept.retain(new Set([edition]));
    },
    close: async () => {
      described.web.close();
      await store.close();
    },
  };
  return { ...server, facts: await factsOf(edition, ask) };
}

function createAsk({ services, plainServices, web }: DescribedServices): BenchedServer['ask'] {
  const onFault = (error: unknown) => {
    if (!(error instanceof FhirError)) throw error;
  };
  const handle = createHandle({ services, plainServices, software: SOFTWARE, onFault });
  const answerTo = async (request: FhirRequest): Promise<FhirResponse> => {
    const answer = await handle(request);
    return answer.isUnhandled ? await web.handle(request) : answer;
  };
  return ({ method, path, query = '', headers = {}, body }) => {
    const left = new AbortController();
    let response: FhirResponse | undefined;
    let source: Readable | undefined;
    const close = () => {
      response?.onClosed?.();
      source?.destroy();
    };
    const read = async () => {
      response = await answerTo({
        method,
        path,
        query,
        headers,
        id: 'bench',
        addressOf: () => '192.0.2.1',
        leftSignal: () => left.signal,
        ...(body !== undefined && { readBody: async () => Buffer.from(body) }),
      });
      const { status, headers: sent, pieces } = response;
      if (left.signal.aborted) {
        close();
        return { status, headers: sent, bytes: 0 };
      }
      let bytes = Buffer.byteLength(response.body ?? '');
      if (pieces !== undefined) {
        source = pieces instanceof Readable ? pieces : Readable.from(pieces);
        for await (const piece of source) bytes += piece.length;
      }
      close();
      return { status, headers: sent, bytes };
    };
    const whole = read();
    return {
      whole,
      leave: () => {
        whole.catch(() => {});
        left.abort(FhirError.of('unavailable', 'The client has left.'));
        close();
      },
    };
  };
}

async function factsOf(edition: Edition, ask: BenchedServer['ask']): Promise<CaseFacts> {
  const { links } = edition;
  let [row, most] = [0, 0];
  for (let at = 0; at < edition.rows.count; at++) {
    const count = links.hasIncoming(at) ? links.incoming(links.codeOf(at)).length : 0;
    if (count > most) [row, most] = [at, count];
  }
  const headers = { 'content-type': 'application/json+fhir' };
  const create = { method: 'POST', path: '/OrderResponse', headers, body: ORDER_BODY };
  let created = await ask(create).whole;
  for (let count = 1; count < ORDERS; count++) created = await ask(create).whole;
  const location = created.headers[created.headers.indexOf('Location') + 1] ?? '';
  return {
    code: links.codeOf(row),
    version: versionIdOf(edition.changedIn(row)),
    affiliation: String(links.at(0).uniqueId ?? 'ordinal-0'),
    order: /OrderResponse\/([^/]+)/.exec(location)?.[1] ?? '',
  };
}
