/** The rules of the service for order responses, in addition to those of FHIR. */

import { FINDINGS_MAX, quote } from '../../fhir/format/findings.ts';
import { type FhirObject, isObject, type Resource } from '../../fhir/format/resource.ts';
import type { Finding } from '../../fhir/request/finding.ts';
import type { Review } from '../../fhir/stored/stored-type.ts';
import type { OrderSettings } from './settings.ts';

/**
 * The check of an OrderResponse as a decoder made it, and complete. Its findings have the code
 * `business-rule`.
 */
export function createOrderReview({
  profile,
}: Pick<OrderSettings, 'profile'>): (resource: Resource) => Review {
  return (resource) => ({
    findings: profile === 'contained' ? missingParts(resource) : [],
    warnings: profileWarnings(resource),
  });
}

/** `others`: the other types that FHIR allows in these references. */
const REFERENCES: readonly { name: string; type: string; others: readonly unknown[] }[] = [
  { name: 'request', type: 'Order', others: [] },
  { name: 'who', type: 'Practitioner', others: ['Organization', 'Device'] },
];

const PATH = '/f:OrderResponse';
const REASON =
  'this server accepts only order responses that contain an Order, a Patient and a Practitioner';

/** Order, Patient and Practitioner are contained; request and who refer to two of them. */
function missingParts(resource: Resource): Finding[] {
  const findings: Finding[] = [];
  const contained = containedIn(resource);
  for (const type of ['Order', 'Patient', 'Practitioner']) {
    if (contained.some(({ resourceType }) => resourceType === type)) continue;
    findings.push(broken(PATH, `OrderResponse needs a contained ${type}`));
  }
  for (const { name, type, others } of REFERENCES) {
    const value = resource[name];
    if (value === undefined && name === 'request') continue; // FHIR requires it already.
    const reference = isObject(value) ? value.reference : undefined;
    const path = value === undefined ? PATH : `${PATH}/f:${name}`;
    if (typeof reference !== 'string' || !reference.startsWith('#')) {
      const text = `OrderResponse.${name} needs to refer to a contained ${type}`;
      findings.push(broken(typeof reference === 'string' ? `${path}/f:reference` : path, text));
      continue;
    }
    const target = contained.find(({ id }) => id === reference.slice(1));
    if (!others.includes(target?.resourceType)) continue;
    const text = `OrderResponse.${name} needs to refer to a ${type}, not ${target?.resourceType}`;
    findings.push(broken(`${path}/f:reference`, text));
  }
  return findings;
}

function broken(path: string, problem: string): Finding {
  return { path, code: 'business-rule', text: `${problem}: ${REASON}.` };
}

function containedIn({ contained }: FhirObject): readonly FhirObject[] {
  return Array.isArray(contained) ? contained.filter(isObject) : [];
}

/** A sentence for each profile in `meta.profile` that the service cannot check. */
function profileWarnings({ meta }: Resource): string[] {
  const profiles = isObject(meta) && Array.isArray(meta.profile) ? meta.profile : [];
  const unknown = new Set(
    profiles.filter((one) => typeof one === 'string' && one !== KNOWN_PROFILE),
  );
  return [...unknown]
    .slice(0, FINDINGS_MAX)
    .map(
      (profile) =>
        `The profile ${quote(profile)} is not known to this server, which did not check it.`,
    );
}

const KNOWN_PROFILE = 'http://hl7.org/fhir/StructureDefinition/OrderResponse';
