/** The page about the API: samples of requests in several languages, and a description to try. */

import type { Edition } from '../../directory/edition/edition.ts';
import type { PlainService } from '../../fhir/service/interaction.ts';
import type { ServedFace } from '../../interfaces/faces/rendered-edition.ts';
import { inOrder, newestFaces } from '../parts/newest-faces.ts';
import type { DirectoryInterface, WebContext } from '../parts/web-options.ts';

export function apiPage({ addresses, editions, interfaces, orders }: WebContext): object {
  const code = exampleCode(editions.current());
  const newestFirst = inOrder(interfaces);
  return {
    title: 'API',
    interfaces: newestFirst,
    faces: newestFaces(interfaces),
    hasOrders: orders !== undefined,
    openApi: addresses.openApi,
    code,
  };
}

/** The organisation that the national guides use, or the first one if the edition lacks it. */
function exampleCode(edition: Edition | undefined): string {
  if (edition === undefined || edition.index.rowOf(GUIDE_CODE) !== undefined) return GUIDE_CODE;
  return edition.index.count === 0 ? GUIDE_CODE : edition.index.codeOf(0);
}

const GUIDE_CODE = 'RTG';

export function interfaceOf({ face, baseUrl }: ServedFace): DirectoryInterface {
  return {
    name: face.title,
    description: face.description,
    baseUrl,
    metadataUrl: `${baseUrl}/metadata`,
    sample: {
      name: face.version.name,
      version: face.version.number,
      xmlType: face.version.mediaTypes.xml,
      hapiContext: face.hapiContext,
    },
  };
}

export function plainInterfaceOf({
  title,
  description,
  baseUrl,
}: PlainService): DirectoryInterface {
  return { name: title, description, baseUrl };
}
