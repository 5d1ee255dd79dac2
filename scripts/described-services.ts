/** The services of a server with the default settings, for what is derived from them in documents. */
import { randomUUID } from 'node:crypto';
import { settle } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import { type EditionHistory, NO_HISTORY } from '../src/directory/edition/edition-store.ts';
import type { Authorize, PlainService, Service } from '../src/fhir/service/interaction.ts';
import type { Repository } from '../src/fhir/stored/repository.ts';
import type { Editions } from '../src/interfaces/answer/editions.ts';
import { createAssistantsService } from '../src/interfaces/assistants/service.ts';
import { assistantTools } from '../src/interfaces/assistants/tools/tools.ts';
import { createEventsService } from '../src/interfaces/events/service.ts';
import { type ServedFace, serveFace } from '../src/interfaces/faces/rendered-edition.ts';
import type { EditionFiles } from '../src/interfaces/files/edition-files.ts';
import { todayOf } from '../src/interfaces/json/json-service.ts';
import { createOrdService } from '../src/interfaces/ord/service.ts';
import { createCodeServices } from '../src/interfaces/questions/service.ts';
import { createReportServices } from '../src/interfaces/reports/service.ts';
import { DIRECTORY_FACES } from '../src/interfaces/served-faces.ts';
import { createDirectoryService } from '../src/interfaces/service.ts';
import { EXAMPLE_RESPONSE } from '../src/orders/order-response/example.ts';
import {
  createOrderService,
  type SubscriptionOptions,
} from '../src/orders/order-response/service.ts';
import { AllowedHosts } from '../src/orders/subscriptions/allowed-hosts.ts';
import { interfaceOf } from '../src/web/api/api-page.ts';
import { createWeb, type Web } from '../src/web/web.ts';
import { createMemoryRepository } from '../test/storage/memory-repository.ts';

export interface DescribedServices {
  readonly services: readonly Service[];
  readonly plainServices: readonly PlainService[];
  /** With the page that tries order responses, which a server has only with `pages.giveTokens`. */
  readonly web: Web;
}

/** What the services read and write. */
export interface DescribedData {
  readonly editions: Editions;
  readonly editionFiles: EditionFiles;
  readonly history: EditionHistory;
  readonly store: Repository;
  readonly authorize: Authorize;
  /** The hosts that may receive notifications, and the key that hides their secrets. Absent: none. */
  readonly subscriptions?: Pick<SubscriptionOptions, 'hosts' | 'key'>;
}

/** Without an edition, requests for data are not answered. */
const NO_DATA: DescribedData = {
  editions: { current: () => undefined, byNumber: () => undefined },
  editionFiles: { pathOf: () => '', forget: () => {} },
  history: NO_HISTORY,
  store: createMemoryRepository(),
  authorize: () => {
    throw new Error('no request needs a token here');
  },
};

const NO_HOSTS = { hosts: new AllowedHosts(), key: () => new Uint8Array() };

/** By default, for descriptions alone. */
export function describedServices(data: DescribedData = NO_DATA): DescribedServices {
  const { editions, editionFiles, history, store, authorize, subscriptions = NO_HOSTS } = data;
  const { config } = settle({ flags: {}, environment: {} });
  const settings = sectionOf(config, 'directory');
  const options = { settings, serverUrl: 'http://localhost:8080' };
  const openHistory = async () => history;
  const faces = DIRECTORY_FACES.map((face) => serveFace(face, options));
  const face = firstOf(faces);
  const today = todayOf({});
  const services = [
    ...faces.map((face) => createDirectoryService(face, editions, editionFiles)),
    createOrderService({
      settings: sectionOf(config, 'orders'),
      serverUrl: options.serverUrl,
      store,
      authorize,
      newId: randomUUID,
      subscriptions: { ...subscriptions, ...sectionOf(config, 'subscriptions') },
    }),
  ];
  const plainServices = [
    createOrdService({ ...options, editions }),
    ...createReportServices({ ...options, editions }),
    ...createCodeServices({ ...options, editions }),
    createEventsService({ ...options, editions }, openHistory),
    createAssistantsService({
      ...options,
      editions,
      tools: assistantTools({ editions, face, openHistory, today }),
      identity: { name: '', version: '' },
      origins: [],
    }),
  ];
  const web = createWeb({
    settings: sectionOf(config, 'pages'),
    face,
    interfaces: faces.map(interfaceOf),
    editions,
    history,
    orders: { example: EXAMPLE_RESPONSE, createToken: async () => '' },
    onFault: (error) => {
      throw error;
    },
  });
  return { services, plainServices, web };
}

function firstOf(faces: readonly ServedFace[]): ServedFace {
  const [first] = faces;
  if (first === undefined) throw new Error('The directory has no face.');
  return first;
}
