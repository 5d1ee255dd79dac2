/** The page about the API: samples of requests in several languages, and a description to try. */

import type { Edition } from '../../directory/edition/edition.ts';
import type { PlainService } from '../../fhir/service/interaction.ts';
import type { ServedFace } from '../../interfaces/faces/rendered-edition.ts';
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

/** The newest FHIR version first. */
function inOrder(interfaces: readonly DirectoryInterface[]): readonly DirectoryInterface[] {
  return interfaces.toSorted((a, b) =>
    (b.sample?.version ?? '').localeCompare(a.sample?.version ?? ''),
  );
}

/** The interfaces of FHIR, the newest version first. Of two of the same version, the first one. */
export function newestFaces(
  interfaces: readonly DirectoryInterface[],
): readonly DirectoryInterface[] {
  const faces = inOrder(interfaces).filter(({ sample }) => sample !== undefined);
  return faces.filter(
    ({ sample }, i) => i === faces.findIndex((each) => each.sample?.version === sample?.version),
  );
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
