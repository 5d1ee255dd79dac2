/** The services of a server thread: the directory with its faces, order responses, and the pages. */
import { randomUUIDv7 } from 'node:crypto';
import { type CheckApiKey, createApiKeyCheck } from '../../auth/api-keys.ts';
import { type Authenticator, createAuthenticator } from '../../auth/authenticator.ts';
import { createAuthorize } from '../../auth/create-authorize.ts';
import { openOwnKey, signToken } from '../../auth/own-key.ts';
import { sectionOf } from '../../config/section.ts';
import type { Config } from '../../config/settings.ts';
import type { LoadedEditions } from '../../directory/edition/editions.ts';
import { DIRECTORY_FACES } from '../../directory/faces.ts';
import { createOrdService } from '../../directory/ord/service.ts';
import { type ServedFace, serveFace } from '../../directory/served-face.ts';
import { createDirectoryService } from '../../directory/service.ts';
import { networkOf } from '../../fhir/http/client-network.ts';
import type { Authorize, Service } from '../../fhir/service/interaction.ts';
import type { PlainService } from '../../fhir/service/plain-service.ts';
import type { Repository } from '../../fhir/stored/repository.ts';
import { EXAMPLE_RESPONSE } from '../../order-response/example.ts';
import { createOrderService } from '../../order-response/service.ts';
import type { Log } from '../../server/operations/log.ts';
import { writeKeyFile } from '../../storage/key-file.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import { SOFTWARE } from '../../version.ts';
import { PAGE_PATH_STARTS } from '../../web/addresses.ts';
import { interfaceOf } from '../../web/api/directory-interface.ts';
import type { Web } from '../../web/web.ts';
import type { OrderPageOptions, WebOptions } from '../../web/web-options.ts';
import type { ServeThreadData } from './serve-thread-data.ts';
import { hasPages } from './served-pages.ts';

export interface ThreadServices {
  readonly services: readonly Service[];
  readonly plainServices: readonly PlainService[];
  /** Undefined if nothing needs a token. */
  readonly authenticator: Authenticator | undefined;
  readonly pagePaths: readonly string[];
  /** Undefined if the server has no pages. */
  openPages(handlers: Pick<WebOptions, 'onFault' | 'onAnswer'>): Promise<Web | undefined>;
}

export function createServices(
  data: ServeThreadData,
  editions: LoadedEditions,
  orders: Repository,
  { log, tracing }: { readonly log: Log; readonly tracing: Tracing },
): ThreadServices {
  const { config, serverUrl } = data;
  const settings = sectionOf(config, 'directory');
  const faces = DIRECTORY_FACES.map((face) =>
    serveFace(face, { settings, serverUrl, programVersion: SOFTWARE.version }),
  );
  const authenticator = authenticatorOf(data, log, tracing);
  const plainServices = config['directory.enabled']
    ? [ordService(editions, data, authenticator)]
    : [];
  return {
    services: [
      ...(config['directory.enabled']
        ? faces.map((face) => directoryService(face, editions, data, { authenticator, log }))
        : []),
      ...(config['orders.enabled'] ? [orderService(data, orders, authenticator)] : []),
    ],
    plainServices,
    authenticator,
    pagePaths: hasPages(config)
      ? PAGE_PATH_STARTS.map((path) => new URL(serverUrl + path).pathname)
      : [],
    openPages: async (handlers) => {
      const [face] = faces;
      if (face === undefined || !hasPages(config)) return undefined;
      const { createWeb } = await import('../../web/web.ts');
      const { openConfiguredServerStore } = await import('../open-store.ts');
      const store = await openConfiguredServerStore(config);
      return createWeb({
        settings: sectionOf(config, 'pages'),
        face,
        interfaces: [...faces.map(interfaceOf), ...plainServices],
        editions,
        history: store.openEditionHistory(),
        ...(config['orders.enabled'] && { orders: orderPageOptions(data) }),
        ...(config['directory.source'] !== undefined && (await fetchStatusOf(data))),
        ...handlers,
      });
    },
  };
}

async function fetchStatusOf({
  fetchFolder,
}: ServeThreadData): Promise<Pick<WebOptions, 'fetchStatus'>> {
  const { readFetchStatus } = await import('../../sources/fetch-state.ts');
  return { fetchStatus: () => readFetchStatus(fetchFolder) };
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
  if (authenticator === undefined) throw new Error('there is no way to check tokens');
  const authorizeNetwork = createAuthorize(authenticator);
  return (header, need, address) => authorizeNetwork(header, need, networkOf(address));
}

function directoryService(
  face: ServedFace,
  editions: LoadedEditions,
  { config }: ServeThreadData,
  { authenticator, log }: { authenticator: Authenticator | undefined; log: Log },
): Service {
  return {
    ...createDirectoryService(face, editions),
    authorize: authorizeDirectory(config, authenticator),
    checkApiKey: apiKeyCheckOf(face, log),
  };
}

function apiKeyCheckOf({ face, settings }: ServedFace, log: Log): CheckApiKey | undefined {
  const file = face.apiKeysOf?.(settings);
  if (file === undefined) return undefined;
  const onProblem = (problem: string) => log.report('GZ402', { problem });
  return createApiKeyCheck(file, { now: () => performance.now(), onProblem });
}

function ordService(
  editions: LoadedEditions,
  { config, serverUrl }: ServeThreadData,
  authenticator: Authenticator | undefined,
): PlainService {
  return createOrdService({
    settings: sectionOf(config, 'directory'),
    serverUrl,
    editions,
    authorize: authorizeDirectory(config, authenticator),
    programVersion: SOFTWARE.version,
    ...(hasPages(config) && { helpUrl: `${serverUrl}/api` }),
  });
}

/** A client that may read organisations may also read the codes that describe them. */
function authorizeDirectory(
  config: Config,
  authenticator: Authenticator | undefined,
): Authorize | undefined {
  if (!config['directory.authenticate']) return undefined;
  const authorize = authorizeBy(authenticator);
  return (header, _need, address) =>
    authorize(header, { type: 'Organization', action: 'read' }, address);
}

function orderService(
  { config, serverUrl }: ServeThreadData,
  store: Repository,
  authenticator: Authenticator | undefined,
): Service {
  return createOrderService({
    settings: sectionOf(config, 'orders'),
    serverUrl,
    store,
    authorize: authorizeBy(authenticator),
    newId: () => randomUUIDv7(),
  });
}
