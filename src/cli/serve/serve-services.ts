/** The services of a server thread: the directory with its faces, order responses, and the pages; their traces and faults. */
import { randomUUIDv7 } from 'node:crypto';
import { type CheckApiKey, createApiKeyCheck } from '../../auth/api-keys.ts';
import {
  type Authenticator,
  createAuthenticator,
  createAuthorize,
} from '../../auth/authenticator.ts';
import { openOwnKey, signToken } from '../../auth/own-key.ts';
import { sectionOf } from '../../config/section.ts';
import { createCodeServices } from '../../directory/codes/service.ts';
import type { EditionHistory } from '../../directory/edition/edition-history.ts';
import type { LoadedEditions } from '../../directory/edition/editions.ts';
import { createEventsService } from '../../directory/events/service.ts';
import type { TableFiles } from '../../directory/export/tables/table-forms.ts';
import { DIRECTORY_FACES } from '../../directory/faces.ts';
import { createOrdService } from '../../directory/ord/service.ts';
import { createReportServices } from '../../directory/reports/service.ts';
import { type ServedFace, serveFace } from '../../directory/served-face.ts';
import { createDirectoryService } from '../../directory/service.ts';
import type { Authorize, PlainService, Service } from '../../fhir/service/interaction.ts';
import type { FhirRequest, OnFault } from '../../fhir/service/request.ts';
import type { Repository } from '../../fhir/stored/repository.ts';
import { EXAMPLE_RESPONSE } from '../../order-response/example.ts';
import { createOrderService, ORDER_SERVICE_NAME } from '../../order-response/service.ts';
import type { Pages } from '../../server/http-listener.ts';
import type { Log } from '../../server/operations/log.ts';
import { writeKeyFile } from '../../storage/key-file.ts';
import type { FollowCall } from '../../storage/threads/repository-client.ts';
import { nameRequest } from '../../telemetry/request-tracing.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import { SOFTWARE } from '../../version.ts';
import { PAGE_PATH_STARTS } from '../../web/addresses.ts';
import { interfaceOf, plainInterfaceOf } from '../../web/api/directory-interface.ts';
import type { Web } from '../../web/web.ts';
import type { OrderPageOptions, WebOptions } from '../../web/web-options.ts';
import { hasPages, type ServeThreadData } from './serve-thread-data.ts';

export interface ThreadServices {
  readonly services: readonly Service[];
  readonly plainServices: readonly PlainService[];
  /** Undefined if nothing needs a token. */
  readonly authenticator: Authenticator | undefined;
  readonly pagePaths: readonly string[];
  /** Undefined if the server has no pages. */
  openPages(handlers: Pick<WebOptions, 'onFault' | 'onAnswer'>): Promise<Web | undefined>;
}

/** What the services of a thread read and write. */
interface ServedData {
  readonly editions: LoadedEditions;
  readonly tableFiles: TableFiles;
  readonly orders: Repository;
}

export function createServices(
  data: ServeThreadData,
  { editions, tableFiles, orders }: ServedData,
  { log, tracing }: { readonly log: Log; readonly tracing: Tracing },
): ThreadServices {
  const { config, serverUrl } = data;
  const settings = sectionOf(config, 'directory');
  const faces = DIRECTORY_FACES.map((face) =>
    serveFace(face, { settings, serverUrl, programVersion: SOFTWARE.version }),
  );
  const authenticator = authenticatorOf(data, log, tracing);
  const authorize = authorizeBy(authenticator);
  // A client that may read organisations may also read the codes that describe them.
  const authorizeDirectory: Authorize | undefined = config['directory.authenticate']
    ? (header, _need, address) => authorize(header, READ_ORGANIZATION, address)
    : undefined;
  const plainOptions = {
    settings,
    serverUrl,
    editions,
    authorize: authorizeDirectory,
    programVersion: SOFTWARE.version,
  };
  // The pages open it, and close it.
  let history: EditionHistory | undefined;
  const plainServices = config['directory.enabled']
    ? [
        createOrdService({
          ...plainOptions,
          ...(hasPages(config) && { helpUrl: `${serverUrl}/api` }),
        }),
        ...createReportServices(plainOptions),
        ...createCodeServices(plainOptions),
        createEventsService(plainOptions, () => history),
      ]
    : [];
  return {
    services: [
      ...(config['directory.enabled']
        ? faces.map((face) => ({
            ...createDirectoryService(face, editions, tableFiles),
            authorize: authorizeDirectory,
            checkApiKey: apiKeyCheckOf(face, log),
          }))
        : []),
      ...(config['orders.enabled']
        ? [
            createOrderService({
              settings: sectionOf(config, 'orders'),
              serverUrl,
              store: orders,
              authorize,
              newId: () => randomUUIDv7(),
            }),
          ]
        : []),
    ],
    plainServices,
    authenticator,
    pagePaths: hasPages(config)
      ? PAGE_PATH_STARTS.map((path) => new URL(serverUrl + path).pathname)
      : [],
    openPages: async (handlers) => {
      const opened = await openPages(data, editions, { faces, plainServices, handlers });
      history = opened?.history;
      return opened?.web;
    },
  };
}

