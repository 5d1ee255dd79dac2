/**
 * The types of the library for the resources of the directory: the elements that it answers with.
 * They agree with those of `@types/fhir`.
 */

/** An Organization of a FHIR version. A search with `_elements` answers only the elements in it. */
export type Organization<Version extends FhirVersionName = 'STU3'> = Organizations[Version];

export type FhirVersionName = keyof Organizations;

interface Organizations {
  STU3: Stu3Organization;
  R4: R4Organization;
}

/** https://hl7.org/fhir/STU3/organization.html */
interface CommonElements {
  readonly resourceType: 'Organization';
  /** The code of the organisation. */
  id: string;
  active: boolean;
  name?: string;
  telecom?: ContactPoint[];
  address?: Address[];
}

export interface Stu3Organization extends CommonElements {
  meta: { lastUpdated: string; profile: string[] };
  /** The periods and the roles of the organisation. */
  extension: Extension[];
  identifier: { system: string; value: string }[];
  /** The record class. */
  type?: CodeableConcept[];
}

/** https://hl7.org/fhir/R4/organization.html */
export interface R4Organization extends CommonElements {
  meta: { versionId: string; lastUpdated: string; profile: string[] };
  /** The roles of the organisation, and when its record changed last. */
  extension: Extension[];
  identifier: {
    use: 'official';
    system: string;
    value: string;
    assigner?: { display: string };
  }[];
  /** Whether the record is reference-only, and the record class. */
  type: CodeableConcept[];
}

/** A part of the answer to an R4 search with `_revinclude`. */
export interface R4Affiliation extends FhirResource {
  readonly resourceType: 'OrganizationAffiliation';
  readonly id: string;
}

/** A resource as FHIR JSON. */
export interface FhirResource {
  readonly resourceType: string;
  readonly id?: string;
  readonly [element: string]: unknown;
}

interface Extension {
  url: string;
  extension?: Extension[];
  valueBoolean?: boolean;
  valueCodeableConcept?: CodeableConcept;
  valueCoding?: Coding;
  valueDateTime?: string;
  valueInteger?: number;
  valuePeriod?: Period;
  valueString?: string;
}

interface Address {
  /** The UPRN. */
  extension?: Extension[];
  line?: string[];
  city?: string;
  district?: string;
  postalCode?: string;
  country?: string;
}

interface ContactPoint {
  system: 'phone' | 'fax' | 'email' | 'url' | 'other';
  value: string;
}

interface CodeableConcept {
  coding: Coding[];
}

interface Coding {
  system: string;
  code: string;
  display?: string;
}

/** `YYYY-MM-DD`. */
interface Period {
  extension?: Extension[];
  start?: string;
  end?: string;
}
