/** The services of a server with the default settings, for what is derived from them in documents. */
import { settle } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import { NO_HISTORY } from '../src/directory/edition/edition-store.ts';
import type { PlainService, Service } from '../src/fhir/service/interaction.ts';
import { createAssistantsService } from '../src/interfaces/assistants/service.ts';
import { createEventsService } from '../src/interfaces/events/service.ts';
import { type ServedFace, serveFace } from '../src/interfaces/faces/rendered-edition.ts';
import { createOrdService } from '../src/interfaces/ord/service.ts';
import { createCodeServices } from '../src/interfaces/questions/service.ts';
import { createReportServices } from '../src/interfaces/reports/service.ts';
import { DIRECTORY_FACES } from '../src/interfaces/served-faces.ts';
import { createDirectoryService } from '../src/interfaces/service.ts';
import { EXAMPLE_RESPONSE } from '../src/orders/order-response/example.ts';
import { createOrderService } from '../src/orders/order-response/service.ts';
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

/** They answer no request for data: there is no edition. */
export function describedServices(): DescribedServices {
  const { config } = settle({ flags: {}, environment: {} });
  const settings = sectionOf(config, 'directory');
  const options = { settings, serverUrl: 'http://localhost:8080' };
  const editions = { current: () => undefined, byNumber: () => undefined };
  const tableFiles = { pathOf: () => '', forget: () => {} };
  const faces = DIRECTORY_FACES.map((face) => serveFace(face, options));
  const services = [
    ...faces.map((face) => createDirectoryService(face, editions, tableFiles)),
    createOrderService({
      settings: sectionOf(config, 'orders'),
      serverUrl: options.serverUrl,
      store: createMemoryRepository(),
      authorize: () => {
        throw new Error('no request needs a token here');
      },
      newId: () => '',
      subscriptions: {
        hosts: new AllowedHosts(),
        key: () => new Uint8Array(),
        ...sectionOf(config, 'subscriptions'),
      },
    }),
  ];
  const plainServices = [
    createOrdService({ ...options, editions }),
    ...createReportServices({ ...options, editions }),
    ...createCodeServices({ ...options, editions }),
    createEventsService({ ...options, editions }, async () => {
      throw new Error('A description asks nothing.');
    }),
    createAssistantsService({
      ...options,
      editions,
      tools: [],
      identity: { name: '', version: '' },
      origins: [],
    }),
  ];
  const web = createWeb({
    settings: sectionOf(config, 'pages'),
    face: firstOf(faces),
    interfaces: faces.map(interfaceOf),
    editions,
    history: NO_HISTORY,
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
