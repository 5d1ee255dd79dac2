/** Order responses as a FHIR service. https://hl7.org/fhir/DSTU2/orderresponse.html */

import { FhirError } from '../fhir/fhir-error.ts';
import { DSTU2 } from '../fhir/fhir-version.ts';
import type { VersionedType } from '../fhir/repository.ts';
import { type Repository, RepositoryError } from '../fhir/repository.ts';
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
    limits: { depthMax: settings.depthMax, elementsMax: settings.elementsMax },
    demandsIfMatch: settings.demandIfMatch,
    review: (resource) => checkOrderResponse(resource, settings),
    create: (resource, ifNoneExist, access) => {
      const id = newId();
      const creation = {
        id,
        text: unstampedText(resource, id),
        identifiers: identifiersOf(resource),
        ...(ifNoneExist === undefined ? {} : { ifNoneExist }),
      };
      return store.create(creation, access).catch(refuse);
    },
    update: (id, resource, preconditions, access) => {
      const update = {
        id,
        text: unstampedText(resource, id),
        identifiers: identifiersOf(resource),
        preconditions,
      };
      return store.update(update, access).catch(refuse);
    },
    read: (address, access) => store.read(address, access).catch(refuse),
    history: (request, access) => store.history(request, access).catch(refuse),
    refuse: (refusal, access) => store.refuse(refusal, access).catch(refuse),
  };
}

/** What the store cannot do now, it may do in a moment; anything else is a fault. */
function refuse(error: unknown): never {
  if (!(error instanceof RepositoryError)) throw error;
  throw new FhirError([{ kind: 'unavailable', diagnostics: error.message }], RETRY);
}

const RETRY = ['Retry-After', '5'];
