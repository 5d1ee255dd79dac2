/** What differs between the FHIR versions that the services speak, as data. */

import type { Definitions } from './definitions/definitions.ts';
import { dstu2 } from './definitions/dstu2.ts';
import { stu3 } from './definitions/stu3.ts';

export interface FhirVersion {
  readonly name: 'STU3' | 'DSTU2';
  /** As `fhirVersion` of what a service says of itself has it. */
  readonly number: string;
  readonly definitions: Definitions;
  /** The type of the resource that says what a service offers. */
  readonly capabilitiesType: 'CapabilityStatement' | 'Conformance';
  /** OPTIONS of the base answers it too: DSTU2 http.html#conformance; STU3 has dropped that. */
  readonly hasCapabilitiesByOptions: boolean;
  /** The formal media types: STU3 http.html#mime-type, DSTU2 http.html#mime-type. */
  readonly mediaTypes: { readonly json: string; readonly xml: string };
}

export const STU3: FhirVersion = {
  name: 'STU3',
  number: '3.0.2',
  definitions: stu3,
  capabilitiesType: 'CapabilityStatement',
  hasCapabilitiesByOptions: false,
  mediaTypes: { json: 'application/fhir+json', xml: 'application/fhir+xml' },
};

export const DSTU2: FhirVersion = {
  name: 'DSTU2',
  number: '1.0.2',
  definitions: dstu2,
  capabilitiesType: 'Conformance',
  hasCapabilitiesByOptions: true,
  mediaTypes: { json: 'application/json+fhir', xml: 'application/xml+fhir' },
};
