/** Writes the Postman collection of the interfaces: `npm run generate:reference`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settle } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import { SOFTWARE } from '../src/config/version.ts';
import { openApi } from '../src/fhir/statement/open-api.ts';
import { createEventsService } from '../src/interfaces/events/service.ts';
import { serveFace } from '../src/interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../src/interfaces/faces.ts';
import { createOrdService } from '../src/interfaces/ord/service.ts';
import { createCodeServices } from '../src/interfaces/questions/service.ts';
import { createReportServices } from '../src/interfaces/reports/service.ts';
import { createDirectoryService } from '../src/interfaces/service.ts';
import { createOrderService } from '../src/orders/order-response/service.ts';
import { AllowedHosts } from '../src/orders/subscriptions/allowed-hosts.ts';
import { createMemoryRepository } from '../test/storage/memory-repository.ts';
import { ROOT } from '../test/tidy/source-files.ts';
import { postmanCollection } from './postman-collection.ts';

export const COLLECTION_FILE = 'docs/reference/gazetteer.postman_collection.json';

/** The text of the file, for a server with the default settings. */
export function collectionText(): string {
  const { config } = settle({ flags: {}, environment: {} });
  const settings = sectionOf(config, 'directory');
  const options = { settings, serverUrl: 'http://localhost:8080' };
  const editions = { current: () => undefined, byNumber: () => undefined };
  const tableFiles = { pathOf: () => '', forget: () => {} };
  const services = [
    ...DIRECTORY_FACES.map((face) =>
      createDirectoryService(serveFace(face, options), editions, tableFiles),
    ),
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
  const description = openApi(services, SOFTWARE, [
    createOrdService({ ...options, editions }),
    ...createReportServices({ ...options, editions }),
    ...createCodeServices({ ...options, editions }),
    createEventsService({ ...options, editions }, async () => {
      throw new Error('A description asks nothing.');
    }),
  ]);
  const collection = postmanCollection(JSON.parse(JSON.stringify(description)));
  return `${JSON.stringify(collection, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(join(ROOT, COLLECTION_FILE), collectionText());
