/** Writes the Postman collection of the interfaces: `npm run generate:reference`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOFTWARE } from '../src/config/version.ts';
import { openApi } from '../src/fhir/statement/open-api.ts';
import { ASSISTANTS_SERVICE_NAME } from '../src/interfaces/assistants/service.ts';
import { ROOT } from '../test/tidy/source-files.ts';
import { describedServices } from './described-services.ts';
import { postmanCollection } from './postman-collection.ts';

export const COLLECTION_FILE = 'docs/reference/gazetteer.postman_collection.json';

/** The text of the file, for a server with the default settings. */
export function collectionText(): string {
  const { services, plainServices } = describedServices();
  // A server has the tools of assistants only if its operator enables them.
  const others = plainServices.filter(({ name }) => name !== ASSISTANTS_SERVICE_NAME);
  const description = openApi(services, SOFTWARE, others);
  const collection = postmanCollection(JSON.parse(JSON.stringify(description)));
  return `${JSON.stringify(collection, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(join(ROOT, COLLECTION_FILE), collectionText());