async function openPages(
  data: ServeThreadData,
  editions: LoadedEditions,
  {
    faces,
    plainServices,
    handlers,
  }: {
    readonly faces: readonly ServedFace[];
    readonly plainServices: readonly PlainService[];
    readonly handlers: Pick<WebOptions, 'onFault' | 'onAnswer'>;
  },
): Promise<{ readonly web: Web; readonly history: EditionHistory } | undefined> {
  const { config, fetchFolder } = data;
  const [face] = faces;
  if (face === undefined || !hasPages(config)) return undefined;
  const { createWeb } = await import('../../web/web.ts');
  const { openConfiguredServerStore } = await import('../open-store.ts');
  const store = await openConfiguredServerStore(config);
  const fetches = config['directory.source'] && (await import('../../sources/fetch-state.ts'));
  const history = store.openEditionHistory();
  const web = await createWeb({
    settings: sectionOf(config, 'pages'),
    face,
    interfaces: [...faces.map(interfaceOf), ...plainServices.map(plainInterfaceOf)],
    editions,
    history,
    ...(config['orders.enabled'] && { orders: orderPageOptions(data) }),
    ...(fetches && { fetchStatus: () => fetches.readFetchStatus(fetchFolder) }),
    ...handlers,
  });
  return { web, history };
}

function orderPageOptions({ tokenKeyFile }: ServeThreadData): OrderPageOptions {
  if (tokenKeyFile === undefined) return { example: EXAMPLE_RESPONSE };
  const request = {
    scopes: ['system/OrderResponse.*'],
    expiresInSeconds: 3600,
    subject: 'anyone',
    client: 'pages',
    now: Date.now,
  };
  return {
    example: EXAMPLE_RESPONSE,
    createToken: async () => signToken(openOwnKey(tokenKeyFile, writeKeyFile), request),
  };
}

function authenticatorOf(
  { config, serverUrl, ownKey }: ServeThreadData,
  log: Log,
  tracing: Tracing,
): Authenticator | undefined {
  if (!config['orders.enabled'] && !config['directory.authenticate']) return undefined;
  return createAuthenticator(sectionOf(config, 'auth'), {
    audienceDefault: serverUrl,
    ownKey,
    onProblem: (problem) => log.report('GZ401', { problem }),
    fetch: tracing.fetch(fetch),
  });
}

function authorizeBy(authenticator: Authenticator | undefined): Authorize {
  if (authenticator !== undefined) return createAuthorize(authenticator);
  return () => {
    throw new Error('there is no way to check tokens');
  };
}

const READ_ORGANIZATION = { type: 'Organization', action: 'read' } as const;

function apiKeyCheckOf({ face, settings }: ServedFace, log: Log): CheckApiKey | undefined {
  const file = face.apiKeysOf?.(settings);
  if (file === undefined) return undefined;
  const onProblem = (problem: string) => log.report('GZ402', { problem });
  return createApiKeyCheck(file, { now: () => performance.now(), onProblem });
}

/**
 * Reports a fault in a request, with its message if the message cannot contain data of patients. A
 * request outside all services can have the path of an order response, so the log omits the message.
 */
export function createOnFault(
  serviceNameOf: (request: FhirRequest) => string | undefined,
  report: (error: unknown, requestId: string, withMessage: boolean) => void,
): OnFault {
  return (error, request) => {
    const name = serviceNameOf(request);
    report(error, request.id, name !== undefined && name !== ORDER_SERVICE_NAME);
  };
}

/** Gives each request for a page its trace, because Fastify answers later, outside of the trace. */
export function tracePages(pages: Web, tracing: Tracing): Pages {
  return {
    ...pages,
    handle: (incoming, outgoing, request) => {
      const { current, request: span } = tracing;
      const trace = current && {
        id: current.traceId,
        setRoute: (route: string) => {
          const template = route.replaceAll(/:(\w+)/g, '{$1}');
          nameRequest(span, incoming.method ?? '', template);
        },
      };
      pages.handle(incoming, outgoing, trace === undefined ? request : { ...request, trace });
    },
  };
}

/** Records a span for each call of the store, and in it a span for the transaction of the call. */
export function followCalls(tracing: Tracing): FollowCall | undefined {
  const { recorder } = tracing;
  if (recorder === undefined) return undefined;
  return (name) => {
    const span = tracing.begin({ name: `store ${name}`, kind: 'internal' });
    return ({ batch, failure }) => {
      if (batch !== undefined && span !== undefined) {
        const { startMs, endMs, calls } = batch;
        const attributes = { 'db.operation.batch.size': calls };
        recorder
          .start({ name: 'store transaction', kind: 'internal', attributes, startMs }, span.context)
          .end({ endMs });
      }
      span?.end({ error: failure });
    };
  };
}
