/** Order responses as a FHIR service. https://hl7.org/fhir/DSTU2/orderresponse.html */
import { DSTU2 } from '../fhir/fhir-version.ts';
import type { Repository, VersionedType } from '../fhir/repository.ts';
import type { Authorize, Service } from '../fhir/service.ts';
import { EXAMPLE_RESPONSE } from './example.ts';
import { identifiersOf, unstampedText } from './resource-text.ts';
import { checkOrderResponse } from './rules.ts';
import type { OrderSettings } from './settings.ts';

export interface OrderServiceOptions {
  readonly settings: OrderSettings;
  /** The public address of the server, without a slash at the end: also the service's base. */
  readonly serverUrl: string;
  readonly store: Repository;
  readonly authorize: Authorize;
  /** Makes the id of a new resource. */
  readonly newId: () => string;
}

export function createOrderService(options: OrderServiceOptions): Service {
  const { settings, serverUrl, authorize } = options;
  return {
    name: 'OrderResponses',
    description: 'What became of orders, such as the review of a laboratory report.',
    version: DSTU2,
    serverUrl,
    baseUrl: serverUrl,
    defaultFormat: 'xml',
    types: [
      {
        name: 'OrderResponse',
        documentation: 'A response to an order, with all its versions.',
        versions: versionsOf(options),
        example: EXAMPLE_RESPONSE,
        notFound: 'There is no OrderResponse with this id.',
        searchParameters: [],
        searchCombinations: [],
      },
    ],
    authorize,
    headers: [
      ...['Cache-Control', 'no-store'],
      ...['X-Content-Type-Options', 'nosniff'],
      ...['Vary', 'Accept'],
    ],
    corsOrigins: settings.corsOrigins ?? [],
    gzipMinBytes: 0,
    documents: [],
  };
}

function versionsOf({ settings, store, newId }: OrderServiceOptions): VersionedType {
  return {
    repository: store,
    limits: { depthMax: settings.depthMax, elementsMax: settings.elementsMax },
    demandsIfMatch: settings.demandIfMatch,
    review: (resource) => checkOrderResponse(resource, settings),
    newId,
    textOf: unstampedText,
    identifiersOf,
  };
}
