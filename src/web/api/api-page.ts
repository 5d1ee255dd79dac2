/** The page about the API: samples of requests in several languages, and a description to try. */

import type { Edition } from '../../directory/edition/edition.ts';
import type { PlainService } from '../../fhir/service/interaction.ts';
import type { ServedFace } from '../../interfaces/faces/rendered-edition.ts';
import type { DirectoryInterface, WebContext } from '../parts/web-options.ts';

export function apiPage({ addresses, editions, face, orders }: WebContext): object {
  const { version, hapiContext } = face.face;
  const code = exampleCode(editions.current());
  return {
    title: 'API',
    fhir: addresses.fhir,
    hasOrders: orders !== undefined,
    openApi: addresses.openApi,
    example: addresses.record(code),
    code,
    xmlType: version.mediaTypes.xml,
    version: version.name,
    hapiContext,
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
  };
}

export function plainInterfaceOf({
  title,
  description,
  baseUrl,
}: PlainService): DirectoryInterface {
  return { name: title, description, baseUrl };
}
