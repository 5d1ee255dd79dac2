/** The differences between the FHIR versions that the services use, as data. */

import type { ErrorKind } from '../request/fhir-error.ts';
import type { Definitions } from './definitions.ts';
import { dstu2, r4, stu3 } from './published.ts';

export interface FhirVersion {
  readonly name: string;
  /** The number in `fhirVersion` of the capability statement. */
  readonly number: string;
  readonly definitions: Definitions;
  /** The formal media types: STU3 http.html#mime-type, DSTU2 http.html#mime-type. */
  readonly mediaTypes: { readonly json: string; readonly xml: string };
  /**
   * The value of the parameter `fhirVersion` of media types. Absent in versions that do not define
   * the parameter, and ignore it: https://hl7.org/fhir/R4/http.html#version-parameter
   */
  readonly mediaTypeVersion?: string;
  /** The code system of the tag `SUBSETTED`: R4 moved it to terminology.hl7.org. */
  readonly observationValues: string;
  readonly capabilities: {
    /** The type of the resource that says what a service offers. */
    readonly resourceType: string;
    /** Whether OPTIONS of the base returns it too: only DSTU2 has that, http.html#conformance. */
    readonly isAnsweredToOptions: boolean;
    /** The form of a definition's URL, in `rest.resource.profile` and `operation.definition`. */
    readonly profile: (url: string) => unknown;
  };
  /**
   * The error if If-Match names another version than the current one: 409 in DSTU2, 412 in later
   * versions. DSTU2 http.html#version, STU3 http.html#concurrency.
   */
  readonly failedIfMatch: ErrorKind;
}

export const R4: FhirVersion = {
  name: 'R4',
  number: '4.0.1',
  definitions: r4,
  mediaTypes: { json: 'application/fhir+json', xml: 'application/fhir+xml' },
  mediaTypeVersion: '4.0',
  observationValues: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  capabilities: {
    resourceType: 'CapabilityStatement',
    isAnsweredToOptions: false,
    profile: (url) => url,
  },
  failedIfMatch: 'precondition-failed',
};

export const STU3: FhirVersion = {
  name: 'STU3',
  number: '3.0.2',
  definitions: stu3,
  mediaTypes: { json: 'application/fhir+json', xml: 'application/fhir+xml' },
  observationValues: 'http://hl7.org/fhir/v3/ObservationValue',
  capabilities: {
    resourceType: 'CapabilityStatement',
    isAnsweredToOptions: false,
    profile: (url) => ({ reference: url }),
  },
  failedIfMatch: 'precondition-failed',
};

export const DSTU2: FhirVersion = {
  name: 'DSTU2',
  number: '1.0.2',
  definitions: dstu2,
  mediaTypes: { json: 'application/json+fhir', xml: 'application/xml+fhir' },
  observationValues: 'http://hl7.org/fhir/v3/ObservationValue',
  capabilities: {
    resourceType: 'Conformance',
    isAnsweredToOptions: true,
    profile: (url) => ({ reference: url }),
  },
  failedIfMatch: 'conflict',
};

export const FHIR_VERSIONS = [R4, STU3, DSTU2];
