/** Checks whether the client of a request has the scope that it needs. */
import type { Identity } from './access.ts';
import type { MaybePromise, RequiredScope, Service } from './interaction.ts';
import { type FhirRequest, headerOf } from './request.ts';

/** The identity of the client, if the service asks for a token. Throws or rejects otherwise. */
export function authorize(
  request: FhirRequest,
  service: Service,
  scope: RequiredScope | undefined,
): MaybePromise<Identity> | undefined {
  if (service.authorize === undefined || scope === undefined) return undefined;
  const address = request.addressOf?.() ?? '';
  return service.authorize(headerOf(request, 'authorization'), scope, address);
}
