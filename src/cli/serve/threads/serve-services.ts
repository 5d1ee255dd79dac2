/** The services of a server thread: the directory with its faces, order responses, and the pages; their traces and faults. */
import { randomUUIDv7 } from 'node:crypto';
import { type CheckApiKey, createApiKeyCheck } from '../../../auth/api-keys.ts';
import {
  type Authenticator,
  createAuthenticator,
  createAuthorize,
} from '../../../auth/authenticator.ts';
import { openOwnKey, signToken } from '../../../auth/own-key.ts';
import { sectionOf } from '../../../config/section.ts';
import { SOFTWARE } from '../../../config/version.ts';
import type { EditionHistory } from '../../../directory/edition/edition-store.ts';
import type { FhirRequest, OnFault } from '../../../fhir/request/request.ts';
import type {
  Authorize,
  PlainService,
  Service,
  TokenIssuer,
} from '../../../fhir/service/interaction.ts';
import { withTokenIssuer } from '../../../fhir/statement/smart-configuration.ts';
import type { Repository } from '../../../fhir/stored/repository.ts';
import type { LoadedEditions } from '../../../interfaces/answer/editions.ts';
import { type ServedFace, serveFace } from '../../../interfaces/faces/rendered-edition.ts';
import type { EditionFiles } from '../../../interfaces/files/edition-files.ts';
import { DIRECTORY_FACES } from '../../../interfaces/served-faces.ts';
import { createDirectoryService } from '../../../interfaces/service.ts';
import { EXAMPLE_RESPONSE } from '../../../orders/order-response/example.ts';
import { createOrderService, ORDER_SERVICE_NAME } from '../../../orders/order-response/service.ts';
import { AllowedHosts } from '../../../orders/subscriptions/allowed-hosts.ts';
import type { Pages } from '../../../server/http-listener.ts';
import type { Log } from '../../../server/monitoring/log.ts';
import { writeKeyFile } from '../../../storage/files/key-file.ts';
import type { FollowCall } from '../../../storage/threads/repository-client.ts';
import { nameRequest } from '../../../telemetry/request-tracing.ts';
import type { Tracing } from '../../../telemetry/tracing.ts';
import { interfaceOf, plainInterfaceOf } from '../../../web/api/api-page.ts';
import { PAGE_PATH_STARTS } from '../../../web/parts/addresses.ts';
import type { OrderPageOptions, WebOptions } from '../../../web/parts/web-options.ts';
import type { Web } from '../../../web/web.ts';
import { subscriptionKeyOf } from '../../subscriptions/subscription-key.ts';
import { createPlainServices } from './plain-services.ts';
import { hasPages, type ServeThreadData } from './serve-thread-data.ts';

export interface ThreadServices {
  readonly services: readonly Service[];
  readonly plainServices: readonly PlainService[];
  /** Undefined if nothing needs a token. */
  readonly authenticator: Authenticator | undefined;
  readonly pagePaths: readonly string[];
  /** Undefined if the server has no pages. */
  openPages(onFault: WebOptions['onFault']): Promise<Web | undefined>;
}

/** What the services of a thread read and write. */
interface ServedData {
  readonly editions: LoadedEditions;
  readonly editionFiles: EditionFiles;
  readonly orders: Repository;
}

export function createServices(
  data: ServeThreadData,
  { editions, editionFiles, orders }: ServedData,
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
  // Opened for the first question or page that needs it. The pages close it.
  const openHistory = historyOpener(config);
  const plainServices = createPlainServices(data, plainOptions, faces, openHistory);
  return {
    services: withTokenIssuer(
      [
        ...(config['directory.enabled']
          ? faces.map((face) => ({
              ...createDirectoryService(face, editions, editionFiles),
              authorize: authorizeDirectory,
              checkApiKey: apiKeyCheckOf(face, log),
            }))
          : []),
        ...(config['orders.enabled'] ? [orderServiceOf(data, orders, authorize)] : []),
      ],
      tokenIssuerOf(config),
    ),
    plainServices,
    authenticator,
    pagePaths: hasPages(config)
      ? PAGE_PATH_STARTS.map((path) => new URL(serverUrl + path).pathname)
      : [],
    openPages: (onFault) =>
      openPages(data, editions, { faces, plainServices, openHistory, onFault }),
  };
}

async function openPages(
  data: ServeThreadData,
  editions: LoadedEditions,
  {
    faces,
    plainServices,
    openHistory,
    onFault,
  }: {
    readonly faces: readonly ServedFace[];
    readonly plainServices: readonly PlainService[];
    readonly openHistory: () => Promise<EditionHistory>;
    readonly onFault: WebOptions['onFault'];
  },
): Promise<Web | undefined> {
  const { config, fetchFolder } = data;
  const [face] = faces;
  if (face === undefined || !hasPages(config)) return undefined;
  const { createWeb } = await import('../../../web/web.ts');
  const fetches =
    config['directory.source'] && (await import('../../../sources/fetch/fetch-state.ts'));
  return createWeb({
    settings: sectionOf(config, 'pages'),
    face,
    interfaces: [...faces.map(interfaceOf), ...plainServices.map(plainInterfaceOf)],
    editions,
    history: await openHistory(),
    ...(config['orders.enabled'] && { orders: orderPageOptions(data) }),
    ...(fetches && { fetchStatus: () => fetches.readFetchStatus(fetchFolder) }),
    onFault,
  });
}

function historyOpener(config: ServeThreadData['config']): () => Promise<EditionHistory> {
  let history: Promise<EditionHistory> | undefined;
  const open = async () => {
    const { openConfiguredServerStore } = await import('../../parts/open-store.ts');
    return (await openConfiguredServerStore(config)).openEditionHistory();
  };
  return () => {
    history ??= open();
    // The next question tries again.
    history.catch(() => {
      history = undefined;
    });
    return history;
  };
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

function orderServiceOf(
  { config, serverUrl }: ServeThreadData,
  store: Repository,
  authorize: Authorize,
): Service {
  return createOrderService({
    settings: sectionOf(config, 'orders'),
    serverUrl,
    store,
    authorize,
    newId: () => randomUUIDv7(),
    subscriptions: {
      hosts: new AllowedHosts(config['subscriptions.allowedHosts']),
      key: () => subscriptionKeyOf(config),
      updates: config['subscriptions.updates'],
      countMax: config['subscriptions.countMax'],
      perClientMax: config['subscriptions.perClientMax'],
    },
  });
}

function tokenIssuerOf(config: ServeThreadData['config']): TokenIssuer | undefined {
  const { issuer, tokenUrl, jwksUrl } = sectionOf(config, 'auth');
  return issuer === undefined ? undefined : { issuer, tokenUrl, jwksUrl };
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

/** Names the span of each request for a page by its route. */
export function tracePages(pages: Web, tracing: Tracing): Pages {
  return {
    ...pages,
    handle: (request, unhandled) => {
      const route = pages.routeOf(request.path);
      if (route !== undefined) nameRequest(tracing.request, request.method, route);
      return pages.handle(request, unhandled);
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
