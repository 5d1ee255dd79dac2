/** The pages and the directory behind one real socket, for tests over HTTP and in a browser. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type EditionHistory, NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import { FhirError } from '../../src/fhir/request/fhir-error.ts';
import type { FhirRequest, FhirResponse } from '../../src/fhir/request/request.ts';
import type { Editions } from '../../src/interfaces/answer/editions.ts';
import type { DirectorySettings } from '../../src/interfaces/answer/settings.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../../src/interfaces/served-faces.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { interfaceOf } from '../../src/web/api/api-page.ts';
import type { PageSettings } from '../../src/web/parts/web-options.ts';
import { createWeb } from '../../src/web/web.ts';
import {
  SETTINGS as DIRECTORY_SETTINGS,
  SOFTWARE,
  servedStu3,
} from '../directory/directory-server.ts';
import { listenOnLoopback } from '../loopback.ts';

export const PAGE_SETTINGS: PageSettings = {
  name: 'Gazetteer',
  logo: undefined,
  mapUrl: 'https://www.openstreetmap.org/search?query={query}',
};

export interface WebServer {
  readonly origin: string;
  readonly faults: readonly unknown[];
  /** The paths of all pages and files. */
  readonly routes: readonly string[];
  /** The route of a path. */
  routeOf(path: string): string | undefined;
  /** What the pages answered, without bodies. */
  readonly answers: readonly AnswerFacts[];
  get(path: string, init?: RequestInit): Promise<WebAnswerText>;
  /** What the pages answer, without a socket. */
  handle(request: FhirRequest): Promise<FhirResponse>;
  close(): Promise<void>;
}

interface AnswerFacts extends Pick<FhirResponse, 'status' | 'interaction'> {
  readonly method: string;
  readonly path: string;
}

export interface WebAnswerText {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface WebServerOptions {
  readonly editions: Editions;
  readonly history?: EditionHistory;
  readonly settings?: Partial<PageSettings>;
  readonly directory?: Partial<DirectorySettings>;
  readonly hasOrders?: boolean;
  /** The path of the public address. */
  readonly base?: string;
  readonly now?: () => Date;
  /** Decides on each request before it is looked at. */
  readonly refuse?: (path: string) => FhirError | undefined;
}

/** As an installation without any edition has it. */
export async function startWeb(options: WebServerOptions): Promise<WebServer> {
  const { editions, history = NO_HISTORY, base = '', hasOrders = false } = options;
  const server = createServer({ keepAliveTimeout: 1000 });
  const port = await listenOnLoopback(server);
  const origin = `http://127.0.0.1:${port}`;
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const answers: AnswerFacts[] = [];
  const faces = facesAt(origin + base, options.directory);
  const [face] = faces;
  const web = await createWeb({
    settings: { ...PAGE_SETTINGS, ...options.settings },
    face,
    interfaces: faces.map(interfaceOf),
    editions,
    history,
    ...(hasOrders && { orders: { example: { resourceType: 'OrderResponse' } } }),
    ...(options.now && { now: options.now }),
    onFault,
  });
  const handle = createHandle({
    services: [createDirectoryService(face, editions)],
    software: SOFTWARE,
    onFault,
  });
  server.on('request', async (incoming, outgoing) => {
    const { method = 'GET', headers, url = '/' } = incoming;
    const [path = '', query = ''] = url.split('?');
    const isFhir = path.startsWith(`${base}/STU3`) || /(openapi\.json|current\.ndjson)$/.test(path);
    if (!isFhir && web.owns(path, headers.accept)) {
      const refusal = options.refuse?.(path);
      const request: FhirRequest = {
        method,
        path,
        query,
        headers,
        id: 'test-1',
        addressOf: () => incoming.socket.remoteAddress ?? '',
        ...(method === 'POST' && { readBody: () => buffer(incoming) }),
        ...(refusal !== undefined && { refusal }),
      };
      const answer = await web.handle(request);
      answers.push({ method, path, status: answer.status, interaction: answer.interaction });
      await send(outgoing, { ...answer, headers: [...answer.headers, 'X-Request-Id', 'test-1'] });
      return;
    }
    await send(outgoing, await handle({ method, path, query, headers, id: 'test-2' }));
  });
  return {
    origin,
    faults,
    routes: web.routes.map(({ path }) => path),
    routeOf: web.routeOf,
    answers,
    handle: (request) => web.handle(request),
    get: async (path, init = {}) => {
      const answer = await fetch(origin + path, { redirect: 'manual', ...init });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    close: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await web.close();
    },
  };
}

async function send(outgoing: ServerResponse, answer: FhirResponse): Promise<void> {
  outgoing.writeHead(answer.status, [...answer.headers]);
  for await (const piece of answer.pieces ?? []) outgoing.write(piece);
  outgoing.end(answer.body);
  answer.onClosed?.();
}

/** All faces of the directory; the first is that of the pages. */
function facesAt(serverUrl: string, directory: Partial<DirectorySettings> = {}) {
  const settings = { ...DIRECTORY_SETTINGS, ...directory };
  const faces = DIRECTORY_FACES.map((face) => serveFace(face, { settings, serverUrl }));
  return [servedStu3(settings, serverUrl), ...faces.slice(1)] as const;
}

/** The error of the gate for a client with too many requests. */
export function tooManyRequests(): FhirError {
  return new FhirError([{ kind: 'throttled', diagnostics: 'Too many.' }], ['Retry-After', '3']);
}
