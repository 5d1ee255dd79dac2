/** FHIR R4's definitions, out of hl7.fhir.r4.examples@4.0.1 by scripts/generate-definitions.ts. */
export const R4_TABLE = `
codes FHIR-version 0.01 0.05 0.06 0.11 0.0.80 0.0.81 0.0.82 0.4.0 0.5.0 1.0.0 1.0.1 1.0.2 1.1.0 1.4.0 1.6.0 1.8.0 3.0.0 3.0.1 3.3.0 3.5.0 4.0.0 4.0.1
codes address-type postal physical both
codes address-use home work temp old billing
codes all-types Address Age Annotation Attachment BackboneElement CodeableConcept Coding ContactDetail ContactPoint Contributor Count DataRequirement Distance Dosage Duration Element ElementDefinition Expression Extension HumanName Identifier MarketingStatus Meta Money MoneyQuantity Narrative ParameterDefinition Period Population ProdCharacteristic ProductShelfLife Quantity Range Ratio Reference RelatedArtifact SampledData Signature SimpleQuantity SubstanceAmount Timing TriggerDefinition UsageContext base64Binary boolean canonical code date dateTime decimal id instant integer markdown oid positiveInt string time unsignedInt uri url uuid xhtml Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse AuditEvent Basic Binary BiologicallyDerivedProduct BodyStructure Bundle CapabilityStatement CarePlan CareTeam CatalogEntry ChargeItem ChargeItemDefinition Claim ClaimResponse ClinicalImpression CodeSystem Communication CommunicationRequest CompartmentDefinition Composition ConceptMap Condition Consent Contract Coverage CoverageEligibilityRequest CoverageEligibilityResponse DetectedIssue Device DeviceDefinition DeviceMetric DeviceRequest DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference DomainResource EffectEvidenceSynthesis Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare EventDefinition Evidence EvidenceVariable ExampleScenario ExplanationOfBenefit FamilyMemberHistory Flag Goal GraphDefinition Group GuidanceResponse HealthcareService ImagingStudy Immunization ImmunizationEvaluation ImmunizationRecommendation ImplementationGuide InsurancePlan Invoice Library Linkage List Location Measure MeasureReport Media Medication MedicationAdministration MedicationDispense MedicationKnowledge MedicationRequest MedicationStatement MedicinalProduct MedicinalProductAuthorization MedicinalProductContraindication MedicinalProductIndication MedicinalProductIngredient MedicinalProductInteraction MedicinalProductManufactured MedicinalProductPackaged MedicinalProductPharmaceutical MedicinalProductUndesirableEffect MessageDefinition MessageHeader MolecularSequence NamingSystem NutritionOrder Observation ObservationDefinition OperationDefinition OperationOutcome Organization OrganizationAffiliation Parameters Patient PaymentNotice PaymentReconciliation Person PlanDefinition Practitioner PractitionerRole Procedure Provenance Questionnaire QuestionnaireResponse RelatedPerson RequestGroup ResearchDefinition ResearchElementDefinition ResearchStudy ResearchSubject Resource RiskAssessment RiskEvidenceSynthesis Schedule SearchParameter ServiceRequest Slot Specimen SpecimenDefinition StructureDefinition StructureMap Subscription Substance SubstanceNucleicAcid SubstancePolymer SubstanceProtein SubstanceReferenceInformation SubstanceSourceMaterial SubstanceSpecification SupplyDelivery SupplyRequest Task TerminologyCapabilities TestReport TestScript ValueSet VerificationResult VisionPrescription Type Any
codes binding-strength required extensible preferred example
codes bundle-type document message transaction transaction-response batch batch-response history searchset collection
codes capability-statement-kind instance capability requirements
codes code-search-support explicit all
codes codesystem-content-mode not-present example fragment complete supplement
codes codesystem-hierarchy-meaning grouped-by is-a part-of classified-with
codes concept-property-type code Coding string integer boolean dateTime decimal
codes conditional-delete-status not-supported single multiple
codes conditional-read-status not-supported modified-since not-match full-support
codes constraint-severity error warning
codes contact-point-system phone fax email pager url sms other
codes contact-point-use home work temp old mobile
codes contributor-type author editor reviewer endorser
codes days-of-week mon tue wed thu fri sat sun
codes discriminator-type value exists pattern type profile
codes document-mode producer consumer
codes event-capability-mode sender receiver
codes event-timing MORN MORN.early MORN.late NOON AFT AFT.early AFT.late EVE EVE.early EVE.late NIGHT PHS HS WAKE C CM CD CV AC ACM ACD ACV PC PCM PCD PCV
codes filter-operator = is-a descendent-of is-not-a regex in not-in generalizes exists
codes http-verb GET HEAD POST PUT DELETE PATCH
codes identifier-use usual official temp secondary old
codes issue-severity fatal error warning information
codes issue-type invalid structure required value invariant security login unknown expired forbidden suppressed processing not-supported duplicate multiple-matches not-found deleted too-long code-invalid extension too-costly business-rule conflict transient lock-error no-store exception timeout incomplete throttled informational
codes list-mode working snapshot changes
codes list-status current retired entered-in-error
codes name-use usual official temp nickname anonymous old maiden
codes narrative-status generated extensions additional empty
codes operation-parameter-use in out
codes property-representation xmlAttr xmlText typeAttr cdaText xhtml
codes publication-status draft active retired unknown
codes quantity-comparator < <= >= >
codes reference-handling-policy literal logical resolves enforced local
codes reference-version-rules either independent specific
codes related-artifact-type documentation justification citation predecessor successor derived-from depends-on composed-of
codes resource-aggregation-mode contained referenced bundled
codes resource-slicing-rules closed open openAtEnd
codes resource-types Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse AuditEvent Basic Binary BiologicallyDerivedProduct BodyStructure Bundle CapabilityStatement CarePlan CareTeam CatalogEntry ChargeItem ChargeItemDefinition Claim ClaimResponse ClinicalImpression CodeSystem Communication CommunicationRequest CompartmentDefinition Composition ConceptMap Condition Consent Contract Coverage CoverageEligibilityRequest CoverageEligibilityResponse DetectedIssue Device DeviceDefinition DeviceMetric DeviceRequest DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference DomainResource EffectEvidenceSynthesis Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare EventDefinition Evidence EvidenceVariable ExampleScenario ExplanationOfBenefit FamilyMemberHistory Flag Goal GraphDefinition Group GuidanceResponse HealthcareService ImagingStudy Immunization ImmunizationEvaluation ImmunizationRecommendation ImplementationGuide InsurancePlan Invoice Library Linkage List Location Measure MeasureReport Media Medication MedicationAdministration MedicationDispense MedicationKnowledge MedicationRequest MedicationStatement MedicinalProduct MedicinalProductAuthorization MedicinalProductContraindication MedicinalProductIndication MedicinalProductIngredient MedicinalProductInteraction MedicinalProductManufactured MedicinalProductPackaged MedicinalProductPharmaceutical MedicinalProductUndesirableEffect MessageDefinition MessageHeader MolecularSequence NamingSystem NutritionOrder Observation ObservationDefinition OperationDefinition OperationOutcome Organization OrganizationAffiliation Parameters Patient PaymentNotice PaymentReconciliation Person PlanDefinition Practitioner PractitionerRole Procedure Provenance Questionnaire QuestionnaireResponse RelatedPerson RequestGroup ResearchDefinition ResearchElementDefinition ResearchStudy ResearchSubject Resource RiskAssessment RiskEvidenceSynthesis Schedule SearchParameter ServiceRequest Slot Specimen SpecimenDefinition StructureDefinition StructureMap Subscription Substance SubstanceNucleicAcid SubstancePolymer SubstanceProtein SubstanceReferenceInformation SubstanceSourceMaterial SubstanceSpecification SupplyDelivery SupplyRequest Task TerminologyCapabilities TestReport TestScript ValueSet VerificationResult VisionPrescription
codes restful-capability-mode client server
codes search-comparator eq ne gt lt ge le sa eb ap
codes search-entry-mode match include outcome
codes search-modifier-code missing exact contains not text in not-in below above type identifier ofType
codes search-param-type number date string token reference composite quantity uri special
codes search-xpath-usage normal phonetic nearby distance other
codes sort-direction ascending descending
codes system-restful-interaction transaction batch search-system history-system
codes trigger-type named-event periodic data-changed data-added data-modified data-removed data-accessed data-access-ended
codes type-restful-interaction read vread update patch delete history-instance history-type create search-type
codes units-of-time s min h d wk mo a
codes versioning-policy no-version versioned versioned-update

any base64Binary boolean canonical code date dateTime decimal id instant integer markdown oid positiveInt string time unsignedInt uri url uuid Address Age Annotation Attachment CodeableConcept Coding ContactPoint Count Distance Duration HumanName Identifier Money Period Quantity Range Ratio Reference SampledData Signature Timing ContactDetail Contributor DataRequirement Expression ParameterDefinition RelatedArtifact TriggerDefinition UsageContext Dosage Meta

abstract Element
  @id 0..1 string
  extension 0..* Extension

abstract BackboneElement : Element
  modifierExtension 0..* Extension ?!

abstract Resource
  id 0..1 string
  meta 0..1 Meta
  implicitRules 0..1 uri ?!
  language 0..1 code

abstract DomainResource : Resource
  text 0..1 Narrative
  contained 0..* Resource
  extension 0..* Extension
  modifierExtension 0..* Extension ?!

data Address : Element
  use 0..1 code {address-use} ?!
  type 0..1 code {address-type}
  text 0..1 string
  line 0..* string
  city 0..1 string
  district 0..1 string
  state 0..1 string
  postalCode 0..1 string
  country 0..1 string
  period 0..1 Period

data Age : Quantity

data Annotation : Element
  author[x] 0..1 Reference(Practitioner|Patient|RelatedPerson|Organization),string
  time 0..1 dateTime
  text 1..1 markdown

data Attachment : Element
  contentType 0..1 code
  language 0..1 code
  data 0..1 base64Binary
  url 0..1 url
  size 0..1 unsignedInt
  hash 0..1 base64Binary
  title 0..1 string
  creation 0..1 dateTime

data CodeableConcept : Element
  coding 0..* Coding
  text 0..1 string

data Coding : Element
  system 0..1 uri
  version 0..1 string
  code 0..1 code
  display 0..1 string
  userSelected 0..1 boolean

data ContactDetail : Element
  name 0..1 string
  telecom 0..* ContactPoint

data ContactPoint : Element
  system 0..1 code {contact-point-system}
  value 0..1 string
  use 0..1 code {contact-point-use} ?!
  rank 0..1 positiveInt
  period 0..1 Period

data Contributor : Element
  type 1..1 code {contributor-type}
  name 1..1 string
  contact 0..* ContactDetail

data Count : Quantity

data DataRequirement : Element
  type 1..1 code {all-types}
  profile 0..* canonical
  subject[x] 0..1 CodeableConcept,Reference(Group)
  mustSupport 0..* string
  codeFilter 0..* DataRequirement.codeFilter
  dateFilter 0..* DataRequirement.dateFilter
  limit 0..1 positiveInt
  sort 0..* DataRequirement.sort

part DataRequirement.codeFilter : Element
  path 0..1 string
  searchParam 0..1 string
  valueSet 0..1 canonical
  code 0..* Coding

part DataRequirement.dateFilter : Element
  path 0..1 string
  searchParam 0..1 string
  value[x] 0..1 dateTime,Period,Duration

part DataRequirement.sort : Element
  path 1..1 string
  direction 1..1 code {sort-direction}

data Distance : Quantity

data Dosage : BackboneElement
  sequence 0..1 integer
  text 0..1 string
  additionalInstruction 0..* CodeableConcept
  patientInstruction 0..1 string
  timing 0..1 Timing
  asNeeded[x] 0..1 boolean,CodeableConcept
  site 0..1 CodeableConcept
  route 0..1 CodeableConcept
  method 0..1 CodeableConcept
  doseAndRate 0..* Dosage.doseAndRate
  maxDosePerPeriod 0..1 Ratio
  maxDosePerAdministration 0..1 SimpleQuantity
  maxDosePerLifetime 0..1 SimpleQuantity

part Dosage.doseAndRate : Element
  type 0..1 CodeableConcept
  dose[x] 0..1 Range,SimpleQuantity
  rate[x] 0..1 Ratio,Range,SimpleQuantity

data Duration : Quantity

data ElementDefinition : BackboneElement
  path 1..1 string
  representation 0..* code {property-representation}
  sliceName 0..1 string
  sliceIsConstraining 0..1 boolean
  label 0..1 string
  code 0..* Coding
  slicing 0..1 ElementDefinition.slicing
  short 0..1 string
  definition 0..1 markdown
  comment 0..1 markdown
  requirements 0..1 markdown
  alias 0..* string
  min 0..1 unsignedInt
  max 0..1 string
  base 0..1 ElementDefinition.base
  contentReference 0..1 uri
  type 0..* ElementDefinition.type
  defaultValue[x] 0..1 *
  meaningWhenMissing 0..1 markdown
  orderMeaning 0..1 string
  fixed[x] 0..1 *
  pattern[x] 0..1 *
  example 0..* ElementDefinition.example
  minValue[x] 0..1 date,dateTime,instant,time,decimal,integer,positiveInt,unsignedInt,Quantity
  maxValue[x] 0..1 date,dateTime,instant,time,decimal,integer,positiveInt,unsignedInt,Quantity
  maxLength 0..1 integer
  condition 0..* id
  constraint 0..* ElementDefinition.constraint
  mustSupport 0..1 boolean
  isModifier 0..1 boolean
  isModifierReason 0..1 string
  isSummary 0..1 boolean
  binding 0..1 ElementDefinition.binding
  mapping 0..* ElementDefinition.mapping

part ElementDefinition.slicing : Element
  discriminator 0..* ElementDefinition.slicing.discriminator
  description 0..1 string
  ordered 0..1 boolean
  rules 1..1 code {resource-slicing-rules}

part ElementDefinition.slicing.discriminator : Element
  type 1..1 code {discriminator-type}
  path 1..1 string

part ElementDefinition.base : Element
  path 1..1 string
  min 1..1 unsignedInt
  max 1..1 string

part ElementDefinition.type : Element
  code 1..1 uri
  profile 0..* canonical
  targetProfile 0..* canonical
  aggregation 0..* code {resource-aggregation-mode}
  versioning 0..1 code {reference-version-rules}

part ElementDefinition.example : Element
  label 1..1 string
  value[x] 1..1 *

part ElementDefinition.constraint : Element
  key 1..1 id
  requirements 0..1 string
  severity 1..1 code {constraint-severity}
  human 1..1 string
  expression 0..1 string
  xpath 0..1 string
  source 0..1 canonical

part ElementDefinition.binding : Element
  strength 1..1 code {binding-strength}
  description 0..1 string
  valueSet 0..1 canonical

part ElementDefinition.mapping : Element
  identity 1..1 id
  language 0..1 code
  map 1..1 string
  comment 0..1 string

data Expression : Element
  description 0..1 string
  name 0..1 id
  language 1..1 code
  expression 0..1 string
  reference 0..1 uri

data Extension : Element
  @url 1..1 string
  value[x] 0..1 *

data HumanName : Element
  use 0..1 code {name-use} ?!
  text 0..1 string
  family 0..1 string
  given 0..* string
  prefix 0..* string
  suffix 0..* string
  period 0..1 Period

data Identifier : Element
  use 0..1 code {identifier-use} ?!
  type 0..1 CodeableConcept
  system 0..1 uri
  value 0..1 string
  period 0..1 Period
  assigner 0..1 Reference(Organization)

data MarketingStatus : BackboneElement
  country 1..1 CodeableConcept
  jurisdiction 0..1 CodeableConcept
  status 1..1 CodeableConcept
  dateRange 1..1 Period
  restoreDate 0..1 dateTime

data Meta : Element
  versionId 0..1 id
  lastUpdated 0..1 instant
  source 0..1 uri
  profile 0..* canonical
  security 0..* Coding
  tag 0..* Coding

data Money : Element
  value 0..1 decimal
  currency 0..1 code

data Narrative : Element
  status 1..1 code {narrative-status}
  div 1..1 xhtml

data ParameterDefinition : Element
  name 0..1 code
  use 1..1 code {operation-parameter-use}
  min 0..1 integer
  max 0..1 string
  documentation 0..1 string
  type 1..1 code {all-types}
  profile 0..1 canonical

data Period : Element
  start 0..1 dateTime
  end 0..1 dateTime

data Population : BackboneElement
  age[x] 0..1 Range,CodeableConcept
  gender 0..1 CodeableConcept
  race 0..1 CodeableConcept
  physiologicalCondition 0..1 CodeableConcept

data ProdCharacteristic : BackboneElement
  height 0..1 Quantity
  width 0..1 Quantity
  depth 0..1 Quantity
  weight 0..1 Quantity
  nominalVolume 0..1 Quantity
  externalDiameter 0..1 Quantity
  shape 0..1 string
  color 0..* string
  imprint 0..* string
  image 0..* Attachment
  scoring 0..1 CodeableConcept

data ProductShelfLife : BackboneElement
  identifier 0..1 Identifier
  type 1..1 CodeableConcept
  period 1..1 Quantity
  specialPrecautionsForStorage 0..* CodeableConcept

data Quantity : Element
  value 0..1 decimal
  comparator 0..1 code {quantity-comparator} ?!
  unit 0..1 string
  system 0..1 uri
  code 0..1 code

data SimpleQuantity as Quantity : Element
  value 0..1 decimal
  comparator 0..0 code {quantity-comparator} ?!
  unit 0..1 string
  system 0..1 uri
  code 0..1 code

data Range : Element
  low 0..1 SimpleQuantity
  high 0..1 SimpleQuantity

data Ratio : Element
  numerator 0..1 Quantity
  denominator 0..1 Quantity

data Reference : Element
  reference 0..1 string
  type 0..1 uri
  identifier 0..1 Identifier
  display 0..1 string

data RelatedArtifact : Element
  type 1..1 code {related-artifact-type}
  label 0..1 string
  display 0..1 string
  citation 0..1 markdown
  url 0..1 url
  document 0..1 Attachment
  resource 0..1 canonical

data SampledData : Element
  origin 1..1 SimpleQuantity
  period 1..1 decimal
  factor 0..1 decimal
  lowerLimit 0..1 decimal
  upperLimit 0..1 decimal
  dimensions 1..1 positiveInt
  data 0..1 string

data Signature : Element
  type 1..* Coding
  when 1..1 instant
  who 1..1 Reference(Practitioner|PractitionerRole|RelatedPerson|Patient|Device|Organization)
  onBehalfOf 0..1 Reference(Practitioner|PractitionerRole|RelatedPerson|Patient|Device|Organization)
  targetFormat 0..1 code
  sigFormat 0..1 code
  data 0..1 base64Binary

data SubstanceAmount : BackboneElement
  amount[x] 0..1 Quantity,Range,string
  amountType 0..1 CodeableConcept
  amountText 0..1 string
  referenceRange 0..1 SubstanceAmount.referenceRange

part SubstanceAmount.referenceRange : Element
  lowLimit 0..1 Quantity
  highLimit 0..1 Quantity

data Timing : BackboneElement
  event 0..* dateTime
  repeat 0..1 Timing.repeat
  code 0..1 CodeableConcept

part Timing.repeat : Element
  bounds[x] 0..1 Duration,Range,Period
  count 0..1 positiveInt
  countMax 0..1 positiveInt
  duration 0..1 decimal
  durationMax 0..1 decimal
  durationUnit 0..1 code {units-of-time}
  frequency 0..1 positiveInt
  frequencyMax 0..1 positiveInt
  period 0..1 decimal
  periodMax 0..1 decimal
  periodUnit 0..1 code {units-of-time}
  dayOfWeek 0..* code {days-of-week}
  timeOfDay 0..* time
  when 0..* code {event-timing}
  offset 0..1 unsignedInt

data TriggerDefinition : Element
  type 1..1 code {trigger-type}
  name 0..1 string
  timing[x] 0..1 Timing,Reference(Schedule),date,dateTime
  data 0..* DataRequirement
  condition 0..1 Expression

data UsageContext : Element
  code 1..1 Coding
  value[x] 1..1 CodeableConcept,Quantity,Range,Reference(PlanDefinition|ResearchStudy|InsurancePlan|HealthcareService|Group|Location|Organization)

resource Bundle : Resource
  identifier 0..1 Identifier
  type 1..1 code {bundle-type}
  timestamp 0..1 instant
  total 0..1 unsignedInt
  link 0..* Bundle.link
  entry 0..* Bundle.entry
  signature 0..1 Signature

part Bundle.link : BackboneElement
  relation 1..1 string
  url 1..1 uri

part Bundle.entry : BackboneElement
  link 0..* Bundle.link
  fullUrl 0..1 uri
  resource 0..1 Resource
  search 0..1 Bundle.entry.search
  request 0..1 Bundle.entry.request
  response 0..1 Bundle.entry.response

part Bundle.entry.search : BackboneElement
  mode 0..1 code {search-entry-mode}
  score 0..1 decimal

part Bundle.entry.request : BackboneElement
  method 1..1 code {http-verb}
  url 1..1 uri
  ifNoneMatch 0..1 string
  ifModifiedSince 0..1 instant
  ifMatch 0..1 string
  ifNoneExist 0..1 string

part Bundle.entry.response : BackboneElement
  status 1..1 string
  location 0..1 uri
  etag 0..1 string
  lastModified 0..1 instant
  outcome 0..1 Resource

resource CapabilityStatement : DomainResource
  url 0..1 uri
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean
  date 1..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  kind 1..1 code {capability-statement-kind}
  instantiates 0..* canonical
  imports 0..* canonical
  software 0..1 CapabilityStatement.software
  implementation 0..1 CapabilityStatement.implementation
  fhirVersion 1..1 code {FHIR-version}
  format 1..* code
  patchFormat 0..* code
  implementationGuide 0..* canonical
  rest 0..* CapabilityStatement.rest
  messaging 0..* CapabilityStatement.messaging
  document 0..* CapabilityStatement.document

part CapabilityStatement.software : BackboneElement
  name 1..1 string
  version 0..1 string
  releaseDate 0..1 dateTime

part CapabilityStatement.implementation : BackboneElement
  description 1..1 string
  url 0..1 url
  custodian 0..1 Reference(Organization)

part CapabilityStatement.rest : BackboneElement
  mode 1..1 code {restful-capability-mode}
  documentation 0..1 markdown
  security 0..1 CapabilityStatement.rest.security
  resource 0..* CapabilityStatement.rest.resource
  interaction 0..* CapabilityStatement.rest.interaction
  searchParam 0..* CapabilityStatement.rest.resource.searchParam
  operation 0..* CapabilityStatement.rest.resource.operation
  compartment 0..* canonical

part CapabilityStatement.rest.security : BackboneElement
  cors 0..1 boolean
  service 0..* CodeableConcept
  description 0..1 markdown

part CapabilityStatement.rest.resource : BackboneElement
  type 1..1 code {resource-types}
  profile 0..1 canonical
  supportedProfile 0..* canonical
  documentation 0..1 markdown
  interaction 0..* CapabilityStatement.rest.resource.interaction
  versioning 0..1 code {versioning-policy}
  readHistory 0..1 boolean
  updateCreate 0..1 boolean
  conditionalCreate 0..1 boolean
  conditionalRead 0..1 code {conditional-read-status}
  conditionalUpdate 0..1 boolean
  conditionalDelete 0..1 code {conditional-delete-status}
  referencePolicy 0..* code {reference-handling-policy}
  searchInclude 0..* string
  searchRevInclude 0..* string
  searchParam 0..* CapabilityStatement.rest.resource.searchParam
  operation 0..* CapabilityStatement.rest.resource.operation

part CapabilityStatement.rest.resource.interaction : BackboneElement
  code 1..1 code {type-restful-interaction}
  documentation 0..1 markdown

part CapabilityStatement.rest.resource.searchParam : BackboneElement
  name 1..1 string
  definition 0..1 canonical
  type 1..1 code {search-param-type}
  documentation 0..1 markdown

part CapabilityStatement.rest.resource.operation : BackboneElement
  name 1..1 string
  definition 1..1 canonical
  documentation 0..1 markdown

part CapabilityStatement.rest.interaction : BackboneElement
  code 1..1 code {system-restful-interaction}
  documentation 0..1 markdown

part CapabilityStatement.messaging : BackboneElement
  endpoint 0..* CapabilityStatement.messaging.endpoint
  reliableCache 0..1 unsignedInt
  documentation 0..1 markdown
  supportedMessage 0..* CapabilityStatement.messaging.supportedMessage

part CapabilityStatement.messaging.endpoint : BackboneElement
  protocol 1..1 Coding
  address 1..1 url

part CapabilityStatement.messaging.supportedMessage : BackboneElement
  mode 1..1 code {event-capability-mode}
  definition 1..1 canonical

part CapabilityStatement.document : BackboneElement
  mode 1..1 code {document-mode}
  documentation 0..1 markdown
  profile 1..1 canonical

resource CodeSystem : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  caseSensitive 0..1 boolean
  valueSet 0..1 canonical
  hierarchyMeaning 0..1 code {codesystem-hierarchy-meaning}
  compositional 0..1 boolean
  versionNeeded 0..1 boolean
  content 1..1 code {codesystem-content-mode}
  supplements 0..1 canonical
  count 0..1 unsignedInt
  filter 0..* CodeSystem.filter
  property 0..* CodeSystem.property
  concept 0..* CodeSystem.concept

part CodeSystem.filter : BackboneElement
  code 1..1 code
  description 0..1 string
  operator 1..* code {filter-operator}
  value 1..1 string

part CodeSystem.property : BackboneElement
  code 1..1 code
  uri 0..1 uri
  description 0..1 string
  type 1..1 code {concept-property-type}

part CodeSystem.concept : BackboneElement
  code 1..1 code
  display 0..1 string
  definition 0..1 string
  designation 0..* CodeSystem.concept.designation
  property 0..* CodeSystem.concept.property
  concept 0..* CodeSystem.concept

part CodeSystem.concept.designation : BackboneElement
  language 0..1 code
  use 0..1 Coding
  value 1..1 string

part CodeSystem.concept.property : BackboneElement
  code 1..1 code
  value[x] 1..1 code,Coding,string,integer,boolean,dateTime,decimal

resource List : DomainResource
  identifier 0..* Identifier
  status 1..1 code {list-status} ?!
  mode 1..1 code {list-mode} ?!
  title 0..1 string
  code 0..1 CodeableConcept
  subject 0..1 Reference(Patient|Group|Device|Location)
  encounter 0..1 Reference(Encounter)
  date 0..1 dateTime
  source 0..1 Reference(Practitioner|PractitionerRole|Patient|Device)
  orderedBy 0..1 CodeableConcept
  note 0..* Annotation
  entry 0..* List.entry
  emptyReason 0..1 CodeableConcept

part List.entry : BackboneElement
  flag 0..1 CodeableConcept
  deleted 0..1 boolean ?!
  date 0..1 dateTime
  item 1..1 Reference

resource OperationOutcome : DomainResource
  issue 1..* OperationOutcome.issue

part OperationOutcome.issue : BackboneElement
  severity 1..1 code {issue-severity}
  code 1..1 code {issue-type}
  details 0..1 CodeableConcept
  diagnostics 0..1 string
  location 0..* string
  expression 0..* string

resource Organization : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean ?!
  type 0..* CodeableConcept
  name 0..1 string
  alias 0..* string
  telecom 0..* ContactPoint
  address 0..* Address
  partOf 0..1 Reference(Organization)
  contact 0..* Organization.contact
  endpoint 0..* Reference(Endpoint)

part Organization.contact : BackboneElement
  purpose 0..1 CodeableConcept
  name 0..1 HumanName
  telecom 0..* ContactPoint
  address 0..1 Address

resource OrganizationAffiliation : DomainResource
  identifier 0..* Identifier
  active 0..1 boolean
  period 0..1 Period
  organization 0..1 Reference(Organization)
  participatingOrganization 0..1 Reference(Organization)
  network 0..* Reference(Organization)
  code 0..* CodeableConcept
  specialty 0..* CodeableConcept
  location 0..* Reference(Location)
  healthcareService 0..* Reference(HealthcareService)
  telecom 0..* ContactPoint
  endpoint 0..* Reference(Endpoint)

resource Parameters : Resource
  parameter 0..* Parameters.parameter

part Parameters.parameter : BackboneElement
  name 1..1 string
  value[x] 0..1 *
  resource 0..1 Resource
  part 0..* Parameters.parameter

resource SearchParameter : DomainResource
  url 1..1 uri
  version 0..1 string
  name 1..1 string
  derivedFrom 0..1 canonical
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 1..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  code 1..1 code
  base 1..* code {resource-types}
  type 1..1 code {search-param-type}
  expression 0..1 string
  xpath 0..1 string
  xpathUsage 0..1 code {search-xpath-usage}
  target 0..* code {resource-types}
  multipleOr 0..1 boolean
  multipleAnd 0..1 boolean
  comparator 0..* code {search-comparator}
  modifier 0..* code {search-modifier-code}
  chain 0..* string
  component 0..* SearchParameter.component

part SearchParameter.component : BackboneElement
  definition 1..1 canonical
  expression 1..1 string

resource TerminologyCapabilities : DomainResource
  url 0..1 uri
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean
  date 1..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  purpose 0..1 markdown
  copyright 0..1 markdown
  kind 1..1 code {capability-statement-kind}
  software 0..1 TerminologyCapabilities.software
  implementation 0..1 TerminologyCapabilities.implementation
  lockedDate 0..1 boolean
  codeSystem 0..* TerminologyCapabilities.codeSystem
  expansion 0..1 TerminologyCapabilities.expansion
  codeSearch 0..1 code {code-search-support}
  validateCode 0..1 TerminologyCapabilities.validateCode
  translation 0..1 TerminologyCapabilities.translation
  closure 0..1 TerminologyCapabilities.closure

part TerminologyCapabilities.software : BackboneElement
  name 1..1 string
  version 0..1 string

part TerminologyCapabilities.implementation : BackboneElement
  description 1..1 string
  url 0..1 url

part TerminologyCapabilities.codeSystem : BackboneElement
  uri 0..1 canonical
  version 0..* TerminologyCapabilities.codeSystem.version
  subsumption 0..1 boolean

part TerminologyCapabilities.codeSystem.version : BackboneElement
  code 0..1 string
  isDefault 0..1 boolean
  compositional 0..1 boolean
  language 0..* code
  filter 0..* TerminologyCapabilities.codeSystem.version.filter
  property 0..* code

part TerminologyCapabilities.codeSystem.version.filter : BackboneElement
  code 1..1 code
  op 1..* code

part TerminologyCapabilities.expansion : BackboneElement
  hierarchical 0..1 boolean
  paging 0..1 boolean
  incomplete 0..1 boolean
  parameter 0..* TerminologyCapabilities.expansion.parameter
  textFilter 0..1 markdown

part TerminologyCapabilities.expansion.parameter : BackboneElement
  name 1..1 code
  documentation 0..1 string

part TerminologyCapabilities.validateCode : BackboneElement
  translations 1..1 boolean

part TerminologyCapabilities.translation : BackboneElement
  needsMap 1..1 boolean

part TerminologyCapabilities.closure : BackboneElement
  translation 0..1 boolean

resource ValueSet : DomainResource
  url 0..1 uri
  identifier 0..* Identifier
  version 0..1 string
  name 0..1 string
  title 0..1 string
  status 1..1 code {publication-status} ?!
  experimental 0..1 boolean
  date 0..1 dateTime
  publisher 0..1 string
  contact 0..* ContactDetail
  description 0..1 markdown
  useContext 0..* UsageContext
  jurisdiction 0..* CodeableConcept
  immutable 0..1 boolean
  purpose 0..1 markdown
  copyright 0..1 markdown
  compose 0..1 ValueSet.compose
  expansion 0..1 ValueSet.expansion

part ValueSet.compose : BackboneElement
  lockedDate 0..1 date
  inactive 0..1 boolean
  include 1..* ValueSet.compose.include
  exclude 0..* ValueSet.compose.include

part ValueSet.compose.include : BackboneElement
  system 0..1 uri
  version 0..1 string
  concept 0..* ValueSet.compose.include.concept
  filter 0..* ValueSet.compose.include.filter
  valueSet 0..* canonical

part ValueSet.compose.include.concept : BackboneElement
  code 1..1 code
  display 0..1 string
  designation 0..* ValueSet.compose.include.concept.designation

part ValueSet.compose.include.concept.designation : BackboneElement
  language 0..1 code
  use 0..1 Coding
  value 1..1 string

part ValueSet.compose.include.filter : BackboneElement
  property 1..1 code
  op 1..1 code {filter-operator}
  value 1..1 string

part ValueSet.expansion : BackboneElement
  identifier 0..1 uri
  timestamp 1..1 dateTime
  total 0..1 integer
  offset 0..1 integer
  parameter 0..* ValueSet.expansion.parameter
  contains 0..* ValueSet.expansion.contains

part ValueSet.expansion.parameter : BackboneElement
  name 1..1 string
  value[x] 0..1 string,boolean,integer,decimal,uri,code,dateTime

part ValueSet.expansion.contains : BackboneElement
  system 0..1 uri
  abstract 0..1 boolean
  inactive 0..1 boolean
  version 0..1 string
  code 0..1 code
  display 0..1 string
  designation 0..* ValueSet.compose.include.concept.designation
  contains 0..* ValueSet.expansion.contains
`;
