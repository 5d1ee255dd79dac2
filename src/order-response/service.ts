/** Order responses as a FHIR service. https://hl7.org/fhir/DSTU2/orderresponse.html */
import { DSTU2 } from '../fhir/fhir-version.ts';
import type { Authorize, Service } from '../fhir/interaction.ts';
import { capabilities } from '../fhir/interactions/capabilities.ts';
import { create } from '../fhir/interactions/create.ts';
import { historyInstance } from '../fhir/interactions/history-instance.ts';
import { read } from '../fhir/interactions/read.ts';
import { update } from '../fhir/interactions/update.ts';
import { vread } from '../fhir/interactions/vread.ts';
import type { Repository } from '../fhir/repository.ts';
import { readStored } from '../fhir/stored-resource.ts';
import { SPINE_ERRORS } from '../nhs/spine-errors.ts';
import { EXAMPLE_RESPONSE } from './example.ts';
import { checkOrderResponse } from './rules.ts';
import type { OrderSettings } from './settings.ts';

export interface OrderServiceOptions {
  readonly settings: OrderSettings;
  /** The public address of the server, without a slash at the end. It is also the service's base. */
  readonly serverUrl: string;
  readonly store: Repository;
  readonly authorize: Authorize;
  /** Makes the id of a new resource. */
  readonly newId: () => string;
}

export function createOrderService(options: OrderServiceOptions): Service {
  const { settings, serverUrl, store, authorize, newId } = options;
  return {
    name: 'OrderResponses',
    description: 'Responses to orders, such as the review of a laboratory report.',
    version: DSTU2,
    serverUrl,
    baseUrl: serverUrl,
    defaultFormat: 'xml',
    interactions: [capabilities],
    types: [
      {
        name: 'OrderResponse',
        documentation: 'A response to an order, with all its versions.',
        interactions: [read, vread, update, historyInstance, create],
        read: readStored,
        notFound: 'There is no OrderResponse with this id.',
        stored: {
          repository: store,
          limits: { depthMax: settings.depthMax, elementsMax: settings.elementsMax },
          requiresIfMatch: settings.requireIfMatch,
          review: (resource) => checkOrderResponse(resource, settings),
          newId,
          example: EXAMPLE_RESPONSE,
        },
      },
    ],
    errorDetails: SPINE_ERRORS,
    authorize,
    headers: [
      ...['Cache-Control', 'no-store'],
      ...['X-Content-Type-Options', 'nosniff'],
      ...['Vary', 'Accept'],
    ],
    corsOrigins: settings.corsOrigins ?? [],
    gzipMinBytes: 0,
    downloads: [],
  };
}
