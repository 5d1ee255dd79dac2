/** The journey of a request to a store of versions: who asks, in what form, and what is written down. */
import type { Access } from './access.ts';
import { authorize, needOf } from './authorize.ts';
import type { Exchange } from './exchange.ts';
import { FhirError } from './fhir-error.ts';
import { create } from './interactions/create.ts';
import { history } from './interactions/history.ts';
import { readVersion } from './interactions/read-version.ts';
import { update } from './interactions/update.ts';
import { type Negotiate, understood } from './negotiate.ts';
import { preferencesOf } from './preferences.ts';
import type { RefusalReason } from './repository.ts';
import type { FhirRequest, FhirResponse } from './request.ts';
import { NO_BODY, readResourceBody } from './resource-body.ts';
import type { VersionRoute } from './route.ts';
import type { Service } from './service.ts';

/** Whoever is refused before the store is asked is written down before the answer. */
export async function answerVersions(
  request: FhirRequest,
  service: Service,
  route: VersionRoute,
  negotiate: Negotiate,
): Promise<FhirResponse> {
  const startMs = performance.now();
  let access: Access = {
    address: request.addressOf?.() ?? '',
    requestId: request.id,
    interaction: route.interaction,
  };
  let isHandedOver = false;
  try {
    const need = needOf(route);
    const identity = await authorize(request, service, need);
    if (identity !== undefined) access = { ...access, identity };
    const negotiated = negotiate(preferencesOf(request));
    const body = need?.action === 'write' ? await readResourceBody(request, service) : NO_BODY;
    const { form } = understood(negotiated);
    return await interact({
      request,
      service,
      route,
      form,
      body,
      access,
      elapsedMs: () => performance.now() - startMs,
      handOver: () => {
        isHandedOver = true;
      },
    });
  } catch (error) {
    if (!isHandedOver) {
      const reason = refusalReason(error);
      const { id, version } = { id: undefined, version: undefined, ...route };
      const where = { ...(id && { id }), ...(version && { version }) };
      const { name: type, versions } = route.type;
      await versions.repository.recordRefusal({ reason, type, ...where }, access);
    }
    throw error;
  }
}

function interact(exchange: Exchange): Promise<FhirResponse> {
  const { route } = exchange;
  switch (route.interaction) {
    case 'create':
      return create({ ...exchange, route });
    case 'update':
      return update({ ...exchange, route });
    case 'read':
    case 'vread':
      return readVersion({ ...exchange, route });
    case 'history-instance':
      return history({ ...exchange, route });
  }
}

function refusalReason(error: unknown): RefusalReason {
  if (!(error instanceof FhirError)) return 'fault';
  switch (error.issues[0].kind) {
    case 'unauthorized':
    // Too many tokens of one client are being checked: nothing is known of this one.
    case 'throttled':
      return 'unauthenticated';
    case 'forbidden':
      return 'forbidden';
    case 'unavailable':
      return 'fault';
    default:
      return 'invalid';
  }
}
