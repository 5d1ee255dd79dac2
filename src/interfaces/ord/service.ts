/** The ORD interface as a service: its paths, parameters and errors. */

import type { PlainService } from '../../fhir/service/interaction.ts';
import type { PlainEndpoint } from '../json/endpoint.ts';
import { createEndpointService } from '../json/endpoint-service.ts';
import { type JsonServiceOptions, todayOf } from '../json/json-service.ts';
import { ordDoor } from './door.ts';
import { codeListEndpoints, organisationEndpoints } from './reads.ts';
import { PAGE_HEADERS, searchEndpoint, syncEndpoint } from './search.ts';
import { type ServedOrd, serveOrd } from './served-ord.ts';

export interface OrdOptions extends JsonServiceOptions {
  /** The address of a page that explains the parameters. */
  readonly helpUrl?: string | undefined;
}

export const ORD_SERVICE_NAME = 'ORD';

export function createOrdService(options: OrdOptions): PlainService {
  const { settings, serverUrl, editions, programVersion: program = '', helpUrl } = options;
  const baseUrl = serverUrl + settings['ord.path'];
  const served = serveOrd(baseUrl, { editions, today: todayOf(options), program });
  return createEndpointService(options, {
    name: ORD_SERVICE_NAME,
    title: 'ORD 2-0-0',
    description:
      'The directory of organisations with the ORD 2-0-0 interface of the national service.',
    baseUrl,
    endpoints: ordEndpoints(served),
    door: ordDoor(options.authorize !== undefined, helpUrl),
    exposed: [...PAGE_HEADERS, 'Link'],
  });
}

/** The paths of ORD. */
export function ordEndpoints(served: ServedOrd): readonly PlainEndpoint[] {
  return [
    ...organisationEndpoints(served),
    searchEndpoint(served),
    syncEndpoint(served),
    ...codeListEndpoints(served),
  ];
}
