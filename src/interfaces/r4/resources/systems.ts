/** The URIs of the R4 interface, which are the same on every server. */

const ODS = 'https://digital.nhs.uk/services/organisation-data-service/CodeSystem';
const ENGLAND = 'https://fhir.nhs.uk/England';
const UK_CORE = 'https://fhir.hl7.org.uk';

/** The systems of codes and identifiers. */
export const R4_SYSTEMS = {
  role: `${ODS}/ODSOrganisationRole`,
  relationship: `${ODS}/ODSRelationship`,
  recordClass: `${ODS}/ODSRecordClass`,
  recordUse: `${ENGLAND}/CodeSystem/England-ODSRecordUseType`,
  relationshipInstance: `${ODS}/organization-relationship-instance`,
  roleInstance: `${ODS}/organization-role-instance`,
  succession: `${ODS}/succession`,
  postcode: `${ODS}/postcode`,
  geographyName: `${ODS}/geography-name`,
  practitioner: `${ODS}/practitioner`,
  practitionerRole: `${ODS}/practitioner-role`,
  practitionerRelationship: `${ODS}/practitioner-relationship-instance`,
  practitionerAttribute: `${ODS}/practitioner-additional-attribute`,
  periodType: `${ENGLAND}/CodeSystem/England-PeriodType`,
  dateTimeType: `${ENGLAND}/CodeSystem/England-ODSDateTime`,
  addressKeyType: `${UK_CORE}/CodeSystem/UKCore-AddressKeyType`,
} as const;

/** In the order of the national service. The one of England is the narrower. */
export const R4_PROFILES = {
  organization: [
    `${UK_CORE}/StructureDefinition/UKCore-Organization`,
    `${ENGLAND}/StructureDefinition/England-Organization-ODS`,
  ],
  affiliation: [
    `${UK_CORE}/StructureDefinition/UKCore-OrganizationAffiliation`,
    `${ENGLAND}/StructureDefinition/England-OrganizationAffiliation-ODS`,
  ],
} as const;

export const R4_EXTENSIONS = {
  role: `${ENGLAND}/StructureDefinition/Extension-England-OrganisationRole`,
  typedPeriod: `${ENGLAND}/StructureDefinition/Extension-England-TypedPeriod`,
  typedDateTime: `${ENGLAND}/StructureDefinition/Extension-England-TypedDateTime`,
  addressKey: `${UK_CORE}/StructureDefinition/Extension-UKCore-AddressKey`,
} as const;
