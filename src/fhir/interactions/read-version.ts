/**
 * FHIR read and vread of a resource that has versions.
 * https://hl7.org/fhir/DSTU2/http.html#read, https://hl7.org/fhir/DSTU2/http.html#vread
 */
import { answer } from '../answer.ts';
import { type Exchange, noRecord } from '../exchange.ts';
import type { FhirResponse } from '../request.ts';
import type { ReadRoute, VreadRoute } from '../route.ts';
import { representationOf } from '../stored-resource.ts';

export async function readVersion(
  exchange: Exchange<ReadRoute | VreadRoute>,
): Promise<FhirResponse> {
  const { request, service, route, form, access } = exchange;
  const { interaction, type, id } = route;
  exchange.handOver();
  const version = interaction === 'vread' ? { version: route.version } : {};
  const address = { type: type.name, id, ...version };
  const stored = await type.versions.repository.read(address, access);
  if (stored === undefined) {
    throw noRecord(
      interaction === 'vread'
        ? `There is no version ${route.version} of ${type.name}/${id}.`
        : type.notFound,
    );
  }
  return answer(request, service, form, interaction, {
    ...representationOf(stored, service, type, form),
    // The version before it may have been written in the same second.
    isDateAmbiguous: interaction === 'read' && stored.version > 1,
  });
}
