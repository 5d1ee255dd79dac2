/** Whether whoever asks may do it, as the service decides. */
import type { Identity } from './access.ts';
import { type FhirRequest, headerOf } from './request.ts';
import type { Route } from './route.ts';
import type { Need, Service } from './service.ts';

/** Who it is, where the service asks. Throws, or rejects, for those who may not. */
export function authorize(
  request: FhirRequest,
  service: Service,
  need: Need | undefined,
): Identity | Promise<Identity> | undefined {
  if (service.authorize === undefined || need === undefined) return undefined;
  const address = request.addressOf?.() ?? '';
  return service.authorize(headerOf(request, 'authorization'), need, address);
}

/** What somebody has to be allowed for it; nothing for what everyone may ask. */
export function needOf(route: Route): Need | undefined {
  if (!('type' in route)) return undefined;
  const { interaction, type } = route;
  const action = interaction === 'create' || interaction === 'update' ? 'write' : 'read';
  return { type: type.name, action };
}
